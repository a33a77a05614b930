//! Promises of shrinking for any packets and any answers.

use std::collections::HashSet;
use std::time::Duration;

use formwork_kit::Format;
use formwork_kit::oracle::shrink::{Budget, Shrunk, shrink, shrink_sequence};
use formwork_variant::Dialect;

use crate::shrink::planted::{all, noise};

const GODOT3: Format = Format::Variant(Dialect::GODOT3);

/// Returns a pseudorandom answer, which is always the same for a packet and a seed.
fn moody(packet: &[u8], seed: u64) -> bool {
    let digest = packet.iter().fold(seed | 1, |state, &byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    });
    digest.is_multiple_of(5)
}

/// Shrinks by pseudorandom answers, and checks the promises.
fn checked(packet: &[u8], format: Format, seed: u64, runs: u64) -> Shrunk {
    let mut asked = HashSet::new();
    let mut yes = HashSet::from([packet.to_vec()]);
    let budget = Budget { runs, ..Budget::default() };
    let shrunk = shrink(packet, format, budget, &mut |packet| {
        assert!(asked.insert(packet.to_vec()), "asked twice about {packet:02x?}");
        let answer = moody(packet, seed);
        if answer {
            yes.insert(packet.to_vec());
        }
        answer
    });
    assert!(!asked.contains(packet), "asked about what was given");
    assert!(asked.iter().all(|asked| asked.len() <= packet.len()), "grew");
    assert_eq!(shrunk.runs, asked.len() as u64);
    assert!(shrunk.runs <= runs);
    assert!(yes.contains(&shrunk.packet), "refused: {:02x?}", shrunk.packet);
    shrunk
}

#[test]
fn nothing_refused_comes_back_and_nothing_is_asked_twice() {
    let mut packets: Vec<_> = all().into_iter().map(|it| (it.packet, it.format)).collect();
    for seed in 0..8 {
        packets.push((noise(seed, 40 * seed as usize), GODOT3));
        packets.push((noise(seed, 40 * seed as usize), Format::Alb1));
    }
    for (number, (packet, format)) in packets.into_iter().enumerate() {
        let seed = number as u64;
        let shrunk = checked(&packet, format, seed, 300);
        assert_eq!(checked(&packet, format, seed, 300), shrunk, "another result the second time");
    }
}

#[test]
fn a_budget_of_nothing_gives_back_what_was_given() {
    let packet = noise(3, 64);
    let shrunk = checked(&packet, GODOT3, 3, 0);
    assert_eq!(shrunk, Shrunk { packet: packet.clone(), runs: 0, finished: false });
    let budget = Budget { time: Some(Duration::ZERO), ..Budget::default() };
    let shrunk = shrink(&packet, GODOT3, budget, &mut |_| true);
    assert_eq!(shrunk, Shrunk { packet, runs: 0, finished: false });
}

#[test]
fn an_empty_packet_is_the_smallest() {
    let shrunk = shrink(&noise(5, 500), GODOT3, Budget::default(), &mut |_| true);
    assert_eq!((shrunk.packet, shrunk.finished), (Vec::new(), true));
    let shrunk = shrink(&[], GODOT3, Budget::default(), &mut |_| panic!("nothing is smaller"));
    assert_eq!((shrunk.runs, shrunk.finished), (0, true));
}

/// Shrinks the packets before one that fails. The decoder remembers an int and a text, in this order, and
/// then reads a true as false.
#[test]
fn of_packets_before_only_those_stay_that_matter() {
    let words = |words: &[u32]| words.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>();
    let packets: Vec<_> = all().into_iter().filter(|it| it.format != Format::Alb1).collect();
    let mut before: Vec<_> = packets.iter().cycle().take(60).map(|it| it.packet.clone()).collect();
    before[41] = words(&[19, 3, 2, 7, 2, 4242, 0]);
    before[52] = [words(&[18, 1, 4, 5]), b"login\0\0\0".to_vec(), words(&[0])].concat();
    let packet = words(&[19, 2, 1, 1, 2, 9]);
    let has = |packet: &[u8], part: &[u8]| packet.windows(part.len()).any(|it| it == part);
    let mut leaks = |before: &[Vec<u8>], packet: &[u8]| {
        let int = before.iter().position(|it| has(it, &words(&[2, 4242])));
        let text = before.iter().rposition(|it| has(it, b"login"));
        int.zip(text).is_some_and(|(int, text)| int < text) && has(packet, &words(&[1, 1]))
    };
    assert!(leaks(&before, &packet));
    let shrunk = shrink_sequence(&before, &packet, GODOT3, Budget::default(), &mut leaks);
    assert_eq!(shrunk.before, [words(&[2, 4242]), b"login".to_vec()]);
    assert_eq!(shrunk.packet, words(&[1, 1]));
    assert!(shrunk.finished && shrunk.runs <= 1000, "{} runs", shrunk.runs);

    let budget = Budget { runs: 20, ..Budget::default() };
    let shrunk = shrink_sequence(&before, &packet, GODOT3, budget, &mut leaks);
    assert!(!shrunk.finished && shrunk.runs <= 20);
    assert!(leaks(&shrunk.before, &shrunk.packet));
}
