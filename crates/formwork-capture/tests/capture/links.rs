//! Files, links and networks of all kinds.

use formwork_testkit::Noise;

use crate::recorder::*;
use crate::{Read, packet, save, save_json};

#[test]
fn every_form_of_file_and_link_is_read() {
    let (little, big) = (Order::Little, Order::Big);
    let forms = [
        File::Pcap { order: little, nanoseconds: false },
        File::Pcap { order: big, nanoseconds: false },
        File::Pcap { order: little, nanoseconds: true },
        File::Pcap { order: big, nanoseconds: true },
        File::Pcapng { order: little },
        File::Pcapng { order: big },
    ];
    for form in forms {
        for &(link, head4, head6) in LINKS {
            let mut packets = Vec::new();
            if link != 229 {
                packets.push(linked(&udp(true, &packet(&save(1))), head4));
            }
            if link != 228 {
                packets.push(linked(&udp6(&packet(&save(2))), head6));
            }
            let read = Read::of(&file(form, link, &packets));
            assert!(read.fault.is_none());
            assert_eq!(read.found.len(), packets.len(), "{form:?} {link}");
            let last = read.found.last().expect("a value");
            let time = last.time.expect("a time").to_string();
            let milliseconds = packets.len() - 1;
            assert_eq!(time, format!("2024-01-01T00:00:00.00{milliseconds}000000Z"), "{form:?}");
        }
    }
}

#[test]
fn fragments_are_put_together_in_any_order() {
    let long = formwork_variant::Variant::from("x".repeat(5000).as_str());
    let value = formwork_variant::Variant::from(vec![save(1), long]);
    for seed in 1..40 {
        let mut choices = Noise::new(seed);
        let mut packets = fragments(&udp(true, &packet(&value)), 7, 1480);
        packets.extend(fragments(&udp(true, &packet(&save(5))), 8, 16));
        packets.extend(fragments6(&udp6(&packet(&value)), 9, 1240));
        // One fragment comes twice.
        let again = packets[choices.below(packets.len())].clone();
        choices.shuffle(&mut packets);
        packets.insert(0, again);
        let read = Read::of(&file(PCAP, RAW, &packets));
        assert_eq!(read.found.len(), 3, "{seed}");
        // A copy of a fragment that comes after the whole packet waits without end.
        assert!(read.summary.incomplete <= 1);
    }
    let mut packets = fragments(&udp(true, &packet(&value)), 7, 1480);
    packets.remove(1);
    let read = Read::of(&file(PCAP, RAW, &packets));
    assert_eq!((read.found.len(), read.summary.incomplete), (0, 1));
}

#[test]
fn what_was_cut_off_is_said_and_not_guessed() {
    let whole = udp(true, &packet(&save(1)));
    // The cut is after a whole value.
    let mut several = packet(&save(1));
    several.extend(packet(&save(2)));
    let mut cut = udp(true, &several);
    cut.kept = 28 + several.len() / 2;
    let read = Read::of(&file(PCAP, RAW, &[whole, cut]));
    assert_eq!(read.values(), [save_json(1)]);
    let about = &read.summary.conversations[0];
    assert_eq!(about.cut, 1);
    assert!(about.is_damaged());
}

#[test]
fn what_is_no_datagram_is_counted() {
    let mut short = udp(true, &packet(&save(1)));
    short.bytes.truncate(10);
    short.kept = 10;
    let ether = |packet: &Packet| linked(packet, LINKS[0].1);
    let packets = [arp(), ether(&short), ether(&udp(true, &packet(&save(1))))];
    let read = Read::of(&file(PCAP, ETHERNET, &packets));
    assert_eq!(read.found.len(), 1);
    assert_eq!((read.summary.others, read.summary.malformed), (1, 1));
    let read = Read::of(&file(PCAP, 147, &packets));
    assert_eq!(read.summary.links, [(147, 3)]);
}
