//! Reductions: smaller candidates for a packet.

use formwork_alb1::Document;
use formwork_godot::inspect::{Inspector, Kind};
use formwork_kit::Format;
use formwork_kit::tree::Tree;
use formwork_variant::Dialect;

use super::samples;

/// Returns whether the bytes are laid out as declared, up to their end.
fn is_whole(bytes: &[u8], dialect: Dialect) -> bool {
    Inspector::new(bytes, dialect).all(|span| span.is_ok_and(|span| span.kind != Kind::Rest))
}

#[test]
fn what_is_laid_out_as_declared_stays_so() {
    for (dialect, bytes) in samples::golden() {
        // The few large packets hold only kinds of values that the small ones hold too.
        if bytes.len() > 1000 || !is_whole(&bytes, dialect) {
            continue;
        }
        for candidate in Tree::of(&bytes, Format::Variant(dialect)).reductions() {
            assert!(candidate.len() <= bytes.len(), "{dialect}:\n{bytes:02x?}\n{candidate:02x?}");
            // Numbers that choose a form (of a NodePath, of an input event) are reduced like other numbers.
            let shorter = candidate.len() < bytes.len();
            assert!(
                !shorter || is_whole(&candidate, dialect),
                "{dialect}:\n{bytes:02x?}\n{candidate:02x?}"
            );
        }
    }
}

#[test]
fn a_whole_file_stays_whole() {
    for bytes in samples::alb1() {
        let tree = Tree::of(&bytes, Format::Alb1);
        for (number, candidate) in tree.reductions().enumerate() {
            // Only some of the many candidates: a file holds some 160 names and the content of its trees.
            if candidate.len() < bytes.len() && number % 7 == 0 {
                Document::from_slice(&candidate).unwrap();
            }
        }
    }
}

/// Reduces further from each candidate that the test accepts.
fn smallest(bytes: &[u8], format: Format, same: impl Fn(&[u8]) -> bool) -> (Vec<u8>, usize) {
    let mut best = bytes.to_vec();
    let mut runs = 0;
    'smaller: loop {
        for candidate in Tree::of(&best, format).reductions() {
            runs += 1;
            if same(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        return (best, runs);
    }
}

#[test]
fn any_loop_over_them_ends() {
    for (format, bytes) in samples::all() {
        if bytes.len() > 400 {
            continue;
        }
        let (all, _) = smallest(&bytes, format, |_| true);
        assert!(all.len() <= 4, "{format}: {bytes:02x?} to {all:02x?}");
        // The test compares the length, so it accepts only simpler candidates of the same length.
        let length = bytes.len();
        let (_, runs) = smallest(&bytes, format, |candidate| candidate.len() == length);
        assert!(runs < 20_000, "{format}: {runs}");
    }
}
