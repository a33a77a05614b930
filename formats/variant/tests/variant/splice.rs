//! What `splice` writes, row by row: the old bytes, the new value, the new bytes.

use formwork_edit::splice;
use formwork_variant::codec::ObjectForm;
use formwork_variant::{Dialect, Encoder, FullObject, Object, Variant, variant};

const G4: Dialect = Dialect::GODOT4;

/// Little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The flag of an int or float of 64 bits.
const WIDE: u32 = 0x1_0000;
/// A bit of a header that no engine looks at.
const ODD: u32 = 0x2_0000;
const A: u32 = 0x61;
const B: u32 = 0x62;

/// The words of a float of 64 bits.
fn wide(number: f64) -> [u32; 2] {
    let bits = number.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

#[test]
fn numbers_keep_their_width_only_where_the_old_one_did_not_need_it() {
    let [half, half_high] = wide(0.5);
    let [quarter, quarter_high] = wide(0.25);
    let [tenth, tenth_high] = wide(0.1);
    let single = |number: f32| number.to_bits();
    // A bool of 7 in front, which is not canonical: otherwise all is written anew.
    let rows: &[(&str, &[u32], Variant, &[u32])] = &[
        ("an int, wide without need", &[WIDE | 2, 5, 0], Variant::Int(6), &[WIDE | 2, 6, 0]),
        ("one that is now negative", &[WIDE | 2, 5, 0], Variant::Int(-1), &[WIDE | 2, !0, !0]),
        ("one that now needs it", &[WIDE | 2, 5, 0], Variant::Int(1 << 32), &[WIDE | 2, 0, 1]),
        ("an int that needed it", &[WIDE | 2, 0, 1], Variant::Int(6), &[2, 6]),
        (
            "an int that needed it still",
            &[WIDE | 2, 0, 1],
            Variant::Int(2 << 32),
            &[WIDE | 2, 0, 2],
        ),
        ("the largest of 32 bits", &[WIDE | 2, 0x7fff_ffff, 0], Variant::Int(6), &[WIDE | 2, 6, 0]),
        ("one more than that", &[WIDE | 2, 0x8000_0000, 0], Variant::Int(6), &[2, 6]),
        ("a narrow int", &[2, 5], Variant::Int(6), &[2, 6]),
        (
            "a float, wide without need",
            &[WIDE | 3, half, half_high],
            Variant::Float(0.25),
            &[WIDE | 3, quarter, quarter_high],
        ),
        (
            "a float that needed it",
            &[WIDE | 3, tenth, tenth_high],
            Variant::Float(0.25),
            &[3, single(0.25)],
        ),
        ("a float for an int", &[WIDE | 2, 5, 0], Variant::Float(0.25), &[3, single(0.25)]),
        ("an int for a float", &[WIDE | 3, half, half_high], Variant::Int(6), &[2, 6]),
        ("an odd bit", &[ODD | 2, 5], Variant::Int(6), &[ODD | 2, 6]),
        ("an odd bit of another type", &[ODD | 2, 5], Variant::Float(0.25), &[3, single(0.25)]),
        ("a text for an int", &[ODD | WIDE | 2, 5, 0], "a".into(), &[4, 1, A]),
    ];
    for (name, old, new, expected) in rows {
        let packet = |value: &[u32]| words(&[&[28, 2, 1, 7][..], value].concat());
        let new = Variant::Array(vec![Variant::Bool(true), new.clone()].into());
        let found = splice(&packet(old), &new, &Encoder::new(G4)).unwrap();
        assert_eq!(found, packet(expected), "{name}");
    }
}

#[test]
fn containers_keep_what_did_not_change_and_no_more() {
    let object = |class: &str, number: i64| {
        let properties = vec![("a".into(), Variant::Int(number))];
        Variant::from(Object::Full(Box::new(FullObject { class: class.into(), properties })))
    };
    let typed = |elements: Vec<Variant>| {
        let mut array = formwork_variant::Array::from(elements);
        let int = formwork_variant::ElementType::Builtin(formwork_variant::VariantType::Int);
        array.set_element_type(Some(int));
        Variant::Array(array)
    };
    // (An int of 64 bits without need is not canonical.)
    let rows: &[(&str, &[u32], Variant, &[u32])] = &[
        (
            "a pair of two with one key is written anew",
            &[27, 2, ODD | 4, 1, A, 2, 1, 4, 1, A, 2, 2],
            variant!({ "a": 3 }),
            &[27, 1, 4, 1, A, 2, 3],
        ),
        (
            "the pair that counts stays",
            &[27, 3, ODD | 4, 1, A, 2, 1, 4, 1, B, WIDE | 2, 5, 0, 4, 1, A, 2, 2],
            variant!({ "a": 2, "b": 6 }),
            &[27, 2, 4, 1, A, 2, 2, 4, 1, B, 2, 6],
        ),
        (
            "a pair in another place takes its bytes along",
            &[27, 2, ODD | 4, 1, A, WIDE | 2, 1, 0, 4, 1, B, 2, 2],
            variant!({ "b": 2, "a": 1 }),
            &[27, 2, 4, 1, B, 2, 2, ODD | 4, 1, A, WIDE | 2, 1, 0],
        ),
        (
            "a typed array stays one",
            &[WIDE | 28, 2, 2, WIDE | 2, 1, 0, 2, 2],
            typed(vec![Variant::Int(1), Variant::Int(3)]),
            &[WIDE | 28, 2, 2, WIDE | 2, 1, 0, 2, 3],
        ),
        (
            "a typed array that is none any more",
            &[WIDE | 28, 2, 2, WIDE | 2, 1, 0, 2, 2],
            variant!([1, 2]),
            &[28, 2, WIDE | 2, 1, 0, 2, 2],
        ),
        (
            "an array that is typed now",
            &[28, 2, WIDE | 2, 1, 0, 2, 2],
            typed(vec![Variant::Int(1), Variant::Int(2)]),
            &[WIDE | 28, 2, 2, WIDE | 2, 1, 0, 2, 2],
        ),
        (
            "the top bit of a count stays",
            &[28, 0x8000_0001, 2, 1],
            variant!([1, 2]),
            &[28, 0x8000_0002, 2, 1, 2, 2],
        ),
        (
            "an object of the class",
            &[24, 1, A, 1, 1, A, WIDE | 2, 1, 0],
            object("a", 2),
            &[24, 1, A, 1, 1, A, WIDE | 2, 2, 0],
        ),
        (
            "an object of another class",
            &[24, 1, A, 1, 1, A, WIDE | 2, 1, 0],
            object("b", 1),
            &[24, 1, B, 1, 1, A, 2, 1],
        ),
        ("bytes behind the value", &[WIDE | 2, 1, 0, 0xffff_ffff], Variant::Nil, &[0, 0xffff_ffff]),
        ("bytes behind a canonical value", &[2, 1, 0xffff_ffff], Variant::Nil, &[0, 0xffff_ffff]),
    ];
    for (name, old, new, expected) in rows {
        let found = splice(&words(old), new, &Encoder::new(G4)).unwrap();
        assert_eq!(found, words(expected), "{name}");
    }
    // An object is in the form that the encoder has, whatever it was before.
    let stays = Variant::<f32>::Array(vec![Object::Id(9).into(), Variant::Int(2)].into());
    let id = [24 | WIDE, 9, 0];
    let old = words(&[&[28, 2][..], &id, &[2, 1]].concat());
    let found = splice(&old, &stays, &Encoder::new(G4)).unwrap();
    assert_eq!(found, words(&[&[28, 2][..], &id, &[2, 2]].concat()));
    let full = Encoder::new(G4).objects(ObjectForm::Full);
    assert_eq!(splice(&old, &stays, &full).unwrap(), full.encode(&stays).unwrap());
}
