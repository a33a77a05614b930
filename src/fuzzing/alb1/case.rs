//! Cases for tests of other readers, and what is said of them.

use arbitrary::{Result, Unstructured};

use crate::alb1::Document;
use crate::generate::Config;
use crate::generate::alb1::case::{edge, hostile, near_valid, valid};
use crate::generate::case::Made;

/// What is valid or odd is accepted and written back as it was, what breaks a rule is refused for it
/// at the byte that was said, and reading anything ends.
pub fn case(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let config = Config::default();
    let profile = u.int_in_range(0..=3_u8).unwrap_or_default();
    let made: Result<()> = match profile {
        0 => valid(&mut u, &config).map(|made| accepted(&made)),
        1 => edge(&mut u, &config).map(|made| accepted(&made)),
        2 => near_valid(&mut u, &config).map(|made| made.iter().for_each(refused)),
        _ => hostile(&mut u, &config).map(|made| read(&made)),
    };
    // A seed that is too short is no error.
    assert_eq!(made, Ok(()));
}

fn accepted(made: &Made) {
    match Document::from_slice(&made.bytes) {
        Ok(document) => assert_eq!(document.to_vec().as_deref(), Ok(&made.bytes[..])),
        Err(error) => panic!("{}: {error}: {:02x?}", made.subject, made.bytes),
    }
}

fn refused(made: &Made) {
    let error = match Document::from_slice(&made.bytes) {
        Ok(_) => panic!("{made:02x?} was accepted"),
        Err(error) => error,
    };
    let broken = made.broken.map(|broken| (broken.rule, broken.offset));
    assert_eq!(broken, Some((error.rule(), error.offset())), "{error}: {:02x?}", made.bytes);
}

fn read(made: &Made) {
    if Document::from_slice(&made.bytes).is_ok() {
        accepted(made);
    }
}
