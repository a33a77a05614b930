//! A value, its bytes, the value again.

use arbitrary::{Arbitrary, Unstructured};

use super::{choose, difference, in_precision, shown};
use formwork::generate::{Config, variant};
use formwork::variant::Real;
use formwork::variant::dialect::Dialect;
use formwork::{Decoder, Encoder, Strictness};

/// A value that is made for a dialect is written, read back the same at both levels of strictness with nothing
/// to note, and written again to the same bytes.
pub fn round_trip(data: &[u8]) {
    let Some((dialect, _, choices)) = choose(data) else { return };
    let mut u = Unstructured::new(choices);
    let Ok(config) = Config::arbitrary(&mut u) else { return };
    in_precision!(dialect, check(&mut u, dialect, &config));
}

fn check<R: Real>(u: &mut Unstructured<'_>, dialect: Dialect, config: &Config) {
    let Ok(value) = variant::<R>(u, dialect, config) else { return };
    let encoder = Encoder::new(dialect).in_precision::<R>();
    let bytes = match encoder.encode(&value) {
        Ok(bytes) => bytes,
        Err(error) => panic!("{dialect} does not write {}: {error}", shown(&value)),
    };
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(config.objects);
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let mut notes = Vec::new();
        match decoder.strictness(strictness).decode_with_warnings(&bytes, &mut notes) {
            Ok((again, length)) => {
                assert_eq!(length, bytes.len(), "{dialect} reads part of {}", shown(&value));
                assert!(notes.is_empty(), "{dialect} notes {notes:?} about {}", shown(&value));
                assert_eq!(difference(&again, &value), None, "{dialect}: {}", shown(&value));
                assert_eq!(encoder.encode(&again).as_ref(), Ok(&bytes), "{dialect}");
            }
            Err(error) => panic!("{dialect} does not read {}: {error}", shown(&value)),
        }
    }
}
