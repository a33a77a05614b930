//! Reads resource files.

use super::content::Content;
use super::head::Head;
use super::record::{
    ExternalResource, ExternalUid, ImportOption, ImportOptions, ImportSource, ImportSources,
    InternalPlace, InternalResource, ResourceMark, ResourceProperty, ResourceText,
};
use super::rule;
use super::types::Layout;
use super::value::{LEAST, NAME_LEAST, Reader, Spot};
use formwork::{Error, Result, Rule};
use formwork_records::schema::Sizes;
use formwork_variant::codec::Decoder;
use formwork_variant::{Real, Variant, VariantString};

/// Bytes of the shortest text: its length.
const TEXT: usize = ResourceText::LEAST;

/// Bytes of an offset or id.
const WIDE: usize = size_of::<u64>();

/// A resource or scene, and the other contents of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource<R: Real = f32> {
    /// The head of the file.
    pub head: Head,
    /// The resources in other files that it uses.
    pub external: Vec<External>,
    /// The resources in the file. The last one is the main resource.
    pub internal: Vec<Internal<R>>,
    /// The import metadata (Godot 1 and 2).
    pub import: Option<Import<R>>,
}

/// A resource in another file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct External {
    /// Its class.
    pub class: VariantString,
    /// The path of its file.
    pub path: VariantString,
    /// Its id in the project (Godot 4).
    pub uid: Option<i64>,
}

/// A resource in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Internal<R: Real = f32> {
    /// `local://` and a number or name; of the main resource maybe the path of the file.
    pub path: VariantString,
    /// Its class.
    pub class: VariantString,
    /// Its properties.
    pub properties: Vec<(VariantString, Variant<R>)>,
}

impl<R: Real> Internal<R> {
    /// Returns the first property of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant<R>> {
        self.properties.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// The import metadata of a resource (Godot 1 and 2).
#[derive(Clone, Debug, PartialEq)]
pub struct Import<R: Real = f32> {
    /// The importer.
    pub editor: VariantString,
    /// Paths and MD5 sums of the files that it was imported from.
    pub sources: Vec<(VariantString, VariantString)>,
    /// The options.
    pub options: Vec<(VariantString, Variant<R>)>,
}

/// Reads a resource file that was unpacked.
///
/// The decoder gives the dialect of the values ([`Head::dialect`], unless the caller knows it better), and the
/// deepest nesting. Its strictness and its setting for objects are not used: the only objects in resource files are
/// references.
///
/// # Errors
///
/// Returns an error if the file is damaged, or if its resources do not follow each other without gaps, as in the
/// output of every engine.
pub fn read<R: Real>(content: &Content<'_>, decoder: &Decoder<R>) -> Result<Resource<R>> {
    read_in(content, decoder, None).map(|(resource, ..)| resource)
}

/// Reads a resource file, with the places of all values in properties, and the layout of values.
pub(super) fn read_spots<R: Real>(
    content: &Content<'_>,
    decoder: &Decoder<R>,
) -> Result<(Resource<R>, Vec<Spot>, Layout)> {
    read_in(content, decoder, Some(Vec::new()))
}

fn read_in<R: Real>(
    content: &Content<'_>,
    decoder: &Decoder<R>,
    spots: Option<Vec<Spot>>,
) -> Result<(Resource<R>, Vec<Spot>, Layout)> {
    let (start, bytes) = (content.start(), &content.bytes);
    let within = |error: Error| error.within("resource");
    let (head, end) = Head::read(bytes, start).map_err(|error| within(error.within("head")))?;
    let layout = head.layout(decoder.dialect());
    let mut reader = Reader::new(bytes, end, decoder, layout);
    reader.spots = spots;
    let (resource, spots) = reader.file(head).map_err(within)?;
    Ok((resource, spots, layout))
}

impl Reader<'_> {
    fn file<R: Real>(&mut self, head: Head) -> Result<(Resource<R>, Vec<Spot>)> {
        let count = self.count_of("names")?;
        self.names = self.list(count, TEXT, "names", Self::text)?;
        let external = self.external(&head)?;
        let places = self.places(&head)?;
        self.targets.external = external.len() as u32;
        let mut internal = Vec::with_capacity(places.len());
        for (index, place) in (0..).zip(places) {
            let resource = self.internal(place);
            internal.push(resource.map_err(|error| error.within(index).within("resources"))?);
        }
        let spots = self.spots.take().unwrap_or_default();
        let import = match head.import_offset {
            0 => None,
            offset => Some(self.import(offset).map_err(|error| error.within("import"))?),
        };
        self.end()?;
        Ok((Resource { head, external, internal, import }, spots))
    }

