//! Smaller packets by what is in them: the value is read, a part of it left out or made simpler, and
//! the rest written.

use super::attempts::Attempts;
use super::value;
use crate::codec::{Decoder, Encoder};
use crate::dialect::{Dialect, Precision};
use crate::format::Format;
use crate::variant::Real;

/// Tries smaller packets until none is better; whether one was.
pub(super) fn reduce(attempts: &mut Attempts<'_>, format: Format) -> bool {
    match format {
        Format::Alb1 => false,
        Format::Variant(dialect) => match dialect.precision() {
            Precision::Single => reduce_value::<f32>(attempts, dialect),
            Precision::Double => reduce_value::<f64>(attempts, dialect),
        },
    }
}

fn reduce_value<R: Real>(attempts: &mut Attempts<'_>, dialect: Dialect) -> bool {
    let (decoder, encoder) = (Decoder::new(dialect).allow_objects(true), Encoder::new(dialect));
    // Where the next change is looked for: behind one that was of use there often is another.
    let (mut at, mut refused) = (0, 0);
    let mut any = false;
    while attempts.goes_on() {
        let Ok((value, length)) = decoder.decode_prefix::<R>(attempts.best()) else { break };
        let behind = attempts.best().get(length..).unwrap_or_default().to_vec();
        let changes = value::changes(&value);
        let mut better = false;
        while attempts.goes_on() && refused < changes.len() {
            let Some(change) = changes.get(at) else {
                at = 0;
                continue;
            };
            if let Ok(mut packet) = encoder.encode(&change.applied(&value)) {
                packet.extend_from_slice(&behind);
                better = attempts.is_better(packet);
            }
            if better {
                break;
            }
            (at, refused) = (at + 1, refused + 1);
        }
        if !better {
            break;
        }
        (any, refused) = (true, 0);
    }
    any
}
