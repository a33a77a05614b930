//! Lists of objects: the objects of a layer as text that other programs read and write.
//!
//! Three forms: the text that Terrain Builder exports and imports, CSV, and GeoJSON; [`Form`] describes the content of
//! each. [`Writer`] writes any of them, an object at a time. [`TextReader`], [`CsvReader`] and [`lines_of`] read them
//! back.
//!
//! ```
//! use formwork_terrain::object_list::{Form, Line, TextReader, Writer};
//!
//! let text = b"\"rock_02\";200105.25;1012.5;90;0;0;1;-0.25";
//! let lines: Vec<Line> = TextReader::new(text).collect::<Result<_, _>>()?;
//! assert_eq!(lines[0].entry.placement.yaw, 90.0);
//!
//! let mut writer = Writer::new(Vec::new(), Form::Text)?;
//! writer.write(&lines[0].entry)?;
//! let text = "\"rock_02\";200105.250000;1012.500000;90.000000;0.000000;0.000000;1.000000;-0.250000;\n";
//! assert_eq!(writer.finish()?, text.as_bytes());
//! # Ok::<(), formwork::Error>(())
//! ```

mod csv;

mod filter;

mod feature_reader;
mod foreign;
mod form;
mod geojson;

mod import;

mod known_again;

mod layer;

mod layer_column;
mod number;
mod other_names;
mod placement;
pub mod rule;
mod text_reader;
mod text_writer;
mod writer;

use std::borrow::Cow;

pub use crate::mode::Mode;

pub use self::csv::CsvReader;
pub use feature_reader::lines_of;
pub use foreign::foreign;
pub use form::Form;

pub use filter::Filter;

pub(crate) use import::impossible;
pub use import::{Import, Imported};

pub use layer::{Exported, LayerObjects};
pub(crate) use layer::{name_of, templates_of};

pub use layer_column::keep_lines_of_layer;
pub use other_names::meant;
pub(crate) use other_names::{OtherNames, question};
pub use placement::Placement;
pub use text_reader::TextReader;
pub use writer::Writer;

/// An object as a list has it. Names are bytes in Windows-1252, as in [`Text`](formwork_alb1::Text).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry<'a> {
    /// The name of its layer; [`None`] if the list does not have it.
    pub layer: Option<Cow<'a, [u8]>>,
    /// Its id in the layer; [`None`] if the list does not have it.
    pub id: Option<u32>,
    /// The name of its template, or [`marked`] if only the hash is known.
    pub template: Cow<'a, [u8]>,
    /// The name of the template's library; [`None`] if the list does not have it.
    pub library: Option<Cow<'a, [u8]>>,
    /// Its seven numbers.
    pub placement: Placement,
    /// Whether the list does not have its height. The placement then has the height 0, of the ground.
    pub no_height: bool,
}

/// An object from a list, and its position there.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// The number of the line, from 1; in GeoJSON that of the feature.
    pub number: u64,
    /// The offset of the line from the start of the list; 0 in GeoJSON.
    pub offset: u64,
    /// The object.
    pub entry: Entry<'a>,
}

/// Returns the replacement for the name of a template of which only the hash is known: `#` and the hash in eight
/// hexadecimal digits.
///
/// ```
/// use formwork_terrain::object_list::{marked, marked_hash};
///
/// assert_eq!(marked(0x0123_ABCD), "#0123abcd");
/// assert_eq!(marked_hash(b"#0123abcd"), Some(0x0123_ABCD));
/// assert_eq!(marked_hash(b"rock_02"), None);
/// ```
#[must_use]
pub fn marked(hash: u32) -> String {
    format!("#{hash:08x}")
}

/// Returns the hash in a name made by [`marked`].
#[must_use]
pub fn marked_hash(name: &[u8]) -> Option<u32> {
    let digits = name.strip_prefix(b"#").filter(|digits| digits.len() == 8)?;
    let digits = std::str::from_utf8(digits).ok()?;
    // `from_str_radix` would accept a plus, too.
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}