    /// Reads the count that a table starts with.
    fn count_of(&mut self, table: &'static str) -> Result<u32> {
        self.record().map_err(|error| error.within("count").within(table))
    }

    fn external(&mut self, head: &Head) -> Result<Vec<External>> {
        let count = self.count_of("external")?;
        let least = if head.has_uids { 2 * TEXT + WIDE } else { 2 * TEXT };
        self.list(count, least, "external", |reader| reader.one_external(head.has_uids))
    }

    fn one_external(&mut self, has_uid: bool) -> Result<External> {
        let start = self.position();
        let (resource, uid) = match has_uid {
            true => {
                let ExternalUid { resource, uid } = self.record()?;
                (resource, (uid != -1).then_some(uid))
            }
            false => (self.record::<ExternalResource<'_>>()?, None),
        };
        let class_end = start + 4 + resource.class.bytes.len();
        let class = self.decoded(&resource.class.bytes, class_end)?;
        let path = self.decoded(&resource.path.bytes, class_end + 4 + resource.path.bytes.len())?;
        Ok(External { class, path, uid })
    }

    /// Reads the table of the file's own resources, and records the targets of references to them.
    fn places(&mut self, head: &Head) -> Result<Vec<(VariantString, u64)>> {
        let count = self.count_of("internal")?;
        let places = self.list(count, TEXT + WIDE, "internal", |reader| {
            let InternalPlace { path, offset } = reader.record()?;
            let end = reader.position() - size_of::<u64>();
            Ok((reader.decoded(&path.bytes, end)?, offset))
        })?;
        if head.named_ids {
            self.targets.positions = Some(count);
        } else {
            let number = |path: &VariantString| -> Option<u32> {
                path.as_str()?.strip_prefix("local://")?.parse().ok()
            };
            let numbers = (0..).zip(&places);
            let numbers = numbers.filter_map(|(at, (path, _))| Some((number(path)?, at)));
            self.targets.numbers = numbers.collect();
        }
        Ok(places)
    }

    fn internal<R: Real>(&mut self, (path, offset): (VariantString, u64)) -> Result<Internal<R>> {
        let position = self.position() as u64;
        if offset != position {
            let expected = format!("the resource at offset {position}, behind the one before");
            let found = format!("offset {offset} in the table");
            return Err(Error::new(rule::OFFSET, position, expected, found));
        }
        let InternalResource { class, property_count, .. } = self.record()?;
        let end = self.position() - size_of::<u32>();
        let class = self.decoded(&class.bytes, end)?;
        let properties = self.list(property_count, NAME_LEAST + LEAST, "properties", |reader| {
            let start = reader.position();
            let ResourceProperty { name, .. } = reader.record()?;
            let name = reader.resolved(start, &name).map_err(|error| error.within("name"))?;
            Ok((name, reader.value()?))
        })?;
        Ok(Internal { path, class, properties })
    }

    fn import<R: Real>(&mut self, offset: u64) -> Result<Import<R>> {
        let position = self.position() as u64;
        if offset != position {
            let expected =
                format!("the import metadata at offset {position}, behind the resources");
            let found = format!("offset {offset} in the head");
            return Err(Error::new(rule::OFFSET, position, expected, found));
        }
        let ImportSources { editor, source_count, .. } = self.record()?;
        let end = self.position() - size_of::<u32>();
        let editor = self.decoded(&editor.bytes, end)?;
        let sources = self.list(source_count, 2 * TEXT, "sources", |reader| {
            let start = reader.position();
            let ImportSource { path, md5 } = reader.record()?;
            let path_end = start + 4 + path.bytes.len();
            let md5_end = path_end + 4 + md5.bytes.len();
            Ok((reader.decoded(&path.bytes, path_end)?, reader.decoded(&md5.bytes, md5_end)?))
        })?;
        let ImportOptions { option_count, .. } = self.record()?;
        let options = self.list(option_count, TEXT + LEAST, "options", |reader| {
            let ImportOption { name, .. } = reader.record()?;
            let name = reader.decoded(&name.bytes, reader.position())?;
            Ok((name, reader.value()?))
        })?;
        Ok(Import { editor, sources, options })
    }

    /// Reads the mark at the end, which must be the last bytes.
    fn end(&mut self) -> Result<()> {
        let ResourceMark {} = self.record().map_err(|error| error.within("end"))?;
        match self.left() {
            0 => Ok(()),
            left => {
                let offset = self.position() as u64;
                let found = formwork::wire::more_bytes(left).to_string();
                Err(Error::new(Rule::INPUT_TRAILING, offset, "the end of the file", found))
            }
        }
    }
}
