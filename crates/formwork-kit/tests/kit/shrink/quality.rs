//! The sizes of shrunk packets, compared with packets made by hand.

use std::fmt::Write as _;

use formwork_alb1::Document;
use formwork_kit::Format;
use formwork_kit::oracle::shrink::{Budget, shrink};
use formwork_variant::Decoder;

use crate::shrink::planted;

/// Returns the answer of our reader to a packet.
fn read(packet: &[u8], format: Format) -> String {
    let read = match format {
        Format::Variant(dialect) => {
            Decoder::new(dialect).decode_prefix(packet).map(|(value, _)| format!("{value:?}"))
        }
        Format::Alb1 => Document::from_slice(packet).map(|document| format!("{:?}", document.root)),
    };
    read.unwrap_or_else(|error| format!("{}: {error}", error.rule()))
}

/// Checks that half of the packets get as small as those made by hand, and the others at most half as large
/// again, with at most 1000 questions for each packet.
#[test]
fn packets_get_as_small_as_by_hand() {
    let mut table = String::new();
    let mut ratios = Vec::new();
    let mut faults = Vec::new();
    for planted in planted::all() {
        let planted::Planted { name, format, packet, minimum, shows } = planted;
        if !shows(&packet) {
            faults.push(format!("{name}: the packet does not show it: {}", read(&packet, format)));
            continue;
        }
        if !shows(&minimum) {
            let read = read(&minimum, format);
            faults.push(format!("{name}: the smallest by hand does not show it: {read}"));
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
        if !(1.0..=1.5).contains(&ratio) {
            faults.push(format!("{name}: {:02x?}", shrunk.packet));
        }
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(" first  least result  ratio   runs\n{table}");
    assert!(faults.is_empty(), "\n{table}\n{}", faults.join("\n"));
    assert!(ratios[ratios.len() / 2] <= 1.0, "\n{table}");
}

/// Checks a decoder that fails from some depth on. The depth is found by bisection, not level by level.
#[test]
fn a_threshold_of_depth_is_found_in_a_few_questions() {
    const DEEP: usize = 4_100;
    let level = [19_u32, 1].map(u32::to_le_bytes).concat();
    let packet = [level.repeat(8_200), vec![0; 4]].concat();
    let shows = |packet: &[u8]| packet.starts_with(&level.repeat(DEEP));
    let format = Format::Variant(formwork_variant::Dialect::GODOT3);
    let mut questions = 0;
    let budget = Budget { runs: 40, ..Budget::default() };
    let shrunk = shrink(&packet, format, budget, &mut |packet| {
        questions += 1;
        shows(packet)
    });
    assert!(shrunk.packet.len() <= DEEP * level.len() + 4, "{} bytes", shrunk.packet.len());
    assert!(questions <= 40);
}
