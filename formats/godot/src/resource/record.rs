//! The declared records of a resource file.
//!
//! Their numbers are little endian, or big endian if the first word of the file is not 0.

use modular_bitfield::prelude::*;

use super::types::TYPE_NAMES;
use formwork::schema::numbered;
use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Schema};
use formwork_records::schema::VARIANT;
use formwork_records::wire::{Block, Padding};
use formwork_variant::packet::ContainerCount;

/// The first and last bytes of a resource file.
pub const MAGIC: &[u8; 4] = b"RSRC";

/// A resource or scene in an uncompressed file (`.res`, `.scn` and others).
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceFile {
    /// `RSRC`.
    #[schema(inline)]
    pub mark: ResourceMark,
    /// Everything else.
    #[schema(inline)]
    pub content: ResourceContent,
}

/// Four letters.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(magic = b"RSRC")]
pub struct ResourceMark {}

/// A resource or scene: the content of a compressed file, or of any other file after its magic. Offsets count from
/// the start of the file, or of the unpacked content.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceContent {
    /// Order of the bytes, versions, class.
    pub head: ResourceHead,
    /// The names that properties and node paths use.
    pub names: NameTable,
    /// The resources in other files that this one uses.
    #[br(if(!head.flags.uids()))]
    pub external: Option<ExternalTable>,
    /// The resources in other files that this one uses, with their ids.
    #[br(if(head.flags.uids()))]
    pub external_uids: Option<ExternalUidTable>,
    /// The resources in this file, the main one last.
    pub internal: InternalTable,
    /// The resources, one after the other.
    #[br(count = internal.count)]
    pub resources: Deferred<Each<InternalResource<'static>>>,
    /// How the resource was imported (Godot 1 and 2).
    #[br(if(head.import_offset > 0))]
    pub import: Option<Deferred<ImportMetadata>>,
    /// `RSRC` again.
    pub end: Deferred<ResourceMark>,
}

/// Order of the bytes, versions, class.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceHead {
    /// Not 0 if all numbers after this one are big endian.
    pub big_endian: u32,
    /// Not used: 0.
    pub real64: u32,
    /// Major version of the engine.
    pub major: u32,
    /// Minor version of the engine.
    pub minor: u32,
    /// Version of the format: 1 to 6.
    pub format: u32,
    /// Class of the main resource.
    pub class: ResourceText<'static>,
    /// Offset of the import metadata; 0 if there is none.
    pub import_offset: u64,
    /// The contents of the file (Godot 4; 0 before).
    pub flags: ResourceFlags,
    /// Id of the resource in its project (Godot 4); -1 if it has none.
    pub uid: i64,
    /// Class of the script of the main resource (later Godot 4).
    #[br(if(flags.script_class()))]
    pub script_class: Option<ResourceText<'static>>,
    /// Reserved.
    #[schema(zero)]
    pub reserved: [u32; 11],
}

/// The contents of a resource file of Godot 4.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ResourceFlags {
    /// Internal resources are called by names; references give their positions.
    pub named_ids: bool,
    /// External resources have ids.
    pub uids: bool,
    /// Real numbers have 64 bits.
    pub real_is_double: bool,
    /// The class of the main resource's script follows.
    pub script_class: bool,
    /// Not used.
    #[schema(zero)]
    pub unused: B28,
}

/// A text with a zero byte after it.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceText<'a> {
    /// Bytes of the text and its zero byte.
    pub length: u32,
    /// The text in UTF-8 and a zero byte.
    #[br(count = length)]
    #[schema(terminated)]
    pub bytes: Block<'a, u8>,
}

/// The names that properties and node paths use.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct NameTable {
    /// How many.
    pub count: u32,
    /// The names.
    #[br(count = count)]
    #[schema(inline)]
    pub names: Each<ResourceText<'static>>,
}

/// Resources in other files.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ExternalTable {
    /// How many.
    pub count: u32,
    /// The resources.
    #[br(count = count)]
    #[schema(inline)]
    pub external: Each<ExternalResource<'static>>,
}

/// Resources in other files, with their ids.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ExternalUidTable {
    /// How many.
    pub count: u32,
    /// The resources.
    #[br(count = count)]
    #[schema(inline)]
    pub external: Each<ExternalUid<'static>>,
}

/// A resource in another file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ExternalResource<'a> {
    /// Its class.
    pub class: ResourceText<'a>,
    /// The path of its file.
    pub path: ResourceText<'a>,
}

/// A resource in another file, with its id.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ExternalUid<'a> {
    /// Class and path.
    #[schema(inline)]
    pub resource: ExternalResource<'a>,
    /// Its id in the project; -1 if it has none.
    pub uid: i64,
}

/// Resources in this file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct InternalTable {
    /// How many.
    pub count: u32,
    /// Their paths and places.
    #[br(count = count)]
    #[schema(inline)]
    pub internal: Each<InternalPlace<'static>>,
}

/// A resource in this file: its path and offset.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct InternalPlace<'a> {
    /// `local://` and a number or name; for the main resource the path of the file, maybe.
    pub path: ResourceText<'a>,
    /// Offset of the resource.
    pub offset: u64,
}

/// A resource in this file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct InternalResource<'a> {
    /// Its class.
    pub class: ResourceText<'a>,
    /// How many properties.
    pub property_count: u32,
    /// The properties.
    #[br(count = property_count)]
    pub properties: Deferred<Each<ResourceProperty<'static>>>,
}

