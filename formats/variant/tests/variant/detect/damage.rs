//! Files of the engines with one bit flipped, or a length word overwritten: detection must not name another engine.

use std::collections::BTreeMap;

use formwork_godot::detect::{Detection, Verdict, detect};
use formwork_testkit::Noise;
use formwork_variant::dialect::Family;

use crate::cases::ENGINES;

/// The result of detecting a damaged file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Found {
    /// The right family, to the end: the damage hit a number or a text.
    Right,
    /// The right family, damaged.
    DamagedRight,
    /// Several families, the right one among them.
    Undecided,
    /// Nothing, or something that is named by its mark.
    Unknown,
    /// Another family, damaged.
    DamagedWrong,
    /// Another family, but only by what is likely or alike.
    LikelyWrong,
    /// Another family as certain.
    CertainlyWrong,
}

fn found(detection: &Detection, truth: Family) -> Found {
    let leads = detection.leading().iter().any(|it| it.dialect.family() == truth);
    match (detection.verdict, leads) {
        (Verdict::Certain, true) => Found::Right,
        (Verdict::SameMeaning | Verdict::Ambiguous, true) => Found::Undecided,
        (Verdict::Certain, false) if !detection.is_by_likelihood() => Found::CertainlyWrong,
        (Verdict::Certain | Verdict::SameMeaning | Verdict::Ambiguous, false) => Found::LikelyWrong,
        _ => {
            let families: Vec<_> =
                detection.partials().iter().map(|it| it.dialect.family()).collect();
            match families.as_slice() {
                [] => Found::Unknown,
                [one] if *one == truth => Found::DamagedRight,
                several if several.contains(&truth) => Found::Undecided,
                _ => Found::DamagedWrong,
            }
        }
    }
}

/// Every file of the engines, with its name and family.
fn files() -> Vec<(String, Family, Vec<u8>)> {
    let mut files = Vec::new();
    for engine in &ENGINES {
        let folder = engine.file("files");
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it != "json")) {
            let name = format!("{} {}", engine.name, path.file_name().unwrap().display());
            files.push((name, engine.dialect().family(), std::fs::read(path).unwrap()));
        }
    }
    files
}

/// Flips one bit each in copies of all files; `FORMWORK_FLIPS` sets the number of flips (default 300).
#[test]
fn one_flipped_bit_makes_no_other_engine() {
    let flips = std::env::var("FORMWORK_FLIPS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    let files = files();
    let mut noise = Noise::new(11);
    let mut counts: BTreeMap<Found, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for number in 0..flips {
        let (name, truth, bytes) = &files[number % files.len()];
        let mut damaged = bytes.clone();
        // The first bytes are the most important: half of the flips hit the first 256 bytes.
        let reach = if noise.below(2) == 0 { bytes.len() } else { bytes.len().min(256) };
        let (at, bit) = (noise.below(reach), noise.below(8));
        damaged[at] ^= 1 << bit;
        let detection = detect(&damaged);
        let found = found(&detection, *truth);
        *counts.entry(found).or_default() += 1;
        if found >= Found::DamagedWrong {
            let first = detection.leading().first().map(|it| (it.dialect, it.framing));
            let partial = detection.partial().map(|it| (it.dialect, it.framing, it.reached));
            let size = bytes.len();
            wrong.push(format!(
                "{name} ({size}), byte {at} bit {bit}: {found:?} {first:?} {partial:?}"
            ));
        }
    }
    println!("{flips} flips: {counts:?}\n{}", wrong.join("\n"));
    assert_eq!(counts.get(&Found::CertainlyWrong), None);
    assert!(wrong.len() * 100 <= flips, "{}", wrong.join("\n"));
}

/// A fault found in a trial: a save with one length word overwritten was detected as Godot 2.
#[test]
fn a_broken_length_does_not_make_another_engine() {
    for engine in &ENGINES {
        let truth = engine.dialect().family();
        let bytes = std::fs::read(engine.file("files/small.save")).unwrap();
        // The word that the trial overwrote, the header and count of the dictionary, the header and length
        // of its first key, and words of the key.
        for at in [4, 8, 12, 16, 20, 24, 40] {
            for word in
                [[0xff, 0xff, 0xff, 0x7f], [0xff; 4], *b"ABCD", [99, 0, 0, 0], [30, 0, 0, 0]]
            {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&word);
                let detection = detect(&damaged);
                let found = found(&detection, truth);
                let partials: Vec<_> = detection.partials().iter().map(|it| it.dialect).collect();
                let name = engine.name;
                assert!(found < Found::DamagedWrong, "{name} at {at}: {found:?} {partials:?}");
            }
        }
    }
}

/// The length before a save is wrong: the save after it is complete.
#[test]
fn a_save_behind_a_wrong_length_is_found() {
    for engine in &ENGINES {
        let bytes = std::fs::read(engine.file("files/small.save")).unwrap();
        let right = u32::try_from(bytes.len() - 4).unwrap();
        for word in [4, 176, right - 4, right + 4, right | 1 << 20, right | 1 << 31] {
            let mut damaged = bytes.clone();
            damaged[..4].copy_from_slice(&word.to_le_bytes());
            let detection = detect(&damaged);
            let partial = detection.partial().unwrap_or_else(|| panic!("{} {word}", engine.name));
            assert_eq!(partial.dialect.family(), engine.dialect().family(), "{word}");
            assert_eq!(partial.reached, bytes.len() as u64, "{} {word}", engine.name);
        }
    }
}
