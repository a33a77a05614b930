//! Resources and scenes in binary files (`.res`, `.scn` and many others), in the format of `ResourceSaver.save`.
//!
//! A file holds resources, the main one last, each with its class and properties. Values of properties are of the
//! same types as in packets, but in another encoding, with other numbers for the types. The engine and the format of
//! the file are in its [`Head`]; compressed files (`RSCC`) are unpacked first.
//!
//! Files are read, and [numbers in them changed](with_numbers).
//!
//! ```
//! use formwork_variant::{Decoder, Limits};
//! use formwork_godot::resource::{Head, content, read};
//!
//! # let file = std::fs::read("../resource/samples/godot-4.6.3/gradient.res")?;
//! // Unpacks a compressed file.
//! let content = content(&file, &Limits::new())?;
//! let head = Head::of(&content)?;
//! assert_eq!((head.major, head.minor), (4, 6));
//!
//! let resource = read(&content, &Decoder::new(head.dialect()))?;
//! let main = resource.internal.last().unwrap();
//! assert_eq!(main.class, "Gradient");
//! // Properties that have their default are not stored; this is the only one that always is.
//! assert_eq!(main.property("script"), Some(&formwork_variant::Variant::Nil));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//!
//! A property that is another resource is an object of the class `SubResource` (of the same file) or `ExtResource`
//! (of another file), as in the text form of resources. Its property `index` is a position in [`Resource::internal`]
//! or [`Resource::external`]. A reference to none of these, which the engine reads as null, has the number in the
//! property `missing`. Resources that refer to each other, or many references to one resource, therefore take no
//! more memory than the file contains.

mod change;
mod content;
mod head;
mod packed;
mod payload;
mod read;
mod record;
pub mod rule;
mod shown;
mod text;
mod types;
mod value;

pub use change::with_numbers;
pub use content::Content;
pub use head::Head;
pub use packed::content;
#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub use packed::with_content;
pub use payload::resource_payloads;
pub use read::{External, Import, Internal, Resource, read};
pub use record::{
    ExternalResource, ExternalTable, ExternalUid, ExternalUidTable, ImportMetadata, ImportOption,
    ImportOptions, ImportSource, ImportSources, InternalPlace, InternalResource, InternalTable,
    MAGIC, NameTable, NameWord, PaddedBytes, PropertyNodePath, RawImage, ResourceArray,
    ResourceContent, ResourceDictionary, ResourceFile, ResourceFlags, ResourceHead, ResourceImage,
    ResourceMark, ResourceName, ResourceNodePath, ResourcePair, ResourceProperty,
    ResourceReference, ResourceText, ResourceTexts, SubnameCount, ValueWord,
};
pub use types::Layout;
