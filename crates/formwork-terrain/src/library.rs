//! Template libraries (`.tml`), read from their XML.

use std::str::FromStr;

use formwork::{Error, Path, PathSegment, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, LibraryTemplate};
use roxmltree::{Document, Node, ParsingOptions};

use crate::encoding::in_utf8;
use crate::rule;

/// Reads a template library. Bytes that are neither UTF-16 nor UTF-8 are read as Windows-1252.
///
/// # Errors
///
/// [`TEMPLATE_LIBRARY_XML`](rule::TEMPLATE_LIBRARY_XML) if the bytes are not well-formed XML, if the root is not
/// `<Library>`, or if a number is invalid. The offset counts in the bytes (of UTF-16, in the same text in UTF-8). Also returns the
/// errors of [`in_utf8`].
///
/// ```
/// let library = formwork_terrain::library(b"<Library name='trees'/>")?;
/// assert_eq!(library.name, "trees");
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn library(bytes: &[u8]) -> Result<Library> {
    let bytes = &*in_utf8(bytes)?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(xml) => read(xml),
        Err(_) => read(&Text::from_bytes(bytes).to_str()),
    }
}

fn read(xml: &str) -> Result<Library> {
    // Document types are refused: a library needs none, and entities could expand without bounds.
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(xml, options).map_err(|error| {
        let at = offset_of(xml, error.pos().row, error.pos().col);
        Error::new(rule::TEMPLATE_LIBRARY_XML, at, "well-formed XML", error.to_string())
    })?;
    let root = document.root_element();
    if !root.has_tag_name("Library") {
        let found = format!("<{}>", root.tag_name().name());
        return Err(wrong(&root, "<Library>", found));
    }
    let templates = root.children().filter(|node| node.has_tag_name("Template"));
    let templates = templates.enumerate().map(|(index, node)| {
        template(&node).map_err(|error| {
            let steps = vec![PathSegment::Field("templates"), PathSegment::Index(index as u64)];
            error.under(Path::from(steps))
        })
    });
    Ok(Library {
        name: text(root.attribute("name").unwrap_or_default()),
        templates: templates.collect::<Result<_>>()?,
    })
}

fn template(node: &Node<'_, '_>) -> Result<LibraryTemplate> {
    let child = |name| node.children().find(|child| child.has_tag_name(name));
    let content = |name| child(name).and_then(|child| child.text()).unwrap_or_default();
    Ok(LibraryTemplate {
        name: text(content("Name").trim_matches(['\r', '\n', '\t'])),
        file: text(content("File").trim()),
        fill: child("Fill").map(|child| number(&child)).transpose()?.flatten().map(Into::into),
        hash: child("Hash").map(|child| number(&child)).transpose()?.flatten(),
    })
}

/// Returns the 32 bits of a number, which is written with or without a sign; [`None`] if the text is empty.
fn number(node: &Node<'_, '_>) -> Result<Option<u32>> {
    let text = node.text().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let number = i32::from_str(text).map(|number| number as u32).or_else(|_| text.parse());
    number.map(Some).map_err(|_| wrong(node, "a number of 32 bits", format!("{text:?}")))
}

fn wrong(node: &Node<'_, '_>, expected: &str, found: String) -> Error {
    Error::new(rule::TEMPLATE_LIBRARY_XML, node.range().start as u64, expected, found)
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap_or_else(|| Text::from_bytes(text.as_bytes()))
}

/// Returns the offset of a row and column, which count from 1.
fn offset_of(xml: &str, row: u32, column: u32) -> u64 {
    let before = xml.split_inclusive('\n').take(row.saturating_sub(1) as usize);
    let line: usize = before.map(str::len).sum();
    let rest = xml.get(line..).unwrap_or_default().chars();
    let within: usize = rest.take(column.saturating_sub(1) as usize).map(char::len_utf8).sum();
    (line + within) as u64
}
