//! Cases for tests of other readers, and what is said of them.

use arbitrary::Unstructured;

use formwork_alb1::Document;
use formwork_kit::Format;
use formwork_kit::case::{Case, Profile, Reading};
use formwork_variant::generate::Config;

/// What is valid or odd is accepted and written back as it was, what breaks a rule is refused for it
/// at the byte that was said, and reading anything ends.
pub fn case(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let (profile, check): (_, fn(&Case)) = match u.int_in_range(0..=3_u8).unwrap_or_default() {
        0 => (Profile::Valid, accepted),
        1 => (Profile::Edge, accepted),
        2 => (Profile::NearValid, refused),
        _ => (Profile::Hostile, read),
    };
    let reading = Reading { format: Format::Alb1, allow_objects: false };
    Case::of_bytes(&mut u, &reading, profile, &Config::default()).iter().for_each(check);
}

fn accepted(made: &Case) {
    match Document::from_slice(&made.bytes) {
        Ok(document) => assert_eq!(document.to_vec().as_deref(), Ok(&made.bytes[..])),
        Err(error) => panic!("{}: {error}: {:02x?}", made.subject, made.bytes),
    }
}

fn refused(made: &Case) {
    let error = match Document::from_slice(&made.bytes) {
        Ok(_) => panic!("{made:02x?} was accepted"),
        Err(error) => error,
    };
    let broken = made.broken.map(|broken| (broken.rule, broken.offset));
    assert_eq!(broken, Some((error.rule(), error.offset())), "{error}: {:02x?}", made.bytes);
}

fn read(made: &Case) {
    if Document::from_slice(&made.bytes).is_ok() {
        accepted(made);
    }
}
