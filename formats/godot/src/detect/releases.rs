//! The releases of the engines to try, and the releases that would have written the same bytes.

use super::Candidate;
use super::attempt::{Attempt, is_same_meaning};
use crate::Framing;
use formwork_variant::VariantType;
use formwork_variant::codec::Met;
use formwork_variant::dialect::{
    Dialect, Family, NullObject, Precision, Quirks, SameKeys, TextStyle,
};

/// Every family, the newest first. The first family with the same meaning is taken.
pub(super) const FAMILIES: [Family; 6] = [
    Family::Godot4,
    Family::Pandemonium5,
    Family::Pandemonium4,
    Family::Pandemonium3,
    Family::Godot3,
    Family::Godot2,
];

/// The releases of a family to try.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Releases {
    /// All whose packets identify their types.
    Usual,
    /// Releases that write a type in two widths without marking which: double-precision builds before Godot 4.2, whose
    /// Vector4 and Projection lack the flag. Other bytes too easily look like these, so they are only considered if
    /// nothing usual fits.
    Unmarked,
}

/// Returns the family's best reading: the newest release unless an older one fits better.
pub(super) fn best_of_family(
    bytes: &[u8],
    family: Family,
    framing: Framing,
    releases: Releases,
) -> Option<Attempt> {
    let mut best: Option<Attempt> = None;
    let mut newest = String::new();
    let mut read_whole: Vec<(Dialect, Met)> = Vec::new();
    for dialect in dialects(family, releases) {
        if read_whole.iter().any(|&(other, met)| reads_alike_where(met, dialect, other)) {
            continue;
        }
        let mut reading = Attempt::of(bytes, dialect, framing);
        if reading.error.is_none() {
            read_whole.push((dialect, reading.met));
        }
        match &best {
            None => newest = reading.reproach(),
            Some(better) if reading.quality() <= better.quality() => continue,
            Some(_) => reading.newest = Some(newest.clone()),
        }
        let clean = reading.is_clean();
        best = Some(reading);
        if clean {
            break;
        }
    }
    best
}

/// Returns the dialects of a family that read differently, the newest of each kind, the newest first.
pub(super) fn dialects(family: Family, releases: Releases) -> Vec<Dialect> {
    let of_family = || {
        Dialect::all()
            .rev()
            .filter(|&dialect| dialect.family() == family && dialect != Dialect::PANDEMONIUM_DOCS)
    };
    let doubles = of_family().filter_map(|dialect| dialect.with_precision(Precision::Double));
    let mut different: Vec<Dialect> = Vec::new();
    for dialect in of_family().chain(doubles) {
        let unmarked =
            dialect.precision() == Precision::Double && dialect.quirks().real_flag_missing;
        let wanted = unmarked == (releases == Releases::Unmarked);
        if wanted && !different.iter().any(|&other| reads_alike(dialect, other)) {
            different.push(dialect);
        }
    }
    different
}

/// Returns the releases of the dialect's family that would have written the values of a reading exactly this way, the
/// oldest first.
pub(super) fn releases(bytes: &[u8], candidate: &Candidate) -> Vec<Dialect> {
    let Candidate { dialect, framing, .. } = *candidate;
    let best = match framing {
        // All packets of a file of settings are one value.
        Framing::Settings => Attempt::of(bytes, dialect, framing),
        _ => {
            let mut reading = Attempt::new(dialect, framing);
            reading.values = candidate.values;
            reading.deviations = candidate.deviations.clone();
            reading
        }
    };
    // If every byte is as one release writes it, another release need not be tried if it treats the contents the same
    // way.
    let met = candidate.deviations.is_empty().then_some(candidate.met);
    let same: Vec<Dialect> = dialects(dialect.family(), Releases::Usual)
        .into_iter()
        .filter(|&other| other.precision() == dialect.precision())
        .filter(|&other| {
            let reading = || Attempt::of(bytes, other, framing);
            let unlike = || {
                let reading = reading();
                reading.is_clean() == best.is_clean()
                    && reading.fits()
                    && reading.deviations.total() == best.deviations.total()
                    && is_same_meaning(bytes, &reading, &best)
            };
            reads_alike(other, dialect)
                || met.is_some_and(|met| reads_alike_where(met, other, dialect))
                || unlike()
        })
        .collect();
    Dialect::all()
        .filter(|release| {
            release.family() == dialect.family() && *release != Dialect::PANDEMONIUM_DOCS
        })
        .filter_map(|release| release.with_precision(dialect.precision()))
        .filter(|&release| release == dialect || same.iter().any(|&it| reads_alike(release, it)))
        .collect()
}

