//! Reading goes on behind damage inside one value.

use formwork_testkit::Noise;
use formwork_variant::codec::Recovered;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Decoder, Dialect, Limits, Variant, to_vec, variant};

/// A save of 300 entries, each a dictionary with a list.
fn save() -> Variant {
    let entries = (0..300_i64).map(|number| {
        let entry = variant!({
            "id": (number),
            "name": (format!("npc {number}")),
            "bag": ["rope", "lamp", (number * 1000_i64)],
            "hp": 0.3,
        });
        (format!("npc_{number}"), entry)
    });
    let entries: Variant = entries.collect();
    variant!({ "version": 3, "npcs": (entries), "gold": 100, "last": [1, 2, 3] })
}

fn count(value: &Variant, path: &str) -> usize {
    value.at(path).and_then(Variant::as_dictionary).map_or(0, |entries| entries.len())
}

/// Recovers a packet in a frame. (Values without frames are whole if they can be read.)
fn recovered(bytes: &[u8]) -> Recovered {
    let framed = [&(bytes.len() as u32).to_le_bytes(), bytes].concat();
    Decoder::new(Dialect::GODOT4).recover_frames(&framed, ByteOrder::Little, &[])
}

#[test]
fn damage_costs_the_entries_that_it_is_in() {
    let save = save();
    let whole = to_vec(&save, Dialect::GODOT4).unwrap();
    let (mut most, mut unlucky) = (0, 0);
    // Somewhere in the first half, at any place of an entry.
    for at in (4000..4400).step_by(8) {
        for fill in [0xff, 0x00, 0x5a] {
            let mut bytes = whole.clone();
            bytes[at..at + 16].fill(fill);
            let found = recovered(&bytes);
            let value = &found.values[0];
            let kept = count(value, "npcs");
            if found.values.len() > 1 || found.lost.is_empty() {
                // Zeros in the place of a count: the entries are whole ones of another container.
                println!("{at} {fill:x}: {} values, {:?}", found.values.len(), found.lost);
                unlucky += 1;
                continue;
            }
            assert!(kept >= 297, "{at} {fill:x}: {kept} of 300, {:?}", found.lost);
            assert_eq!(value.at("gold"), Some(&Variant::Int(100)), "{at} {fill:x}");
            assert_eq!(value.at("last"), save.at("last"), "{at} {fill:x}");
            assert_eq!(value.at("npcs/npc_299"), save.at("npcs/npc_299"), "{at} {fill:x}");
            most = most.max(found.bytes_lost());
        }
    }
    assert!(most < 500, "{most}");
    assert!(unlucky < 10, "{unlucky} of 150");
}

#[test]
fn several_places_are_passed() {
    let save = save();
    let whole = to_vec(&save, Dialect::GODOT4).unwrap();
    let mut bytes = whole.clone();
    for at in [5000, 9000, 20_000, 30_000] {
        bytes[at..at + 16].fill(0xee);
    }
    let found = recovered(&bytes);
    let value = &found.values[0];
    assert!(count(value, "npcs") >= 290, "{}: {:?}", count(value, "npcs"), found.lost);
    assert_eq!(value.at("gold"), Some(&Variant::Int(100)));
    assert!(found.bytes_lost() < 2000, "{}", found.bytes_lost());
}

#[test]
fn a_list_of_numbers_goes_on() {
    let list: Variant = (0..1000_i64).map(Variant::from).collect::<Vec<_>>().into();
    let save: Variant = variant!({ "list": (list), "gold": 5 });
    let mut bytes = to_vec(&save, Dialect::GODOT4).unwrap();
    bytes[4000..4016].fill(0xff);
    let found = recovered(&bytes);
    let value = &found.values[0];
    assert!(value.at("list").unwrap().as_array().unwrap().len() >= 996, "{:?}", found.lost);
    assert_eq!(value.at("list").unwrap().as_array().unwrap().last(), Some(&Variant::Int(999)));
    assert_eq!(value.at("gold"), Some(&Variant::Int(5)));
}

#[test]
fn no_entry_is_made_of_zeros() {
    let save = save();
    let whole = to_vec(&save, Dialect::GODOT4).unwrap();
    for at in [800, 4000, 4004, 4008, 4012, 12_345] {
        let mut bytes = whole.clone();
        bytes[at..].fill(0);
        let found = recovered(&bytes);
        let value = &found.values[0];
        let before = whole[..at].windows(4).filter(|it| it == b"npc_").count();
        let kept = count(value, "npcs");
        assert!((before.saturating_sub(2)..=before).contains(&kept), "{at}: {kept} of {before}");
        let shown = value.to_string();
        assert!(!shown.contains("null") && !shown.contains("<null>"), "{at}: {shown}");
        assert!(!found.lost.is_empty());
    }
    // A page in the middle that was not written.
    let mut bytes = whole.clone();
    bytes[8192..12_288].fill(0);
    let found = recovered(&bytes);
    let value = &found.values[0];
    assert_eq!(value.at("gold"), Some(&Variant::Int(100)));
    assert!(!value.to_string().contains("null"));
    assert!(count(value, "npcs") > 250, "{} {:?}", count(value, "npcs"), found.lost);
    assert!(found.bytes_lost() < 4600, "{}", found.bytes_lost());
}

#[test]
fn nulls_stay() {
    for save in [
        variant!([null, null, null]),
        variant!([[null, null], null]),
        variant!({ "a": null, "b": [null, null, null, null, null, null] }),
        variant!({ "a": [null, null], "b": { "c": null }, "d": [0, 0, 0] }),
    ] {
        let save: Variant = save;
        let found = recovered(&to_vec(&save, Dialect::GODOT4).unwrap());
        assert_eq!((&found.values[..], &found.lost[..]), (&[save][..], &[][..]));
    }
}

/// Damage everywhere takes time in proportion, and no panic.
#[test]
fn any_damage_ends() {
    let whole = to_vec(&save(), Dialect::GODOT4).unwrap();
    let mut noise = Noise::new(5);
    for round in 0..formwork_testkit::rounds(60, 2000) {
        let mut bytes = whole.clone();
        for _ in 0..=round % 40 {
            let at = noise.below(bytes.len());
            bytes[at] = noise.below(256) as u8;
        }
        let found = recovered(&bytes);
        let ranges: Vec<_> = found.lost.iter().map(|lost| lost.range.clone()).collect();
        assert!(ranges.iter().all(|it| it.start <= it.end && it.end <= bytes.len() as u64 + 4));
    }
}

/// A regression test: each start was tried in each open container, however many there are.
#[test]
fn deep_values_take_time_in_proportion() {
    // Arrays in each other, a fault, and nulls or ints that each look like a start.
    for rest in [[0_u32, 0], [2, 7]] {
        let words = [19_u32, 1].repeat(30_000).into_iter().chain([99, 0]);
        let words = words.chain(rest.repeat(30_000));
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let decoder: Decoder = Decoder::new(Dialect::GODOT3);
        let decoder = decoder.limits(Limits::default().depth(100_000));
        let (found, cost) = formwork_testkit::cost(|| decoder.recover(&bytes));
        assert!(!found.is_whole());
        // (All starts in all containers take more than 20 seconds.)
        assert!(cost.as_secs() < 5, "{cost:?}");
    }
}
