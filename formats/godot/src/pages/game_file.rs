//! Compiled scripts and binary resources as pages, from their declarations.

use crate::resource::{ResourceFile, ValueWord, resource_payloads};
use crate::script::{ScriptContent, ScriptContent100, ScriptFile, ScriptHead};
use formwork_records::page::collect::Collected;
use formwork_records::page::{Page, line};
use formwork_records::schema::{Layout, Schema};

/// Compiled scripts as a page in Markdown. Everything on it is read from the declarations that the reader uses.
#[must_use]
pub fn script_page() -> String {
    let files =
        [ScriptFile::LAYOUT, ScriptHead::LAYOUT, ScriptContent::LAYOUT, ScriptContent100::LAYOUT];
    let heading = "# Compiled scripts\n";
    let text = "What Godot compiles `.gd` files to (`.gdc`). All numbers are little endian.\n";
    page(heading, text, files)
}

/// Binary resources and scenes as a page in Markdown. Everything on it is read from the declarations that the
/// reader uses.
#[must_use]
pub fn resource_page() -> String {
    let heading = "# Binary resources and scenes\n";
    let text = "What Godot and Pandemonium store in `.res`, `.scn` and other binary resource files. Numbers are \
                little endian, or all behind the first word big endian, if that word is not 0. A packet is here \
                a value: a [ValueWord](#valueword) with the number of its type, and what stands behind it: a \
                record of this page, or numbers in a row.\n";
    let payloads = resource_payloads().filter(|shape| matches!(shape, Layout::Record(_)));
    page(heading, text, [ResourceFile::LAYOUT, ValueWord::LAYOUT].into_iter().chain(payloads))
}

fn page(heading: &str, text: &str, shapes: impl IntoIterator<Item = Layout>) -> String {
    let mut page = Page { collected: Collected::of(shapes), text: String::new() };
    line!(page, "{heading}");
    line!(page, "{text}");
    page.records();
    page.words();
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}
