//! The ALB1 format as a page, from its declarations.

use crate::FieldType;
use crate::record::{FieldRecord, FileRecord, RawArrayRecord};
use crate::terrain::{CLASSES, Class, Content, Known};
use crate::tree::{Group, Leaf, Node, Object};
use formwork_records::page::collect::Collected;
use formwork_records::page::words::{anchor, clean};
use formwork_records::page::{Page, line};
use formwork_records::schema::{Layout, Schema};

/// Every layout of the format, in the order of the page.
pub fn alb1_shapes() -> Vec<Layout> {
    let values = FieldType::ALL.iter().filter_map(|field_type| field_type.layout());
    [FileRecord::LAYOUT, FieldRecord::LAYOUT]
        .into_iter()
        .chain(values)
        .chain([RawArrayRecord::LAYOUT])
        .chain([Node::<f64>::LAYOUT, Node::<f32>::LAYOUT, Leaf::<f64>::LAYOUT, Leaf::<f32>::LAYOUT])
        .chain([Group::LAYOUT, Object::LAYOUT])
        .collect()
}

/// The ALB1 format as a page in Markdown: file, field types, records, words, Terrain Builder's classes.
/// Everything on it is read from the declarations that the reader and the views are made of.
#[must_use]
pub fn alb1_page() -> String {
    let mut page = Page { collected: Collected::of(alb1_shapes()), text: String::new() };
    alb1_introduction(&mut page);
    field_types(&mut page);
    page.records();
    page.words();
    classes(&mut page);
    page.text
}

fn alb1_introduction(page: &mut Page) {
    line!(page, "# ALB1 files\n");
    line!(page, "Projects, object layers and shape layers of Terrain Builder.\n");
    line!(
        page,
        "A file is a [FileRecord](#filerecord). All numbers are little endian; there is no"
    );
    line!(page, "padding, no alignment, and no place in a file is named by its offset.\n");
}

fn field_types(page: &mut Page) {
    line!(page, "## Field types\n");
    line!(page, "A field is a [FieldRecord](#fieldrecord), and a value as its type says.\n");
    line!(page, "| Id | Type | Value | Bytes of the value | In real files | Meaning |");
    line!(page, "| ---: | --- | --- | ---: | --- | --- |");
    for field_type in FieldType::ALL {
        let value = match (field_type.layout(), field_type) {
            (None, _) => "nothing".to_owned(),
            (Some(shape), FieldType::Array) => {
                let raw = page.collected.type_text(RawArrayRecord::LAYOUT);
                format!("{} or {raw}", page.collected.type_text(shape))
            }
            (Some(shape), _) => page.collected.type_text(shape),
        };
        let size = match field_type.layout() {
            None => "0".to_owned(),
            Some(shape) => shape.size().map_or("varies".to_owned(), |size| size.to_string()),
        };
        let seen = if field_type.was_seen() { "yes" } else { "never seen" };
        let (id, doc) = (field_type.id(), clean(field_type.doc()));
        line!(page, "| 0x{id:02X} | {field_type} | {value} | {size} | {seen} | {doc} |");
    }
    line!(page, "");
}

fn classes(page: &mut Page) {
    line!(page, "## Classes\n");
    line!(
        page,
        "The classes of Terrain Builder's dictionary, with their fields in the order of the"
    );
    line!(page, "file. A number in brackets tells fields with the same tag apart.\n");
    for one in CLASSES {
        class(page, one);
    }
}

fn class(page: &mut Page, class: &Class) {
    line!(page, "### {}\n", class.name);
    line!(page, "{}\n", clean(class.doc));
    match class.known {
        Known::Seen => {}
        Known::Reported => line_of(page, "Known only from another program; no real file has one."),
        Known::ByName => {
            line_of(page, "Only its name is known.");
            return;
        }
    }
    line!(page, "| Tag | Type | Content | Meaning |");
    line!(page, "| --- | --- | --- | --- |");
    for field in class.fields {
        let again = match field.occurrence {
            0 => String::new(),
            earlier => format!("[{earlier}]"),
        };
        let (tag, field_type) = (field.tag, field.content.field_type());
        let (content, doc) = (content(&field.content), clean(field.doc));
        line!(page, "| `{tag}{again}` | {field_type} | {content} | {doc} |");
    }
    line!(page, "");
}

fn line_of(page: &mut Page, text: &str) {
    line!(page, "{text}\n");
}

/// Returns a description of the content of a class's field. The declarations nest two or three deep.
fn content(of: &Content) -> String {
    let class = |name: &str| format!("[{name}](#{})", anchor(name));
    match of {
        Content::Plain(field_type) => field_type.to_string(),
        Content::Colour => "a colour".to_owned(),
        Content::Numbers(_, count) => format!("{count} numbers"),
        Content::Path(_) => "a path or name of a file".to_owned(),
        Content::Object(name) => class(name),
        Content::AnyOf(names) => {
            names.iter().map(|name| class(name)).collect::<Vec<_>>().join(" or ")
        }
        Content::List(element) => format!("list of {}", content(element)),
        Content::Pairs(key, data) => format!("pairs: {} to {}", content(key), content(data)),
        Content::Unknown => "never seen with an element".to_owned(),
        Content::Raw => "raw bytes".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_records::page::check_page;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        check_page(&alb1_page(), "alb1");
    }
}
