//! Checks that the values of the benches are, byte for byte, those that were measured in the engines.

#[path = "../../benches/src/workloads.rs"]
mod workloads;

use self::workloads::workloads;
use formwork_variant::{Dialect, to_vec};
use sha2::{Digest, Sha256};

#[test]
fn the_timed_values_encode_as_in_every_engine() {
    let table = include_str!("../../formats/perf.md");
    for (engine, dialect) in [
        ("Godot 3.2.3 and 3.6.2", "godot3.2"),
        ("Godot 3.2.3 and 3.6.2", "godot3.6"),
        ("Godot 4.6.3", "godot4.6"),
        ("Pandemonium", "pandemonium5"),
        ("Godot 2.1", "godot2"),
    ] {
        let dialect: Dialect = dialect.parse().expect("a dialect");
        let start = table.find(&format!("\n{engine}")).expect("the engine's list of sums");
        let sums = table[start..].split("```").nth(1).expect("a block of sums");
        for workload in workloads(dialect) {
            let bytes = to_vec(&workload.value, dialect).expect("it can be written");
            let sum: String =
                Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let expected = sums
                .lines()
                .find_map(|line| line.strip_suffix(workload.name))
                .expect("a sum for each workload");
            assert_eq!(sum, expected.trim(), "{dialect} {}", workload.name);
        }
    }
}
