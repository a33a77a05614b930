//! Packs as a page, from their declarations.

use crate::pack::{
    FlaggedPackDirectory, FlaggedPackHead, PackDirectory, PackTrailer, PlacedPackHead,
    PlainPackHead, SealedDirectory, rule,
};
use formwork_records::page::collect::Collected;
use formwork_records::page::{Page, line};
use formwork_records::schema::Schema;

/// The packs of exported games as a page in Markdown: versions, records, rules. Everything on it is read from the
/// declarations that reader and writer use.
#[must_use]
pub fn pack_page() -> String {
    let records = [
        PlainPackHead::LAYOUT,
        FlaggedPackHead::LAYOUT,
        PlacedPackHead::LAYOUT,
        PackDirectory::LAYOUT,
        FlaggedPackDirectory::LAYOUT,
        SealedDirectory::LAYOUT,
        PackTrailer::LAYOUT,
    ];
    let mut page = Page { collected: Collected::of(records), text: String::new() };
    line!(page, "# Packs of exported games\n");
    line!(page, "A directory of files and their contents. All numbers are little endian.\n");
    line!(page, "## Versions\n");
    line!(page, "| Version | Head | Directory | Where the directory is |");
    line!(page, "| --- | --- | --- | --- |");
    for (version, head, directory, place) in [
        ("0, 1", PlainPackHead::LAYOUT, PackDirectory::LAYOUT, "behind the head"),
        ("2", FlaggedPackHead::LAYOUT, FlaggedPackDirectory::LAYOUT, "behind the head"),
        ("3, 4", PlacedPackHead::LAYOUT, FlaggedPackDirectory::LAYOUT, "where the head says"),
    ] {
        line!(page, "| {version} | `{head}` | `{directory}` | {place} |");
    }
    line!(page, "");
    page.records();
    page.words();
    line!(page, "## Rules\n");
    line!(page, "| Rule | What it demands |");
    line!(page, "| --- | --- |");
    for rule in rule::ALL {
        line!(page, "| `{rule}` | {} |", rule.description());
    }
    page.text
}
