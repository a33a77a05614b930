//! The six values whose encoding and decoding was measured in the real engines.

use formwork_variant::Dialect;
use formwork_variant::{Array, Dictionary, Variant, Vector3};

/// A value and its name in the table of the engines' times.
pub struct Workload {
    /// Its name in the table.
    pub name: &'static str,
    /// The value.
    pub value: Variant,
}

/// Makes the values as a script of this dialect's engine makes them.
pub fn workloads(dialect: Dialect) -> [Workload; 6] {
    let shared = dialect.quirks().shared_containers;
    let array = |elements: Vec<Variant>| {
        let mut array = Array::from(elements);
        array.set_shared(shared);
        Variant::Array(array)
    };
    let npc = |index: i64| {
        let id = ("id".into(), Variant::Int(index));
        let name = ("name".into(), format!("npc_{index}").into());
        let position = Vector3::new((index % 100) as f32, (index % 7) as f32, (index % 31) as f32);
        let position = ("pos".into(), position.into());
        let health = ("hp".into(), Variant::Float((index % 200) as f64 * 0.5));
        // Godot 2 writes pairs in the order of its hash table.
        let mut npc = Dictionary::from(if shared {
            vec![id, health, name, position]
        } else {
            vec![id, name, position, health]
        });
        npc.set_shared(shared);
        Variant::Dictionary(npc)
    };
    let vector = |index: usize| {
        let y = (index % 77) as f32 * 0.25;
        // There are no negative zeros.
        Vector3::new((index % 1000) as f32, y, 0.0 - (index % 13) as f32)
    };
    [
        ("bytes", (0..1_usize << 24).map(|index| (index * 7 + 3) as u8).collect::<Vec<_>>().into()),
        (
            "floats",
            (0..1 << 22).map(|index| (index % 1000) as f32 * 0.5).collect::<Vec<_>>().into(),
        ),
        ("vec3", (0..1 << 20).map(vector).collect::<Vec<_>>().into()),
        (
            "strings",
            Variant::PackedStringArray((0..200_000).map(|i| format!("item_{i}").into()).collect()),
        ),
        ("dicts", array((0..100_000).map(npc).collect())),
        ("ints", array((0..1_000_000).map(|index| Variant::Int(index * 3 - 1_000_000)).collect())),
    ]
    .map(|(name, value)| Workload { name, value })
}
