//! How small packets get, held against what a person makes of them.

use std::fmt::Write as _;

use formwork::oracle::shrink::{Budget, shrink};

use crate::planted;

/// Half of the packets get as small as by hand, the others at most half as large again, with at most
/// 1000 questions each.
#[test]
fn packets_get_as_small_as_by_hand() {
    let mut table = String::new();
    let mut ratios = Vec::new();
    let mut faults = Vec::new();
    for planted in planted::all() {
        let planted::Planted { name, format, packet, minimum, shows } = planted;
        if !shows(&packet) {
            faults.push(format!("{name}: the packet does not show it: {packet:02x?}"));
            continue;
        }
        if !shows(&minimum) {
            faults.push(format!("{name}: the smallest by hand does not show it"));
        }
        let mut runs = 0;
        let shrunk = shrink(&packet, format, Budget::default(), &mut |packet| {
            runs += 1;
            shows(packet)
        });
        assert!(shows(&shrunk.packet), "{name}: the result does not show it");
        assert_eq!(shrunk.runs, runs, "{name}");
        let ratio = shrunk.packet.len() as f64 / minimum.len() as f64;
        writeln!(
            table,
            "{:6} {:6} {:6} {ratio:6.2} {runs:6} {} {format}: {name}",
            packet.len(),
            minimum.len(),
            shrunk.packet.len(),
            if shrunk.finished { "  " } else { "! " },
        )
        .unwrap();
        if ratio > 1.5 {
            faults.push(format!("{name}: {:02x?}", shrunk.packet));
        }
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(" first  least result  ratio   runs\n{table}");
    assert_eq!(faults, Vec::<String>::new(), "\n{table}");
    assert!(ratios[ratios.len() / 2] <= 1.0, "\n{table}");
}
