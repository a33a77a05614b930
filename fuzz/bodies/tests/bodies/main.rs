//! The fuzz targets without a fuzzer: every body runs on a few hundred random inputs, on the bytes of the
//! engines or synthetic ALB1 files, and on all earlier findings.

#[path = "../../../../formats/variant/tests/variant/serde/seeds.rs"]
mod random;
mod structs;

use std::fs;
use std::path::PathBuf;

use formwork_bodies::seeds::{
    captures, config_files, containers, documents, game_files, packets, packs,
};
use formwork_bodies::{
    Body, TARGETS, any_value, capture, config_file, container, dialect_of, dialects, number_of,
    pack, resource, script, seeds, settings, words,
};
use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;

use random::Seeds;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn formats() -> PathBuf {
    root().join("formats")
}

/// Returns the packets of the golden files' lines, each after the byte that selects its dialect.
fn golden() -> Vec<Vec<u8>> {
    packets(&formats()).expect("golden files can be read")
}

/// Returns every fourth packet, another quarter for each target; all of them in a thorough run.
fn share(inputs: &[Vec<u8>], target: usize) -> impl Iterator<Item = (usize, &Vec<u8>)> {
    let step = if formwork_testkit::is_thorough() { 1 } else { 4 };
    inputs.iter().enumerate().skip(target % step).step_by(step)
}

/// Returns the targets that take ALB1 files, or those that take the engines' bytes.
fn targets(alb1: bool) -> impl Iterator<Item = Body> {
    let wanted = TARGETS.iter().filter(move |(name, _)| name.starts_with("alb1_") == alb1);
    wanted.map(|(_, body)| *body)
}

