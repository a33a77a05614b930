//! The ALB1 format as a page, from its declarations.

use super::collect::Collected;
use super::page::{Page, line};
use super::words::{anchor, clean};
use crate::alb1::FieldType;
use crate::alb1::record::{FieldRecord, FileRecord, RawArrayRecord};
use crate::alb1::terrain::{CLASSES, Class, Content, Known};
use crate::alb1::tree::{Group, Leaf, Node, Object};
use crate::schema::{Schema, Shape};

/// Every layout of the format, in the order of the page.
pub(crate) fn alb1_shapes() -> Vec<Shape> {
    let values = FieldType::ALL.iter().filter_map(|field_type| field_type.shape());
    [FileRecord::SHAPE, FieldRecord::SHAPE]
        .into_iter()
        .chain(values)
        .chain([RawArrayRecord::SHAPE])
        .chain([Node::<f64>::SHAPE, Node::<f32>::SHAPE, Leaf::<f64>::SHAPE, Leaf::<f32>::SHAPE])
        .chain([Group::SHAPE, Object::SHAPE])
        .collect()
}

/// The ALB1 format as a page in Markdown: file, field types, records, words, Terrain Builder's classes.
/// Everything on it is read from the declarations that the reader and the views are made of.
#[must_use]
pub fn alb1_page() -> String {
    let mut page = Page { collected: Collected::of(alb1_shapes()), text: String::new() };
    page.alb1_introduction();
    page.field_types();
    page.records();
    page.words();
    page.classes();
    page.text
}

impl Page {
    fn alb1_introduction(&mut self) {
        line!(self, "# ALB1 files\n");
        line!(self, "Projects, object layers and shape layers of Terrain Builder.\n");
        line!(
            self,
            "A file is a [FileRecord](#filerecord). All numbers are little endian; there is no"
        );
        line!(self, "padding, no alignment, and no place in a file is named by its offset.\n");
    }

    fn field_types(&mut self) {
        line!(self, "## Field types\n");
        line!(self, "A field is a [FieldRecord](#fieldrecord), and a value as its type says.\n");
        line!(self, "| Id | Type | Value | Bytes of the value | In real files | Meaning |");
        line!(self, "| ---: | --- | --- | ---: | --- | --- |");
        for field_type in FieldType::ALL {
            let value = match (field_type.shape(), field_type) {
                (None, _) => "nothing".to_owned(),
                (Some(shape), FieldType::Array) => {
                    let raw = self.collected.type_text(RawArrayRecord::SHAPE);
                    format!("{} or {raw}", self.collected.type_text(shape))
                }
                (Some(shape), _) => self.collected.type_text(shape),
            };
            let size = match field_type.shape() {
                None => "0".to_owned(),
                Some(shape) => shape.size().map_or("varies".to_owned(), |size| size.to_string()),
            };
            let seen = if field_type.was_seen() { "yes" } else { "never seen" };
            let (id, doc) = (field_type.id(), clean(field_type.doc()));
            line!(self, "| 0x{id:02X} | {field_type} | {value} | {size} | {seen} | {doc} |");
        }
        line!(self, "");
    }

    fn classes(&mut self) {
        line!(self, "## Classes\n");
        line!(
            self,
            "The classes of Terrain Builder's dictionary, with their fields in the order of the"
        );
        line!(self, "file. A number in brackets tells fields with the same tag apart.\n");
        for class in CLASSES {
            self.class(class);
        }
    }

    fn class(&mut self, class: &Class) {
        line!(self, "### {}\n", class.name);
        line!(self, "{}\n", clean(class.doc));
        match class.known {
            Known::Seen => {}
            Known::Reported => {
                line_of(self, "Known only from another program; no real file has one.")
            }
            Known::ByName => {
                line_of(self, "Only its name is known.");
                return;
            }
        }
        line!(self, "| Tag | Type | Content | Meaning |");
        line!(self, "| --- | --- | --- | --- |");
        for field in class.fields {
            let again = match field.occurrence {
                0 => String::new(),
                earlier => format!("[{earlier}]"),
            };
            let (tag, field_type) = (field.tag, field.content.field_type());
            let (content, doc) = (content(&field.content), clean(field.doc));
            line!(self, "| `{tag}{again}` | {field_type} | {content} | {doc} |");
        }
        line!(self, "");
    }
}

fn line_of(page: &mut Page, text: &str) {
    line!(page, "{text}\n");
}

/// What a field of a class holds. The declarations nest two or three deep.
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
    use super::super::page::tests::check_page;
    use super::*;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        check_page(&alb1_page(), "alb1");
    }
}
