//! The order in which engines print the keys of a dictionary, row by row.

use formwork_variant::text::to_text;
use formwork_variant::{Dialect, Object, Rect2, Variant, Vector2, Vector3};

fn dialect(name: &str) -> Dialect {
    name.parse().expect(name)
}

/// The numbers of the keys as they stand, in the order in which they are printed.
fn order(keys: &[Variant], of: Dialect) -> Vec<usize> {
    let pairs = keys.iter().cloned().zip((0..).map(|at| format!("#{at}#").into()));
    let text = to_text(&Variant::Dictionary(pairs.collect()), of).to_string();
    let numbers = text.split('#').skip(1).step_by(2);
    numbers.map(|number| number.parse().expect("the value of a pair")).collect()
}

#[test]
fn keys_are_in_the_order_of_the_engines() {
    let array = |numbers: &[i64]| {
        Variant::<f32>::Array(numbers.iter().map(|&number| number.into()).collect())
    };
    let name = |text: &str| Variant::<f32>::StringName(text.into());
    let text = |text: &str| Variant::<f32>::from(text);
    let number = |number: f64| Variant::<f32>::Float(number);
    let vector = |x: f32, y: f32, z: f32| Variant::<f32>::from(Vector3 { x, y, z });
    let bytes = |bytes: &[u8]| Variant::<f32>::PackedByteArray(bytes.to_vec());
    let vectors = |list: &[(f32, f32)]| {
        Variant::<f32>::PackedVector2Array(list.iter().map(|&(x, y)| Vector2::new(x, y)).collect())
    };
    let rows: Vec<(&str, &str, Vec<Variant>, &[usize])> = vec![
        ("ints", "godot4", vec![2.into(), 1.into(), 3.into()], &[1, 0, 2]),
        ("types by number", "godot4.3", vec![text("a"), name("a"), 1.into()], &[2, 0, 1]),
        (
            "String and StringName apart",
            "godot4.3",
            vec![name("a"), text("b"), name("c")],
            &[1, 0, 2],
        ),
        (
            "String and StringName together",
            "godot4.4",
            vec![name("c"), text("b"), name("a")],
            &[2, 1, 0],
        ),
        ("arrays by elements", "godot4", vec![array(&[1, 3]), array(&[1, 2])], &[1, 0]),
        ("arrays by length then", "godot4", vec![array(&[1, 2]), array(&[1])], &[1, 0]),
        ("elements before length", "godot4", vec![array(&[2]), array(&[1, 2])], &[1, 0]),
        ("arrays of one length", "godot3", vec![array(&[1]), array(&[2])], &[1, 0]),
        ("arrays of one length, turned", "godot3", vec![array(&[2]), array(&[1])], &[0, 1]),
        ("a shorter array first", "godot3", vec![array(&[1, 2]), array(&[1])], &[1, 0]),
        ("a shorter array first, in order", "godot3", vec![array(&[1]), array(&[1, 2])], &[0, 1]),
        ("an empty array has no order", "godot3", vec![array(&[0]), array(&[])], &[0, 1]),
        ("floats", "godot3", vec![number(1.5), number(-1.0)], &[1, 0]),
        (
            "a NaN has no order",
            "godot3",
            vec![number(2.0), number(f64::NAN), number(1.0)],
            &[2, 0, 1],
        ),
        (
            "a NaN is less than any other in Godot 2",
            "godot2",
            vec![number(2.0), number(f64::NAN)],
            &[1, 0],
        ),
        (
            "no object is the least",
            "godot3",
            vec![Object::Id(1).into(), Object::Null.into()],
            &[1, 0],
        ),
        (
            "objects have no order",
            "godot4",
            vec![Object::Id(1).into(), Object::Id(0).into()],
            &[0, 1],
        ),
        ("shorter packed arrays first", "godot3", vec![bytes(&[1, 2]), bytes(&[3])], &[1, 0]),
        ("packed arrays have no order", "godot4", vec![bytes(&[1, 2]), bytes(&[3])], &[0, 1]),
        (
            "other vectors in a packed array are always less",
            "godot3",
            vec![vectors(&[(1.0, 2.0), (3.0, 4.0)]), vectors(&[(1.0, 2.0), (0.0, 4.0)])],
            &[1, 0],
        ),
        (
            "the last numbers that make no three are not looked at",
            "godot3",
            vec![vectors(&[(1.0, 2.0), (3.0, 4.0)]), vectors(&[(1.0, 2.0), (3.0, 0.0)])],
            &[0, 1],
        ),
        (
            "more vectors are never less",
            "godot3",
            vec![vectors(&[(1.0, 2.0), (3.0, 4.0)]), vectors(&[(1.0, 2.0)])],
            &[1, 0],
        ),
        ("vectors", "godot3", vec![vector(1.0, 2.0, 0.0), vector(1.0, 1.0, 9.0)], &[1, 0]),
        (
            "nearly equal components but the last",
            "godot3.2",
            vec![vector(0.0, 6.0, 0.0), vector(1e-6, 5.0, 0.0)],
            &[1, 0],
        ),
        (
            "the same in Godot 3.6",
            "godot3.6",
            vec![vector(0.0, 6.0, 0.0), vector(1e-6, 5.0, 0.0)],
            &[0, 1],
        ),
        (
            "the last component counts however near",
            "godot3.2",
            vec![vector(0.0, 0.0, 1e-6), vector(0.0, 0.0, 0.0)],
            &[1, 0],
        ),
    ];
    for (name, of, keys, expected) in rows {
        assert_eq!(order(&keys, dialect(of)), expected, "{name}");
    }
}