/// Runs a body over at least `least` inputs: whole, and changed at up to `places` places. At each place the
/// input is cut, gets a bit flipped, and gets each of these byte values.
fn stands(body: impl Fn(&[u8]), inputs: &[Vec<u8>], least: usize, places: usize, values: &[u8]) {
    assert!(inputs.len() >= least, "{}", inputs.len());
    for input in inputs {
        body(input);
        for at in (0..input.len()).step_by((input.len() / places).max(1)) {
            body(&input[..at]);
            for value in values.iter().copied().chain([input[at] ^ 1 << (at % 8)]) {
                let mut changed = input.clone();
                changed[at] = value;
                body(&changed);
            }
        }
    }
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn every_target_of_alb1_stands_damage() {
    let inputs = documents(&formats()).expect("samples can be read");
    for target in targets(true) {
        stands(target, &inputs, 8, 12, &[]);
    }
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn captures_stand_damage() {
    let inputs = captures(&formats()).expect("captures can be read");
    stands(capture, &inputs, 9, 60, &[0, 0x7f, 0xff]);
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn containers_stand_damage() {
    let inputs = containers(&formats()).expect("golden files can be read");
    stands(container, &inputs, 12, 100, &[]);
    // Every choice of layers around a content that is a little longer than a block.
    for choice in 0..=u8::MAX {
        let content = inputs[0].iter().cycle().skip(4).take(4200);
        container(&std::iter::once(&choice).chain(content).copied().collect::<Vec<_>>());
    }
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn files_of_games_stand_damage() {
    let samples = |name| game_files(&formats(), name).expect("samples can be read");
    stands(script, &samples("script"), 9, 200, &[0, 1, 0x7f, 0xff]);
    stands(resource, &samples("resource"), 9, 200, &[0, 1, 0x7f, 0xff]);
    stands(pack, &packs(&formats()).expect("samples can be read"), 9, 40, &[]);
    stands(
        settings,
        &seeds::settings(&formats()).expect("samples can be read"),
        9,
        usize::MAX,
        &[],
    );
    stands(
        config_file,
        &config_files(&formats()).expect("samples can be read"),
        9,
        usize::MAX,
        &[],
    );
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn every_target_stands_random_inputs() {
    let mut seeds = Seeds::new();
    for (_, target) in TARGETS {
        for round in 0..600 {
            let mut input = seeds.next(round % 300 * 4);
            // Half of the inputs are small numbers, as packets have them.
            for byte in input.iter_mut().filter(|_| round % 2 == 1) {
                *byte = *byte % 32 * u8::from(*byte > 127);
            }
            target(&input);
        }
    }
}

#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn every_target_stands_the_engines_bytes() {
    let inputs = golden();
    assert!(inputs.len() > 1000);
    for (number, target) in targets(false).enumerate() {
        share(&inputs, number).for_each(|(_, input)| target(input));
    }
}

/// Cuts and changes bytes of the engines' packets.
#[test]
#[ignore = "takes a minute: .ci/run runs it"]
fn every_target_stands_damaged_bytes() {
    let inputs = golden();
    for (number, target) in targets(false).enumerate() {
        for (number, input) in share(&inputs, number).filter(|(_, input)| input.len() < 2000) {
            let at = number * 7919 % input.len();
            target(&input[..at]);
            let mut changed = input.clone();
            changed[at] ^= 1 << (number % 8);
            target(&changed);
            changed[at] = [0, 1, 0x7f, 0x80, 0xff][number % 5];
            target(&changed);
        }
    }
}

/// Returns the earlier findings: the target that found each, and the file.
fn regressions() -> Vec<(&'static str, PathBuf)> {
    let mut all = Vec::new();
    for folder in fs::read_dir(root().join("fuzz/regressions")).expect("there are regressions") {
        let folder = folder.expect("the folder can be listed").path();
        let name = folder.file_name().expect("a name").to_string_lossy();
        let target = TARGETS.iter().find(|(target, _)| *target == name);
        let (name, _) = target.unwrap_or_else(|| panic!("{}: no target", folder.display()));
        for file in fs::read_dir(&folder).expect("a folder of inputs") {
            all.push((*name, file.expect("the folder can be listed").path()));
        }
    }
    all
}

/// What one target found is an input for every other one of its kind, too.
#[test]
fn what_was_found_before_stays_fixed() {
    let all = regressions();
    assert!(all.len() >= 18, "{}", all.len());
    for (name, path) in all {
        println!("{}", path.display());
        let input = fs::read(&path).expect("regressions can be read");
        targets(name.starts_with("alb1_")).for_each(|target| target(&input));
    }
}

/// Every new release gets a new number, so that no input changes its meaning.
#[test]
fn a_dialect_keeps_its_number_in_inputs() {
    let numbers = [
        (0, "godot2.0"),
        (1, "godot2"),
        (2, "godot3.0"),
        (3, "godot3.1"),
        (4, "godot3.2"),
        (5, "godot3.3"),
        (6, "godot3.4"),
        (7, "godot3.5"),
        (8, "godot3.6"),
        (9, "pandemonium-docs"),
        (10, "pandemonium3"),
        (11, "pandemonium4"),
        (12, "pandemonium5"),
        (13, "godot4.0"),
        (14, "godot4.1"),
        (15, "godot4.2"),
        (16, "godot4.3"),
        (17, "godot4.4"),
        (18, "godot4.5"),
        (19, "godot4.6"),
        (20, "godot4.0-double"),
        (21, "godot4.1-double"),
        (22, "godot4.2-double"),
        (23, "godot4.3-double"),
        (24, "godot4.4-double"),
        (25, "godot4.5-double"),
        (26, "godot4.6-double"),
        (27, "godot4.7"),
        (28, "godot4.7-double"),
    ];
    for (number, name) in numbers {
        let dialect: Dialect = name.parse().expect(name);
        assert_eq!(number_of(dialect), Some(number), "{name}");
        assert_eq!(dialect_of(number), Some(dialect), "{name}");
        assert_eq!(dialect_of(number | 0x80), Some(dialect), "{name}");
    }
    assert_eq!(dialects().count(), numbers.len(), "pin the new number here");
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    let all: Vec<_> = Dialect::all().chain(Dialect::all().filter_map(double)).collect();
    assert_eq!(dialects().count(), all.len());
    for dialect in all {
        let number = number_of(dialect);
        assert!(number.is_some(), "{dialect}: add it at the end of src/dialects.txt");
    }
}

#[test]
fn a_number_that_is_no_dialects_selects_one_all_the_same() {
    let of = |number: u8| dialect_of(number).and_then(number_of);
    assert_eq!((of(31), of(59), of(75), of(127)), (Some(15), Some(11), Some(11), Some(15)));
    assert!((0..=u8::MAX).all(|label| of(label).is_some()));
}

/// A regression must not use a number without a dialect: a later dialect would get the number and change the
/// meaning of the input.
#[test]
fn every_regression_is_labelled_with_a_number_that_is_taken() {
    for (target, path) in regressions() {
        // The inputs of these targets begin with a file.
        if target.starts_with("alb1_") || ["capture", "container", "pack"].contains(&target) {
            continue;
        }
        let input = fs::read(&path).expect("regressions can be read");
        let number = input[0] & 0x7f;
        let is_taken = dialects().any(|(taken, _)| taken == number);
        assert!(is_taken, "{}: {number}", path.display());
    }
}

#[test]
fn every_target_has_seeds_and_stands_them() {
    for (name, target) in TARGETS {
        let seeds = seeds::seeds(&formats(), name).expect("the formats can be read");
        assert!(seeds.len() > 8, "{name}: {}", seeds.len());
        let longest = seeds.iter().map(Vec::len).max().unwrap_or_default();
        assert!(longest < 200_000, "{name}: {longest}");
        // Every few seeds only: a fuzzer runs all of them first.
        seeds.iter().step_by(1 + seeds.len() / 60).for_each(|seed| target(seed));
    }
}

#[test]
fn words_are_of_all_dialects_and_each_once() {
    for (target, some) in [
        (
            "fixed_point",
            ["=\"\\x1f\\x00\\x00\\x00\"", "PoolByteArray", "PackedByteArray", "Matrix32"],
        ),
        ("alb1_document", ["=\"ALB1", "$object", "signed_int", "bounds"]),
    ] {
        let words = words(target);
        for word in some {
            assert!(words.contains(word), "{target}: {word}");
        }
        let list: Vec<_> = words.lines().filter_map(|line| line.split_once('=')).collect();
        let known: std::collections::HashSet<_> = list.iter().map(|(_, word)| word).collect();
        assert_eq!(known.len(), list.len(), "{target}");
    }
}

#[test]
fn every_target_is_a_program() {
    let folder = root().join("fuzz/fuzz_targets");
    for (name, _) in TARGETS {
        let program = fs::read_to_string(folder.join(name).with_extension("rs")).expect(name);
        let body = format!("formwork_bodies::{}(input)", name.replace("alb1_", "alb1::"));
        let is_called = program.contains(&format!("fuzz_target!(|input: &[u8]| {body})"));
        assert!(is_called || *name == "round_trip", "{name}");
    }
    assert_eq!(fs::read_dir(folder).expect("there are targets").count(), TARGETS.len());
}

/// Values of every kind, in every dialect and both precisions.
#[test]
fn any_value_is_refused_or_comes_back_as_it_is() {
    let mut seeds = Seeds::new();
    (0..12_000).for_each(|round| any_value(&seeds.next(1 + round % 97)));
}
