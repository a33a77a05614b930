//! Compressed and encrypted files as a page, from their declarations.

use crate::wrapper::{CfbHead, CompressedFile, CompressedHead, EcbHead, Layer};
use formwork_records::page::collect::Collected;
use formwork_records::page::{Page, line};
use formwork_records::schema::Schema;
use formwork_variant::dialect::Dialect;

/// The engines' compressed and encrypted files as a page in Markdown: layers and which engine has
/// them, records. Everything on it is read from the declarations that reader and writer use.
#[must_use]
pub fn container_page() -> String {
    let files = [CompressedFile::LAYOUT, CompressedHead::LAYOUT, EcbHead::LAYOUT, CfbHead::LAYOUT];
    let mut page = Page { collected: Collected::of(files), text: String::new() };
    line!(page, "# Compressed and encrypted files\n");
    line!(page, "What engines put around frames or text. All numbers are little endian.\n");
    layers(&mut page);
    page.records();
    page.text
}

fn layers(page: &mut Page) {
    line!(page, "## Layers\n");
    line!(page, "| Layer | Mode | Starts with | Read by | Written by |");
    line!(page, "| --- | ---: | --- | --- | --- |");
    for layer in Layer::all() {
        let (mode, head) = match layer {
            Layer::Compressed(compression) => (compression.mode().to_string(), "GCPF"),
            Layer::Encrypted(_) => (String::new(), "GDEC"),
            Layer::Stream(_) => continue,
        };
        let read = dialects(|dialect| layer.is_read_by(dialect));
        let written = match dialects(|dialect| layer.is_written_by(dialect)) {
            written if written == read => "the same".to_owned(),
            written if written.is_empty() => "none".to_owned(),
            written => written,
        };
        line!(page, "| `{layer}` | {mode} | `{head}` | {read} | {written} |");
    }
    line!(page, "");
}

/// Returns the dialects for which `have` is true, as ranges within their families. (The documented form of Pandemonium
/// belongs to no engine.)
fn dialects(have: impl Fn(Dialect) -> bool) -> String {
    let engines = Dialect::all().filter(|&dialect| dialect != Dialect::PANDEMONIUM_DOCS);
    let all: Vec<Dialect> = engines.filter(|&dialect| have(dialect)).collect();
    let families = all.chunk_by(|one, next| one.family() == next.family());
    let ranges = families.filter_map(|range| match range {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first} to {last}")),
    });
    ranges.collect::<Vec<_>>().join(", ")
}