/// A property of a resource.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceProperty<'a> {
    /// Its name.
    pub name: ResourceName<'a>,
    /// Its value.
    #[schema(inline)]
    pub value: Nested<VARIANT>,
}

/// The first word of a name.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct NameWord {
    /// The name's position in the table, or the length of the text that follows.
    pub number: B31,
    /// Whether the name is the text that follows.
    pub here: bool,
}

/// The name of a property, or a part of a node path: from the table, or as a text.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceName<'a> {
    /// The number of the name, or the length of the text.
    pub word: NameWord,
    /// The text in UTF-8 and a zero byte, where it is not from the table.
    #[br(if(word.here()), count = word.number())]
    #[schema(terminated)]
    pub bytes: Option<Block<'a, u8>>,
}

/// The word before a value.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ValueWord {
    /// The type of the value, as resource files number them.
    #[schema(names = TYPE_NAMES)]
    pub value_type: B32,
}

/// The number of subnames of a node path.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u16)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
pub struct SubnameCount {
    /// The number.
    pub count: B15,
    /// Whether the path starts at the root.
    pub absolute: bool,
}

/// A path to a node or property.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceNodePath {
    /// How many names.
    pub name_count: u16,
    /// How many subnames, and whether the path is absolute.
    pub subname_count: SubnameCount,
    /// The node names.
    #[br(count = name_count)]
    pub names: Deferred<Each<ResourceName<'static>>>,
    /// The parts after a `:`.
    #[br(count = subname_count.count())]
    pub subnames: Deferred<Each<ResourceName<'static>>>,
}

/// A path to a node or property in format version 1 or 2, where the last part after a `:` is not counted.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct PropertyNodePath {
    /// Names and subnames.
    #[schema(inline)]
    pub path: ResourceNodePath,
    /// The property.
    pub property: Deferred<ResourceName<'static>>,
}

/// An object: none, or a reference to a resource.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceReference<'a> {
    /// The kind of reference.
    #[schema(names = REFERENCES)]
    pub kind: u32,
    /// The class and path of a resource in another file (format version 0).
    #[br(if(kind == 1))]
    pub external: Option<ExternalResource<'a>>,
    /// The number of the resource. An internal resource is given by the number in its path, or in Godot 4 by its
    /// position.
    #[br(if(kind >= 2))]
    pub index: Option<u32>,
}

/// An array.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceArray {
    /// How many elements.
    pub count: ContainerCount,
    /// The elements.
    #[br(count = count.count())]
    #[schema(inline)]
    pub elements: Deferred<Each<Nested<VARIANT>>>,
}

/// A dictionary.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceDictionary {
    /// How many pairs.
    pub count: ContainerCount,
    /// The pairs.
    #[br(count = count.count())]
    #[schema(inline)]
    pub pairs: Deferred<Each<ResourcePair>>,
}

/// A key and its value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourcePair {
    /// The key.
    pub key: Nested<VARIANT>,
    /// The value.
    pub value: Nested<VARIANT>,
}

/// Bytes, padded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct PaddedBytes<'a> {
    /// How many bytes; padding is not counted.
    pub count: u32,
    /// The bytes.
    #[br(count = count)]
    pub bytes: Block<'a, u8>,
    /// Zeros.
    #[br(args(count.into()))]
    pub padding: Padding,
}

/// Texts.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceTexts {
    /// How many.
    pub count: u32,
    /// The texts.
    #[br(count = count)]
    pub elements: Deferred<Each<ResourceText<'static>>>,
}

/// An image (Godot 1 and 2).
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ResourceImage<'a> {
    /// How the image is stored.
    #[schema(names = &numbered(IMAGE_ENCODINGS))]
    pub encoding: u32,
    /// Size and format of a raw image.
    #[br(if(encoding == 1))]
    pub size: Option<RawImage>,
    /// The pixels, or the packed image.
    #[br(if(encoding > 0))]
    pub data: Option<PaddedBytes<'a>>,
}

/// How an image may be stored.
pub(super) const IMAGE_ENCODINGS: [&str; 4] = ["empty", "raw", "lossless", "lossy"];

const REFERENCES: &[(i128, &str)] = &numbered(["none", "by path", "internal", "external"]);

/// Size and format of an image.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct RawImage {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Number of smaller copies.
    pub mipmaps: u32,
    /// How a pixel is stored.
    pub format: u32,
}

/// How a resource was imported (Godot 1 and 2).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ImportMetadata {
    /// The importer and the files.
    #[schema(inline)]
    pub sources: Deferred<ImportSources<'static>>,
    /// The options.
    #[schema(inline)]
    pub options: Deferred<ImportOptions>,
}

/// The sources from which a resource was imported.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ImportSources<'a> {
    /// The importer.
    pub editor: ResourceText<'a>,
    /// How many files.
    pub source_count: u32,
    /// The files.
    #[br(count = source_count)]
    pub sources: Deferred<Each<ImportSource<'static>>>,
}

/// A file that a resource was imported from.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ImportSource<'a> {
    /// Its path.
    pub path: ResourceText<'a>,
    /// Its MD5 sum.
    pub md5: ResourceText<'a>,
}

/// The options of an import.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ImportOptions {
    /// How many.
    pub option_count: u32,
    /// The options.
    #[br(count = option_count)]
    pub options: Deferred<Each<ImportOption<'static>>>,
}

/// An option of an import.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
pub struct ImportOption<'a> {
    /// Its name.
    pub name: ResourceText<'a>,
    /// Its value.
    #[schema(inline)]
    pub value: Nested<VARIANT>,
}
