//! The attributes of a resource file: engine, format, class.

use super::content::Content;
use super::record::ResourceHead;
use super::rule;
use super::text::{cut_text, decoded};
use super::types::{Layout, endian};
use formwork::{Error, Result};
use formwork_records::wire::{Cursor, read_record_in, word_at};
use formwork_variant::VariantString;
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::frame::ByteOrder;

/// The attributes in the head of a resource file.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The order of the bytes of its numbers.
    pub order: ByteOrder,
    /// The major version of the engine that wrote it.
    pub major: u32,
    /// The minor version of the engine that wrote it.
    pub minor: u32,
    /// The version of the format.
    pub format: u32,
    /// The class of the main resource.
    pub class: VariantString,
    /// The class of the main resource's script, if it has one with a name (later Godot 4).
    pub script_class: Option<VariantString>,
    /// The id of the resource in its project (Godot 4).
    pub uid: Option<i64>,
    pub(super) import_offset: u64,
    pub(super) named_ids: bool,
    pub(super) has_uids: bool,
    double: bool,
    start: usize,
}

/// The newest version of the format.
const NEWEST: u32 = 6;

/// The first version of the format that only Godot 4 writes.
const GODOT4: u32 = 4;

impl Head {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if it is cut, or of a version that no known engine writes.
    pub fn of(content: &Content<'_>) -> Result<Self> {
        Self::read(&content.bytes, content.start())
            .map(|(head, _)| head)
            .map_err(|error| error.within("head").within("resource"))
    }

    /// Reads the head of a file of a newer version as if it were of the newest version that is known. Nothing, where
    /// that cannot be read so, or the version is not newer.
    #[must_use]
    pub fn of_newer(content: &Content<'_>) -> Option<Self> {
        let (head, _) = Self::read_any(&content.bytes, content.start()).ok()?;
        (head.format > NEWEST).then_some(head)
    }

    /// Reads the head that starts there, and returns its end as well.
    pub(super) fn read(bytes: &[u8], start: usize) -> Result<(Self, usize)> {
        let (head, end) = Self::read_any(bytes, start)?;
        if head.format > NEWEST {
            let (expected, found) = (format!("at most {NEWEST}"), head.format.to_string());
            let error = Error::new(rule::FORMAT, start as u64 + 16, expected, found);
            return Err(error.within("format"));
        }
        Ok((head, end))
    }

    /// Reads a head of any version.
    fn read_any(bytes: &[u8], start: usize) -> Result<(Self, usize)> {
        let order = match word_at::<u32>(bytes, start) {
            Some(0) | None => ByteOrder::Little,
            Some(_) => ByteOrder::Big,
        };
        let mut input = Cursor::new(bytes);
        input.set_position(start);
        let head: ResourceHead = read_record_in(&mut input, endian(order))?;
        let ResourceHead { major, minor, format, class, import_offset, flags, uid, .. } = head;
        let mut made = Self {
            order,
            major,
            minor,
            format,
            class: VariantString::default(),
            script_class: None,
            uid: (flags.uids() && uid != -1).then_some(uid),
            import_offset,
            named_ids: flags.named_ids(),
            has_uids: flags.uids(),
            double: flags.real_is_double(),
            start,
        };
        let utf8 = made.dialect();
        let text =
            |text: &[u8], name| decoded(text, utf8).map_err(|at| cut_text(start + at).within(name));
        made.class = text(&class.bytes, "class")?;
        if let Some(script_class) = &head.script_class {
            made.script_class = Some(text(&script_class.bytes, "script_class")?);
        }
        Ok((made, input.position()))
    }

    /// Returns the dialect of the engine that wrote the file.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        let Self { major, minor, format, double, .. } = *self;
        let name = match (major, minor) {
            (3, 7..) => format!("pandemonium3.{minor}"),
            (4, _) if format < GODOT4 => "pandemonium4".to_owned(),
            (5.., _) => "pandemonium5".to_owned(),
            _ => format!("godot{major}.{minor}"),
        };
        // An unknown later release has the dialect of the newest known one.
        let newest = match major {
            0..=1 => Dialect::GODOT2_0,
            2 => Dialect::GODOT2,
            3 => Dialect::GODOT3,
            _ => Dialect::GODOT4,
        };
        let dialect = name.parse().unwrap_or(newest);
        let precision = if double { Precision::Double } else { Precision::Single };
        dialect.with_precision(precision).unwrap_or(dialect)
    }

    /// Returns the engine in words, such as `Godot 4.6`.
    #[must_use]
    pub fn engine(&self) -> String {
        let engine = match self.dialect().quirks().own_resource_types {
            true => "Pandemonium",
            false => "Godot",
        };
        format!("{engine} {}.{}", self.major, self.minor)
    }

    /// Returns the layout of values in the file, if an engine of this dialect wrote it.
    #[must_use]
    pub fn layout(&self, dialect: Dialect) -> Layout {
        Layout {
            order: self.order,
            double: self.double,
            has_property: self.format < 3,
            own_types: dialect.quirks().own_resource_types,
            from: self.start + size_of::<u32>(),
        }
    }
}
