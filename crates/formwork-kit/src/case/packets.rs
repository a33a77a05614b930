//! Real packets and files, changed.

use crate::Format;
use arbitrary::{Result, Unstructured};
use formwork_alb1::Document;
use formwork_records::generate::choice::{below, one_of};
use formwork_variant::Error;
use formwork_variant::Real;
use formwork_variant::codec::{Decoder, Strictness};
use formwork_variant::dialect::{Dialect, Precision};

use super::{Broken, Case, Profile, Reading};
use crate::tree::{Tree, mutate};

/// Changes one of the packets in a few ways, with values from the others; what comes of it is found out
/// with our own readers. Whether there is such a case of one of the wanted profiles.
pub(super) fn changed(
    u: &mut Unstructured<'_>,
    packets: &[Tree],
    reading: &Reading,
    wanted: &[Profile],
    case: &mut Case,
) -> Result<bool> {
    let mut tree = one_of(u, packets)?.clone();
    // Mostly one change, seldom many: what stays is what the packet is worth.
    let changes = [1, 1, 1, 1, 2, 2, 3, 4, 8].get(below(u, 9)?).copied().unwrap_or(1);
    for _ in 0..changes {
        mutate(&mut tree, u, packets)?;
    }
    let bytes = tree.write();
    let (profile, subject, broken) = judged(&bytes, reading);
    if !wanted.contains(&profile) {
        return Ok(false);
    }
    case.profile = profile;
    case.subject = subject;
    case.broken = broken;
    case.bytes.extend_from_slice(&bytes);
    Ok(true)
}

/// Classifies the bytes with this crate's decoders. Refused bytes may break any number of rules, and so count as
/// hostile.
fn judged(bytes: &[u8], reading: &Reading) -> (Profile, &'static str, Option<Broken>) {
    match reading.format {
        Format::Variant(dialect) => {
            let objects = reading.allow_objects;
            let [engine, canonical] = match dialect.precision() {
                Precision::Single => verdicts::<f32>(bytes, dialect, objects),
                Precision::Double => verdicts::<f64>(bytes, dialect, objects),
            };
            let profile = match (engine, canonical) {
                (Some(_), _) => Profile::Hostile,
                (None, Some(_)) => Profile::Edge,
                (None, None) => Profile::Valid,
            };
            (profile, subject(bytes, dialect), engine.or(canonical))
        }
        Format::Alb1 => match Document::from_slice(bytes) {
            Ok(document) if document.to_vec().is_ok_and(|again| again == bytes) => {
                (Profile::Valid, "Document", None)
            }
            Ok(_) => (Profile::Edge, "Document", None),
            Err(error) => (Profile::Hostile, "Document", Some(broken(&error))),
        },
    }
}

/// Returns the rule that each strictness reports: the engine's, then the canonical one.
pub(super) fn verdicts<R: Real>(
    bytes: &[u8],
    dialect: Dialect,
    objects: bool,
) -> [Option<Broken>; 2] {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(objects);
    let engine = decoder.decode_prefix(bytes);
    let canonical = decoder.strictness(Strictness::Canonical).decode(bytes);
    [engine.err(), canonical.err()].map(|error| error.as_ref().map(broken))
}

fn broken(error: &Error) -> Broken {
    Broken { rule: error.rule(), offset: error.offset() }
}

/// The type that the header word names.
pub(super) fn subject(bytes: &[u8], dialect: Dialect) -> &'static str {
    let word = bytes.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    let id = word.map(|word| dialect.quirks().type_id(word));
    id.and_then(|id| dialect.row(id)).map_or("header", |row| row.name)
}
