//! Faults and oddities of documents.

use std::fmt;

use formwork::{Error, Path, Rule};

macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $weight:ident; )+) => {
        /// Kind of a finding. The names are stable: tests and scripts may rely on them.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum FindingKind { $( $(#[doc = $doc])+ $variant, )+ }

        impl FindingKind {
            /// Every kind, in the order of its declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The stable name, such as `pointer.dangling`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// Returns a description of the kind, in a sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }

            /// Returns the rule of an error about a finding of the kind. The rule's description is that of the kind.
            #[must_use]
            pub const fn rule(self) -> Rule {
                match self {
                    $( Self::$variant => {
                        const RULE: Rule = formwork::rules!(@rule $name, Malformed, $($doc)+);
                        RULE
                    } )+
                }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $( Self::$variant => Severity::$weight, )+ }
            }
        }
    };
}

kinds! {
    /// A pointer leads to an object that no file at hand has.
    PointerDangling = "pointer.dangling", External;
    /// A pointer names another class than the object it leads to has.
    PointerClass = "pointer.class", Error;
    /// A pointer has the address 0, which no file seen has; it is taken for "none".
    PointerNull = "pointer.null", Warning;
    /// Two objects of a file have the same address.
    AddressDuplicate = "address.duplicate", Error;
    /// The root objects of two files have the same address, so a pointer cannot tell them apart.
    AddressShared = "address.shared", Error;
    /// An object has the address 0, so no pointer can lead to it.
    AddressZero = "address.zero", Warning;
    /// The id of a class is not in the class table of the file.
    ClassUnknown = "class.unknown", Error;
    /// The id of a tag is not in the tag table of the file.
    TagUnknown = "tag.unknown", Error;
    /// The byte of a bool is neither 0 nor 1.
    BoolByte = "bool.byte", Warning;
    /// The elements of an array differ in tag or type.
    ArrayMixed = "array.mixed", Warning;
    /// A field of a known class is missing, or is not of the type that the class gives it.
    ClassField = "class.field", Error;
    /// An object has a field that its class does not have.
    FieldUnknown = "field.unknown", Error;
    /// The fields of an object are not in the order of its class.
    FieldOrder = "field.order", Error;
    /// A map has a key twice.
    KeyDuplicate = "key.duplicate", Error;
    /// The keys of a map are not in ascending order.
    KeyOrder = "key.order", Error;
    /// The root object is of a class that no file of Terrain Builder has there.
    RootClass = "root.class", Error;
    /// The last word of the header is not 0, as it is in every file seen.
    HeaderReserved = "header.reserved", Error;
    /// The header has another version than the project, or one in a file that is no project.
    ProjectVersion = "project.version", Error;
    /// A mask of tiles is not as long as its map frame says.
    MaskCount = "masks.count", Error;
    /// The count of a shape's vertices is wrong.
    VertexCount = "vertices.count", Error;
    /// The count of the objects in a layer's tree is wrong.
    ObjectCount = "objects.count", Error;
    /// The count of the objects of all layers of a project is wrong.
    ObjectTotal = "objects.total", Error;
    /// An object is in no map frame.
    ObjectOutside = "object.outside", Error;
    /// A vertex of a shape is in no map frame, for which Terrain Builder may refuse to build the map.
    ShapeOutside = "shape.outside", Advice;
    /// The cells of a map frame's texture layer are smaller than four cells of its height map, for which Terrain Builder
    /// may refuse to build the map.
    TextureLayer = "texture_layer.size", Advice;
    /// The quadtree of a layer is damaged.
    TreeBroken = "tree.broken", Broken;
    /// A node or leaf of a quadtree has another box than its place in the tree gives it.
    TreeBox = "tree.box", Error;
    /// An object has a template that the layer does not list or no library has.
    TemplateUnknown = "template.unknown", Error;
    /// A road or crossroad is of a type that the project does not have.
    RoadUnknown = "road.unknown", Error;
    /// A template library of a project is not there.
    LibraryMissing = "library.missing", External;
    /// Templates of a library have hashes that are not those of their names, and that no object has.
    LibraryHash = "library.hash", Advice;
    /// Template libraries have several templates of one name, of which the first counts.
    TemplateTwice = "template.twice", Advice;
    /// A file that a project names is not there.
    PathMissing = "path.missing", External;
    /// A path leads into the profile of a user, which nobody else has.
    PathProfile = "path.profile", External;
    /// A file that has the name of a layer cannot be read as one.
    LayerUnread = "layer.unread", Broken;
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Severity {
    /// The file itself is in order, but what it names is not at hand, or not at hand for everybody.
    External,
    /// The file itself is in order, but Terrain Builder may not make of it what its author wants.
    Advice,
    /// No file of Terrain Builder that was seen is so, but nothing is lost by it.
    Warning,
    /// Something does not lead where it should, or contradicts something else.
    Error,
    /// A part of the file cannot be read.
    Broken,
}

/// Something in a file that is well formed but wrong or odd.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// Offset in the file, in bytes from its start; [`None`] if the finding has no single place.
    pub offset: Option<u64>,
    /// Path of the field; empty for the root object and for the file as a whole.
    pub path: Path,
    /// Kind of the finding.
    pub kind: FindingKind,
    /// Description, in a sentence with the names and numbers of this place.
    pub message: String,
}

/// The error that a reader would give that accepts only what Terrain Builder writes.
impl From<&Finding> for Error {
    fn from(finding: &Finding) -> Self {
        let Finding { offset, path, kind, message, .. } = finding;
        let expected = "what Terrain Builder writes";
        let error = Self::new(kind.rule(), offset.unwrap_or_default(), expected, &**message);
        let error = error.under(path.clone());
        if offset.is_some() { error } else { error.nowhere() }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// In a line: `project.tv4p: offset 4711 (0x1267), objManager.mactiveLayer: ... (pointer.dangling)`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, offset, path, kind, message } = self;
        write!(f, "{file}: ")?;
        if let Some(offset) = offset {
            write!(
                f,
                "offset {offset} (0x{offset:x}){}",
                if path.is_empty() { ": " } else { ", " }
            )?;
        }
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        write!(f, "{message} ({kind})")
    }
}
