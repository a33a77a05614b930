//! The score of the fuzz kit: how many of the mistakes planted in `examples/defective_decoder` it finds, each
//! alone.
//!
//! The data of the suite shows nearly all mistakes; campaigns have to find the others. With
//! FORMWORK_THOROUGH=1, a campaign has to find each mistake.

mod data;
mod decoder;
mod pair;
mod score;
mod smoke;
mod table;

use std::path::Path;

use formwork_kit::Format;

use data::Line;
use decoder::{Defect, FORMATS};
use score::{Hunt, all};
use table::Row;

/// The number of cases in which a campaign has to find a defect.
const MOST: u64 = 100_000;

/// Defects that no single packet shows: growing memory and excessive cost.
const COSTLY: [&str; 5] =
    ["leak", "strings-quadratic", "keys-quadratic", "count-reserve-nested", "alb1-tags-quadratic"];

/// Returns whether campaigns are wanted for all defects, however long they take.
fn is_whole() -> bool {
    formwork_testkit::is_thorough()
}

/// Checks that a decoder without a defect passes every line, and that every defect except the costly ones
/// fails a line, which SCORE.md names.
#[cfg(target_os = "linux")]
#[test]
fn the_data_of_the_suite_shows_every_planted_defect_that_is_not_costly() {
    let defects = decoder::list();
    let mut rows = Vec::new();
    for format in FORMATS {
        let lines = data::lines(data::file(format));
        assert_eq!(data::shown(format, None, &lines), None, "{format}: a decoder without a defect");
        let shown = shown(&defects, format, &lines);
        // The tier `smoke` comes first, and shows each of them.
        let smoke = lines.iter().take_while(|line| line.tier == "smoke").count();
        let late =
            shown.iter().filter(|row| row.shown.as_ref().is_some_and(|it| it.packets > smoke));
        let late: Vec<_> = late.map(|row| row.defect).collect();
        assert!(late.is_empty(), "{format}: FORMWORK_WRITE_SMOKE=1 for {late:?}");
        rows.extend(shown);
    }
    let missed: Vec<_> = rows.iter().filter(|row| row.shown.is_none()).collect();
    let unexpected: Vec<_> = missed.iter().map(|row| row.defect).collect();
    for row in &missed {
        assert!(COSTLY.contains(&row.defect), "not shown: {unexpected:?}");
    }
    for costly in COSTLY {
        assert!(unexpected.contains(&costly), "{costly} is shown by data: no campaign is needed");
    }
    let page = table::page(&rows);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects/SCORE.md");
    if std::env::var_os("FORMWORK_WRITE_SCORE").is_some() {
        std::fs::write(path, page).expect("the page can be written");
    } else {
        let written = std::fs::read_to_string(path).expect("the page is there");
        let stale = written.lines().zip(page.lines()).find(|(written, now)| written != now);
        assert_eq!(stale, None, "SCORE.md is stale: write it anew by the command in it");
        assert_eq!(written.lines().count(), page.lines().count(), "SCORE.md is stale");
    }
}

/// Returns the first line that each defect of a format fails.
fn shown<'d>(defects: &'d [Defect], format: Format, lines: &[Line]) -> Vec<Row<'d>> {
    let names = defects.iter().filter(|defect| defect.formats.contains(&format));
    let names: Vec<&str> = names.map(|defect| defect.name.as_str()).collect();
    let shown = data::each(&names, |defect| data::shown(format, Some(defect), lines));
    let rows = names.into_iter().zip(shown);
    rows.map(|(defect, shown)| Row { defect, format, shown }).collect()
}

/// Checks that the tier `smoke` is a few lines, and comes first.
///
/// They are a greedy cover of the defects, which FORMWORK_WRITE_SMOKE=1 makes anew.
#[cfg(target_os = "linux")]
#[test]
fn the_smoke_lines_of_the_suite_are_few_and_come_first() {
    for format in FORMATS {
        let lines = data::lines(data::file(format));
        if std::env::var_os("FORMWORK_WRITE_SMOKE").is_some() {
            let defects = decoder::list();
            let names = defects.iter().filter(|defect| defect.formats.contains(&format));
            let names = names.map(|defect| defect.name.as_str());
            let names: Vec<&str> = names.filter(|name| !COSTLY.contains(name)).collect();
            let list =
                smoke::cover(&lines, &data::each(&names, |name| data::every(format, name, &lines)));
            let name = format!("../formwork-kit/src/suite/smoke/{}.txt", decoder::name(format));
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            std::fs::write(path, list).expect("the list can be written");
            continue;
        }
        let count = lines.iter().take_while(|line| line.tier == "smoke").count();
        let others = &lines[count..];
        assert!(others.iter().all(|line| line.tier != "smoke"), "{format}: they come first");
        assert!((30..=68).contains(&count), "{format}: {count} lines");
    }
}

/// Checks that the names of the lines are unique and ASCII.
#[test]
fn every_line_of_the_suite_has_a_name_of_its_own() {
    for format in FORMATS {
        let file = data::file(format);
        assert!(file.is_ascii());
        let lines = data::lines(file);
        let names: std::collections::HashSet<_> = lines.iter().map(|line| &line.id).collect();
        assert!(lines.len() > 1000, "{format}: {}", lines.len());
        assert_eq!(names.len(), lines.len(), "{format}");
        assert_eq!(data::made(format), file, "{format}: another file the second time");
    }
}

#[test]
#[ignore = "takes minutes; .ci/long has the time"]
fn campaigns_find_the_planted_defects_that_are_costly() {
    let defects = decoder::list();
    let is_wanted = |defect: &&Defect| is_whole() || COSTLY.contains(&defect.name.as_str());
    let hunts: Vec<Hunt<'_>> = defects
        .iter()
        .filter(is_wanted)
        .flat_map(|defect| {
            let hunt =
                |format: &Format| Hunt { format: *format, defect: Some(&defect.name), seed: 1 };
            defect.formats.iter().map(hunt)
        })
        .collect();
    assert!(hunts.len() >= 9);
    let found = all(&hunts, MOST);
    let missed = hunts.iter().zip(&found).filter(|(_, found)| found.is_none());
    let missed: Vec<String> = missed.map(|(hunt, _)| hunt.to_string()).collect();
    assert!(missed.is_empty(), "{} are not found: {}", missed.len(), missed.join(", "));
}

#[test]
fn a_decoder_without_defects_is_found_nothing_wrong_with() {
    let count = formwork_testkit::rounds(500, 20_000);
    let hunts: Vec<_> =
        FORMATS.iter().map(|&format| Hunt { format, defect: None, seed: 77 }).collect();
    for (hunt, found) in hunts.iter().zip(all(&hunts, count)) {
        assert!(found.is_none(), "{hunt}: {found:?}");
        println!("{}: nothing in {count} cases", hunt.format);
    }
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
}
