//! Classes of Terrain Builder: each declared once, with its fields in the order of the file.

use crate::FieldType;

/// How a class is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Known {
    /// From real files.
    Seen,
    /// Only from what another program reads and writes.
    Reported,
    /// By its name in the dictionary; what fields it has is not known.
    ByName,
}

/// A class, as the checks, the generator and the schema page walk it.
#[derive(Debug)]
pub struct Class {
    /// The name in the class table of a file.
    pub name: &'static str,
    /// Description of the objects of the class.
    pub doc: &'static str,
    /// How it is known.
    pub known: Known,
    /// Its fields, in the order of the file.
    pub fields: &'static [ClassField],
}

/// A field of a class.
#[derive(Debug)]
pub struct ClassField {
    /// The name in the tag table of a file.
    pub tag: &'static str,
    /// Number of earlier fields with the same tag in the object.
    pub occurrence: usize,
    /// The name in this library.
    pub name: &'static str,
    /// Description of the field.
    pub doc: &'static str,
    /// Content of the field.
    pub content: Content,
    /// The name of the field whose elements it counts.
    pub counts: Option<&'static str>,
}

/// Content of a field.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A value of this type, which may be any.
    Plain(FieldType),
    /// A colour.
    Colour,
    /// This number of numbers.
    Numbers(FieldType, usize),
    /// The path of a file or folder.
    Path(PathKind),
    /// An object of this class.
    Object(&'static str),
    /// An object of one of these classes.
    AnyOf(&'static [&'static str]),
    /// An array of fields `item`.
    List(&'static Content),
    /// An array of pairs, ascending by their keys: what a `key` and what a `data` hold.
    Pairs(&'static Content, &'static Content),
    /// An array that no file had an element in.
    Unknown,
    /// Raw bytes.
    Raw,
}

impl Content {
    /// The type of the field.
    #[must_use]
    pub const fn field_type(&self) -> FieldType {
        match self {
            Self::Plain(field_type) | Self::Numbers(field_type, _) => *field_type,
            Self::Colour => FieldType::UnsignedLong,
            Self::Path(_) => FieldType::String,
            Self::Object(_) | Self::AnyOf(_) => FieldType::Object,
            Self::List(_) | Self::Pairs(..) | Self::Unknown | Self::Raw => FieldType::Array,
        }
    }
}

/// Kind of a path: its target and its starting point.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum PathKind {
    /// A file, with its drive.
    File,
    /// A folder, with its drive.
    Folder,
    /// A file of the project drive `P:`, without that: models, `layers.cfg`.
    OnDrive,
    /// A file, from the folder of the project.
    InProject,
    /// A name for people, which Terrain Builder makes of a path: it may have a number at its end, or be no path at all.
    Label,
}

impl Class {
    /// The field with this name in this library.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static ClassField> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The tags of a class, each under the name of its field: for paths, and for those who look at objects
/// that may not be whole.
pub struct Tags<T>(std::marker::PhantomData<T>);

/// Declares classes: emits for each the struct, its reader, its writer, its [`Class`] and its [`Tags`].
///
/// ```text
/// classes! {
///     /// What it is.
///     "SClassName", Seen => pub struct Name {
///         /// A field: its type here, its form in the file, its tag.
///         pub field: Text => Text "tag",
///         /// The second field with that tag.
///         pub other: Text => Text "tag"[1],
///         /// How many elements another field has; set to that where their number has changed.
///         pub count: u32 => UnsignedInt "mcount" (counts vertices),
///     }
/// }
/// ```
macro_rules! classes {
    ($(
        $(#[doc = $doc:literal])+
        $class:literal, $known:ident => pub struct $name:ident { $(
            $(#[doc = $field_doc:literal])+
            pub $field:ident: $rust:ty => $form:ty, $tag:literal $([$nth:literal])?
                $((counts $counted:ident))?;
        )* }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            /// The address of the object it was read from; 0 for one that is to be made. By it an
            /// element of a list is found again when it is stored, so set it to 0 in a copy.
            pub address: u32,
            $( $(#[doc = $field_doc])+ pub $field: $rust, )*
        }

        #[allow(non_upper_case_globals)]
        impl $crate::terrain::Tags<$name> {
            $(
                #[doc = concat!("The tag of `", stringify!($field), "`.")]
                pub const $field: &'static str = $tag;
            )*
        }

        impl $crate::terrain::Typed for $name {
            const CLASS: &'static $crate::terrain::Class = &$crate::terrain::Class {
                name: $class,
                doc: concat!($($doc, "\n"),+),
                known: $crate::terrain::Known::$known,
                fields: &[ $( $crate::terrain::ClassField {
                    tag: $tag,
                    occurrence: 0 $( + $nth )?,
                    name: stringify!($field),
                    doc: concat!($($field_doc, "\n"),+),
                    content: <$form as $crate::terrain::form::Form>::CONTENT,
                    counts: classes!(@counts $($counted)?),
                }, )* ],
            };

            fn address(&self) -> u32 {
                self.address
            }

            fn read(
                object: &$crate::Object,
                names: &$crate::terrain::Names,
            ) -> $crate::Result<Self> {
                names.expect_class(object, $class)?;
                Ok(Self {
                    address: object.address,
                    $( $field: names.field::<$form>(object, $tag, 0 $( + $nth )?)?, )*
                })
            }

            fn store(
                &self,
                object: &mut $crate::Object,
                making: &mut $crate::terrain::Making<'_>,
            ) -> $crate::Result<()> {
                making.expect_class(object, $class)?;
                $( $(
                    let $field = making.counted(
                        self.$field, object, Self::CLASS.field(stringify!($counted)),
                        self.$counted.len(),
                    );
                )? )*
                let mut after = 0;
                $(
                    let value = classes!(@stored self $field $($counted)?);
                    making.field::<$form>(object, $tag, 0 $( + $nth )?, &mut after, value)?;
                )*
                let _ = after;
                Ok(())
            }
        }
    )+ };
    (@counts $counted:ident) => { Some(stringify!($counted)) };
    (@counts) => { None };
    (@stored $self:ident $field:ident $counted:ident) => { &$field };
    (@stored $self:ident $field:ident) => { &$self.$field };
}
pub(super) use classes;
