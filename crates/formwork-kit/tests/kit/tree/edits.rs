//! Edits of trees: correct counts and sizes stay correct, and wrong ones keep their error.

use formwork_alb1::{Document, Field, Object, Text, Value};
use formwork_kit::Format;
use formwork_kit::tree::Tree;
use formwork_variant::Dialect;
use formwork_variant::VariantType;

const GODOT3: Format = Format::Variant(Dialect::GODOT3);

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn a_count_that_lies_keeps_its_distance() {
    // An array with a count of five and three ints.
    let bytes = words(&[19, 5, 2, 7, 2, 8, 2, 9]);
    let candidates: Vec<_> = Tree::of(&bytes, GODOT3).reductions().collect();
    for (elements, size) in [(2, 24), (1, 16)] {
        let shorter: Vec<_> = candidates
            .iter()
            .filter(|candidate| candidate.len() == size && word(candidate, 0) == 19)
            .collect();
        assert!(!shorter.is_empty());
        assert!(shorter.iter().all(|candidate| word(candidate, 4) == elements + 2), "{shorter:x?}");
    }
}

#[test]
fn the_shared_bit_of_a_count_is_no_part_of_it() {
    let godot2 = Format::Variant(Dialect::GODOT2);
    let array = Dialect::GODOT2.type_id(VariantType::Array).unwrap().into();
    let bytes = words(&[array, 0x8000_0002, 0, 0]);
    let tree = Tree::of(&bytes, godot2);
    let one = tree.reductions().find(|candidate| candidate.len() == 12);
    assert_eq!(one, Some(words(&[array, 0x8000_0001, 0])));
}

#[test]
fn padding_is_made_anew_where_it_was_as_declared() {
    let shorter = |padding: &[u8]| {
        let bytes = [&words(&[19, 2, 4, 5])[..], b"abcde", padding, &words(&[2, 7])].concat();
        let all = Tree::of(&bytes, GODOT3);
        all.reductions().filter(|made| made.len() == 28 && word(made, 12) == 3).collect::<Vec<_>>()
    };
    // The content of the padding does not matter: engines leave old memory in it.
    for (padding, expected) in [(*b"\0\0\0", b'\0'), (*b"xyz", b'x')] {
        let made = shorter(&padding);
        assert!(!made.is_empty());
        for candidate in made {
            assert_eq!(candidate[19], expected, "{candidate:x?}");
        }
    }
}

#[test]
fn every_object_and_array_around_is_measured_again() {
    let mut layer = Document::new("CLayer");
    let [name, object] = ["mname", "mlayerVersion"].map(|name| layer.tags.id(name).unwrap());
    let text = Field::new(name, Value::String(Text::from_bytes(b"abcdefgh".to_vec())));
    let mut inner = Object { class: 1, address: 1, fields: vec![text.clone(), text.clone()] };
    for address in 2..5 {
        let list = Value::Array(vec![Field::new(object, inner), text.clone()]);
        inner = Object { class: 1, address, fields: vec![Field::new(object, list), text.clone()] };
    }
    layer.root.fields = vec![Field::new(object, inner)];
    let bytes = layer.to_vec().unwrap();
    let tree = Tree::of(&bytes, Format::Alb1);
    let mut count = 0;
    for candidate in tree.reductions().filter(|candidate| candidate.len() < bytes.len()) {
        let read = Document::from_slice(&candidate).unwrap();
        assert_eq!(read.to_vec().unwrap(), candidate);
        count += 1;
    }
    assert!(count > 200);
    // The size of the outermost object is wrong by two, and stays wrong by two.
    let (Some(at), size) = (layer_object(&bytes), |bytes: &[u8], at| word(bytes, at)) else {
        panic!("the file has an object");
    };
    let mut lies = bytes.clone();
    lies[at] = lies[at].wrapping_add(2);
    let honest = bytes.len() as u32 - at as u32 - 4;
    assert_eq!(size(&lies, at), honest + 2);
    let mut inside = 0;
    for candidate in Tree::of(&lies, Format::Alb1).reductions() {
        // Changes in the tables before the object do not matter here.
        let is_inside = candidate.get(..at) == lies.get(..at) && candidate.len() > at + 4;
        if is_inside && candidate.len() < lies.len() {
            let there = candidate.len() as u32 - at as u32 - 4;
            assert_eq!(size(&candidate, at), there + 2);
            inside += 1;
        }
    }
    assert!(inside > 5, "{inside}");
}

/// Returns the offset of the size of the object in the root.
fn layer_object(bytes: &[u8]) -> Option<usize> {
    let object = 0x0d;
    let root = bytes.windows(4).rposition(|four| four == Document::FIRST_ADDRESS.to_le_bytes())?;
    (bytes[root + 6] == object).then_some(root + 7)
}

#[test]
fn flags_go_with_what_they_stand_for() {
    let godot4 = Format::Variant(Dialect::GODOT4);
    // An int in 64 bits becomes an int in 32 bits.
    let wide = [words(&[2 | 1 << 16]), 7_u64.to_le_bytes().to_vec()].concat();
    let narrow = Tree::of(&wide, godot4).reductions().any(|made| made == words(&[2, 7]));
    assert!(narrow);
    // A packed array of two Vector2 values in doubles.
    let number = |number: f64| number.to_le_bytes().to_vec();
    let doubles = [0.5, 1.0, 2.0, 4.0].map(number).concat();
    let wide = [words(&[35 | 1 << 16, 2]), doubles].concat();
    let floats: Vec<u8> = [0.5_f32, 1.0, 2.0, 4.0].map(f32::to_le_bytes).concat();
    let expected = [words(&[35, 2]), floats].concat();
    assert!(Tree::of(&wide, godot4).reductions().any(|made| made == expected));
}

#[test]
fn the_length_of_an_input_event_goes_with_its_type() {
    let godot2 = Format::Variant(Dialect::GODOT2);
    let event = Dialect::GODOT2.type_id(VariantType::InputEvent).unwrap().into();
    // A mouse button event has a button; no event of another type has one.
    let tree = Tree::of(&words(&[event, 3, 0, 16, 1]), godot2);
    assert!(tree.reductions().any(|made| made == words(&[event, 0, 0, 12])));
}

#[test]
fn deep_and_large_packets_neither_overflow_nor_take_forever() {
    // 65,000 nested arrays, half a megabyte in size.
    let deep = words(&[19, 1]).repeat(1 << 16);
    let tree = Tree::of(&deep, GODOT3);
    assert_eq!(tree.write(), deep);
    // Half a megabyte of nulls.
    let wide = [words(&[19, 1 << 17]), vec![0; 1 << 19]].concat();
    for bytes in [deep, wide] {
        let tree = Tree::of(&bytes, GODOT3);
        let mut last = bytes.len();
        for candidate in tree.reductions().take(20) {
            assert!(candidate.len() < bytes.len());
            last = candidate.len();
        }
        assert!(last < bytes.len());
        for seed in 0..formwork_testkit::rounds(3, 20) {
            let made = formwork_kit::mutator::mutate_packet(&bytes, 2 << 20, seed, GODOT3);
            assert_ne!(made, bytes);
        }
    }
}