fn rect(number: usize) -> Variant {
    let (position_x, position_y, size_x, size_y) = (number as f32, 0.0, 0.0, 0.0);
    Rect2 { position_x, position_y, size_x, size_y }.into()
}

/// Keys that are the same in every run.
fn seeded(count: usize, seed: u64) -> Vec<Variant> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    };
    (0..count)
        .map(|at| match random(10) {
            0 => Variant::Float(f64::from_bits(0x7ff8_0000_0000_0000 + at as u64)),
            1 => rect(at),
            _ => Variant::Float(random(1000) as f64 + at as f64 / 100.0),
        })
        .collect()
}

#[test]
fn keys_without_an_order_stand_where_the_engines_sort_leaves_them() {
    // Rectangles have no order: up to 16 keys stay, of more the quicksort turns parts around.
    let few: Vec<_> = (0..16).map(rect).collect();
    assert_eq!(order(&few, dialect("godot4")), (0..16).collect::<Vec<_>>());
    let many: Vec<_> = (0..20).map(rect).collect();
    assert_eq!(order(&many, dialect("godot4")), (0..20).rev().collect::<Vec<_>>());
    // Of floats, of which one in ten is a NaN, and one in ten a rectangle: some of them need the heap sort, and
    // others compare with what stands before the first.
    let rows: &[(usize, u64, &str, &[usize])] = &[
        (
            24,
            24,
            "godot2",
            &[11, 10, 9, 2, 21, 17, 16, 3, 1, 5, 13, 15, 14, 4, 8, 6, 19, 12, 7, 22, 0, 23, 20, 18],
        ),
        (
            32,
            75,
            "godot3",
            &[
                31, 1, 30, 10, 21, 27, 14, 0, 5, 9, 7, 17, 4, 6, 13, 8, 28, 18, 11, 15, 26, 12, 22,
                25, 23, 20, 3, 16, 2, 19, 24, 29,
            ],
        ),
        (
            32,
            75,
            "godot4",
            &[
                31, 1, 30, 10, 21, 27, 14, 0, 5, 9, 7, 17, 4, 6, 13, 8, 28, 18, 11, 15, 26, 12, 22,
                25, 23, 20, 3, 16, 2, 19, 24, 29,
            ],
        ),
        (17, 13, "godot2", &[12, 16, 5, 8, 2, 6, 11, 9, 4, 7, 14, 1, 0, 15, 3, 10, 13]),
        (
            24,
            201,
            "godot3",
            &[21, 7, 20, 13, 18, 16, 14, 1, 15, 3, 17, 19, 11, 9, 8, 22, 23, 4, 10, 2, 6, 0, 12, 5],
        ),
        (
            24,
            201,
            "godot4",
            &[21, 7, 20, 13, 18, 16, 14, 1, 15, 3, 17, 19, 11, 9, 8, 22, 23, 4, 10, 2, 6, 0, 12, 5],
        ),
        (17, 3, "godot2", &[15, 14, 12, 11, 9, 3, 10, 16, 13, 0, 6, 8, 2, 4, 1, 5, 7]),
        (20, 24, "godot3", &[17, 16, 11, 13, 15, 14, 19, 12, 18, 10, 9, 2, 3, 1, 5, 4, 8, 6, 7, 0]),
        (20, 24, "godot4", &[17, 16, 11, 13, 15, 14, 19, 12, 18, 10, 9, 2, 3, 1, 5, 4, 8, 6, 7, 0]),
    ];
    for (count, seed, of, expected) in rows {
        assert_eq!(order(&seeded(*count, *seed), dialect(of)), *expected, "{count} {seed} {of}");
    }
}
