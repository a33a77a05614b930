//! The score of the fuzz kit: how many of the mistakes that are planted in
//! `examples/defective_decoder` it finds, each alone, and after how many cases.
//!
//! An ordinary run tries every eighth defect with one seed, with FORMWORK_WHOLE_SCORE=1 all of them. The
//! table in `SCORE.md` is written by
//!
//!     FORMWORK_WRITE_SCORE=1 cargo test --release -p formwork-cli --test defects -- --nocapture

mod contrast;
mod decoder;
mod pair;
mod score;
mod table;

use formwork::Format;

use decoder::{Defect, FORMATS};
use score::{Hunt, all};

/// Cases within which every defect has to be found.
const MOST: u64 = 100_000;

/// Cases in the middle of all defects, at most.
const MEDIAN: u64 = 2_000;

/// Whether the table is to be written anew.
fn is_writing() -> bool {
    std::env::var_os("FORMWORK_WRITE_SCORE").is_some()
}

/// Whether all defects are wanted, however long that takes.
fn is_whole() -> bool {
    std::env::var_os("FORMWORK_WHOLE_SCORE").is_some()
}

#[test]
fn every_planted_defect_is_found_and_half_of_them_at_once() {
    let defects = decoder::list();
    assert!(defects.len() >= 50, "there are only {} defects", defects.len());
    let seeds: &[u64] = if is_writing() { &[1, 2, 3, 4, 5] } else { &[1] };
    let mut hunts = hunts(&defects, seeds);
    if !is_writing() && !is_whole() {
        hunts = hunts.into_iter().step_by(8).collect();
    }
    let found = all(&hunts, MOST);
    let rows = table::rows(&defects, &hunts, &found);
    println!("{}", table::text(&rows));
    if is_writing() {
        let raw = contrast::found(&defects, MOST);
        table::write(&rows, &raw, defects.len());
    }
    let missed: Vec<String> = hunts
        .iter()
        .zip(&found)
        .filter(|(_, found)| found.is_none())
        .map(|(hunt, _)| hunt.to_string())
        .collect();
    assert!(missed.is_empty(), "{} are not found: {}", missed.len(), missed.join(", "));
    let median = table::median(&rows);
    assert!(median <= MEDIAN, "the median is {median} cases");
}

/// The table that is committed has the columns and the rows' form that the command writes.
#[test]
fn the_score_is_in_the_form_that_its_command_writes() {
    let defects = decoder::list();
    let hunts = hunts(&defects[..1], &[1]);
    let found = vec![None; hunts.len()];
    let written = table::page(&table::rows(&defects, &hunts, &found), 0, defects.len());
    let committed = include_str!("SCORE.md");
    let table = |page: &str| -> Vec<String> {
        page.lines().filter(|line| line.starts_with('|')).map(str::to_owned).collect()
    };
    let (written, committed) = (table(&written), table(committed));
    assert_eq!(written[..2], committed[..2]);
    for row in written[2..].iter().chain(&committed[2..]) {
        assert_eq!(row.matches('|').count(), 5, "{row}");
    }
}

#[test]
fn a_decoder_without_defects_is_found_nothing_wrong_with() {
    let count = if is_writing() {
        1_000_000
    } else if is_whole() {
        20_000
    } else {
        5_000
    };
    let hunts: Vec<_> =
        FORMATS.iter().map(|&format| Hunt { format, defect: None, seed: 77 }).collect();
    for (hunt, found) in hunts.iter().zip(all(&hunts, count)) {
        assert!(found.is_none(), "{hunt}: {found:?}");
        println!("{}: nothing in {count} cases", hunt.format);
    }
}

/// Each defect in each format in which it shows, with each seed.
fn hunts<'d>(defects: &'d [Defect], seeds: &[u64]) -> Vec<Hunt<'d>> {
    let mut hunts = Vec::new();
    for defect in defects {
        for &format in &defect.formats {
            for &seed in seeds {
                hunts.push(Hunt { format, defect: Some(&defect.name), seed });
            }
        }
    }
    hunts
}

#[test]
fn every_defect_has_a_name_of_its_own_a_format_and_a_description() {
    let defects = decoder::list();
    let mut names: Vec<_> = defects.iter().map(|defect| defect.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), defects.len());
    assert!(defects.iter().all(|defect| !defect.formats.is_empty()));
    assert!(defects.iter().all(|defect| !defect.description.is_empty()));
    assert!(FORMATS.contains(&Format::Alb1));
}
