//! Real packets and files, changed.

use crate::Format;
use arbitrary::{Result, Unstructured};
use formwork_alb1::Document;
use formwork_records::generate::choice::{below, one_of};
use formwork_variant::Error;
use formwork_variant::Real;
use formwork_variant::codec::{Decoder, Strictness};
use formwork_variant::dialect::{Dialect, Precision};

use super::alb1::quadtree_fault;
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
    let [engine, canonical] = verdicts(bytes, reading);
    let (subject, is_canonical) = match reading.format {
        Format::Variant(dialect) => (subject(bytes, dialect), canonical.is_none()),
        Format::Alb1 => {
            let again = Document::from_slice(bytes).and_then(|document| document.to_vec());
            ("Document", again.is_ok_and(|again| again == bytes))
        }
    };
    let profile = match engine {
        Some(_) => Profile::Hostile,
        None if is_canonical => Profile::Valid,
        None => Profile::Edge,
    };
    (profile, subject, engine.or(canonical))
}

/// Returns the rule that each strictness reports: the engine's, then the canonical one. ALB1 has no canonical strictness:
/// the second rule of a file is that of its quadtree, which the reader of files takes for raw bytes.
pub(super) fn verdicts(bytes: &[u8], reading: &Reading) -> [Option<Broken>; 2] {
    let errors = match reading.format {
        Format::Variant(dialect) => match dialect.precision() {
            Precision::Single => errors::<f32>(bytes, dialect, reading.allow_objects),
            Precision::Double => errors::<f64>(bytes, dialect, reading.allow_objects),
        },
        Format::Alb1 => {
            return match Document::from_slice(bytes) {
                Ok(document) => [None, quadtree_fault(&document)],
                Err(error) => [Some(broken(&error)), None],
            };
        }
    };
    errors.map(|error| error.as_ref().map(broken))
}

fn errors<R: Real>(bytes: &[u8], dialect: Dialect, objects: bool) -> [Option<Error>; 2] {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(objects);
    let engine = decoder.decode_prefix(bytes);
    let canonical = decoder.strictness(Strictness::Canonical).decode(bytes);
    [engine.err(), canonical.err()]
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
