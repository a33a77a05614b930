//! The words of a format, for fuzzers that know nothing of it.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::Format;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::terrain::CLASSES as TERRAIN_CLASSES;
use formwork_alb1::{Document, FieldType, dictionary as alb1};
use formwork_records::generate::number::boundaries;
use formwork_records::schema::{Layout, Schema};
use formwork_variant::codec::Decoder;
use formwork_variant::dialect::Dialect;
use formwork_variant::generate::CLASSES;
use formwork_variant::generate::interesting::{COUNTS, MEANINGFUL, TEXTS};
use formwork_variant::json::Json;
use formwork_variant::text::to_text;

use crate::case::{Cases, Profile, Reading, header_words, simplest};

/// The words of a format, as libFuzzer (`-dict`) and AFL++ (`-x`) read them: header words, counts and
/// numbers at which readers go wrong, odd texts, names, values as text and JSON. They are taken from the
/// declarations.
///
/// ```
/// use formwork_kit::Format;
/// use formwork_kit::dictionary;
///
/// let words = dictionary("godot3".parse::<Format>().unwrap());
/// assert!(words.contains(r#"Vector2="\x05\x00\x00\x00""#));
/// ```
#[must_use]
pub fn dictionary(format: Format) -> String {
    let mut words = Words { text: String::new(), known: HashSet::new() };
    // Writing to a string does not fail.
    let _ = writeln!(words.text, "# Words of {format}, for libFuzzer's -dict and AFL++'s -x.");
    match format {
        Format::Variant(dialect) => words.packets(dialect),
        Format::Alb1 => words.alb1(),
    }
    words.text
}

struct Words {
    text: String,
    known: HashSet<Vec<u8>>,
}

impl Words {
    /// A word, if it is new. The longest that all fuzzers take has 64 bytes.
    fn add(&mut self, name: &str, bytes: &[u8]) {
        if bytes.is_empty() || bytes.len() > 64 || !self.known.insert(bytes.to_vec()) {
            return;
        }
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        self.text.extend(name.chars().map(letter));
        self.text.push_str("=\"");
        for &byte in bytes {
            match byte {
                b'"' | b'\\' => self.text.extend(['\\', char::from(byte)]),
                b' '..=b'~' => self.text.push(char::from(byte)),
                // Writing to a string does not fail.
                _ => drop(write!(self.text, "\\x{byte:02x}")),
            }
        }
        self.text.push_str("\"\n");
    }

    fn title(&mut self, title: &str) {
        // As above.
        let _ = writeln!(self.text, "\n# {title}");
    }

    fn packets(&mut self, dialect: Dialect) {
        self.title("Header words.");
        for row in dialect.rows() {
            for word in header_words(dialect, row) {
                self.add(row.name, &word.to_le_bytes());
            }
        }
        self.counts();
        self.numbers(&[i32::LAYOUT, i64::LAYOUT, f32::LAYOUT, f64::LAYOUT]);
        self.texts();
        self.title("Names, and names behind their lengths.");
        for name in CLASSES.iter().chain(&["script", "object_id", "res://"]) {
            let mut bytes = (name.len() as u32).to_le_bytes().to_vec();
            bytes.extend_from_slice(name.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            self.add("name", name.as_bytes());
            self.add("text", &bytes);
        }
        self.title("Values as text and as JSON.");
        // The precision does not matter: all numbers are zero.
        let decoder = Decoder::new(dialect).allow_objects(true);
        for value in simplest(dialect).filter_map(|packet| decoder.decode(&packet).ok()) {
            self.add("text", to_text(&value, dialect).as_bytes());
            for json in [Json::lossless(dialect), Json::native()] {
                json.to_string(&value).iter().for_each(|json| self.add("json", json.as_bytes()));
            }
        }
    }

    fn alb1(&mut self) {
        self.title("The start of a file.");
        let start = Document::new("CWorld").to_vec().unwrap_or_default();
        for length in [4, 8, 16] {
            self.add("start", start.get(..length).unwrap_or_default());
        }
        self.title("The types of fields.");
        for field_type in FieldType::ALL {
            self.add(field_type.key(), &[field_type.id()]);
        }
        self.title("Fields of the classes, as they start.");
        let tags = alb1::tags();
        for field in TERRAIN_CLASSES.iter().flat_map(|class| class.fields) {
            if let Some(tag) = tags.id(field.tag) {
                let [low, high] = tag.to_le_bytes();
                self.add(field.tag, &[low, high, field.content.field_type().id()]);
            }
        }
        self.title("Classes.");
        for (id, name) in alb1::classes().entries() {
            self.add(&name.to_string(), &id.to_le_bytes());
        }
        self.counts();
        self.numbers(&[i16::LAYOUT, i32::LAYOUT, f32::LAYOUT, f64::LAYOUT]);
        self.texts();
        self.title("Names in JSON.");
        // Files that are made of everything there is have every name.
        let reading = Reading { format: Format::Alb1, allow_objects: false };
        let cases = Cases::new(reading, 1).profiles(&[Profile::Valid]);
        for number in 0..200 {
            let Ok(document) = Document::from_slice(&cases.case(number).bytes) else { continue };
            let json = DocumentJson::new().trees(true).to_string(&document).unwrap_or_default();
            for name in json.split('"').skip(1).step_by(2).filter(|name| is_plain(name)) {
                self.add("name", format!("\"{name}\"").as_bytes());
            }
        }
    }

    fn counts(&mut self) {
        self.title("Counts at which readers go wrong.");
        for count in COUNTS {
            self.add("count", &count.to_le_bytes());
        }
    }

    fn numbers(&mut self, shapes: &[Layout]) {
        self.title("Boundaries of numbers.");
        for shape in shapes {
            for bits in boundaries(*shape) {
                let bytes = bits.to_le_bytes();
                let size = shape.size().unwrap_or_default();
                self.add(&shape.to_string(), bytes.get(..size).unwrap_or_default());
            }
        }
    }

    fn texts(&mut self) {
        self.title("Odd texts.");
        let meaningful = MEANINGFUL.iter().map(|text| text.as_bytes());
        for text in TEXTS.iter().map(|text| text.bytes).chain(meaningful) {
            self.add("text", text);
        }
    }
}

/// Whether a text is a name, such as JSON and the classes have them, and no value.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '$'))
}