/// Whether two dialects differ only in how they print, in the containers they open, and in builds that are not theirs.
fn reads_alike(a: Dialect, b: Dialect) -> bool {
    a.precision() == b.precision()
        && a.rows().len() == b.rows().len()
        && quirks_of_reading(a) == quirks_of_reading(b)
}

/// Whether two dialects of a family treat the contents the same way. (A container need not hold the type it names: then
/// all types count.)
fn reads_alike_where(met: Met, a: Dialect, b: Dialect) -> bool {
    let quirks = |dialect| {
        let mut quirks = quirks_of_reading(dialect);
        if !met.has_typed() {
            (quirks.typed_arrays, quirks.typed_dictionaries) = (false, false);
        }
        if !met.has(VariantType::Object) {
            quirks.script_by_path = false;
            quirks.null_object = NullObject::Nil;
        }
        quirks
    };
    a.precision() == b.precision()
        && VariantType::ALL
            .iter()
            .all(|it| !(met.has_typed() || met.has(*it)) || a.type_id(*it) == b.type_id(*it))
        && quirks(a) == quirks(b)
}

/// Returns the quirks of a dialect that matter for reading its packets.
fn quirks_of_reading(dialect: Dialect) -> Quirks {
    // Godot 3.2 takes an array with a NaN for two keys, which is no reason to read everything once more.
    let same_keys = match dialect.quirks().same_keys {
        SameKeys::Godot3_2 => SameKeys::Godot3,
        keys => keys,
    };
    Quirks {
        text: TextStyle::Godot3,
        same_keys,
        brotli_files: false,
        real_flag_missing: dialect.quirks().real_flag_missing
            && dialect.precision() == Precision::Double,
        ..*dialect.quirks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_that_an_empty_array_says_it_holds_is_one_that_the_release_has() {
        // An empty array of PackedVector4Array, which Godot 4.3 brought.
        let bytes = [28, 0, 1, 0, 38, 0, 0, 0, 0, 0, 0, 0];
        let met = Attempt::of(&bytes, Dialect::GODOT4_3, Framing::Bare).met;
        assert!(met.has_typed() && !met.has(VariantType::PackedVector4Array));
        assert!(!reads_alike_where(met, Dialect::GODOT4_2, Dialect::GODOT4_3));
        assert!(reads_alike_where(Met::default(), Dialect::GODOT4_2, Dialect::GODOT4_3));
    }

    #[test]
    fn releases_that_read_alike_are_tried_once() {
        let names = |family, releases| {
            dialects(family, releases).into_iter().map(Dialect::name).collect::<Vec<_>>()
        };
        assert_eq!(names(Family::Godot2, Releases::Usual), ["godot2", "godot2.0"]);
        let godot3 = ["godot3.6", "godot3.4", "godot3.1", "godot3.0"];
        assert_eq!(names(Family::Godot3, Releases::Usual), godot3);
        let godot4 = ["godot4.7", "godot4.3", "godot4.2", "godot4.7-double"];
        let doubles = ["godot4.3-double", "godot4.2-double"];
        assert_eq!(names(Family::Godot4, Releases::Usual), [&godot4[..], &doubles].concat());
        assert_eq!(names(Family::Godot4, Releases::Unmarked), ["godot4.1-double"]);
        assert_eq!(names(Family::Pandemonium5, Releases::Usual), ["pandemonium5"]);
        assert!(names(Family::Pandemonium5, Releases::Unmarked).is_empty());
    }
}
