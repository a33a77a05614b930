//! The named quirks in which dialects differ beyond their tables.

use crate::packet::{PlainHeader, WholeHeader};
use crate::value::{EqualKeys, SameKeys};
use formwork_records::wire::utf8::Utf8;

/// The width that an engine's encoder gives an int.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum IntWidth {
    /// 32 bits always; larger numbers cannot be written. Godot 2.
    Narrow,
    /// 64 bits always (a sign slip in the comparison). Godot 3.0.
    Wide,
    /// 64 bits only where 32 do not hold the number.
    Shortest,
}

/// The width that an engine's encoder gives a float.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FloatWidth {
    /// 32 bits always. Godot 2.
    Narrow,
    /// 32 bits where converting there and back gives the same number (so never for a NaN), else 64.
    Shortest,
}

impl FloatWidth {
    /// Returns whether a float is written in 64 bits.
    #[inline]
    pub(crate) fn is_wide(self, value: f64) -> bool {
        match self {
            Self::Narrow => false,
            // A NaN is never the same number.
            Self::Shortest => f64::from(value as f32) != value,
        }
    }
}

/// The form in which an engine's encoder writes a null object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NullObject {
    /// As an object: a bare header (Godot 2) or the id 0 (Godot 3.0 and 3.1).
    Object,
    /// As a plain null.
    Nil,
}

/// The forms in which an engine stores objects.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ObjectForms {
    /// A bare header, always read back as null. Godot 2.
    HeaderOnly,
    /// As an id, or in full form.
    IdOrFull,
}

/// The treatment of elements that are not of the declared type when an engine reads a typed array.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OtherElements {
    /// They are converted if possible, and otherwise omitted. Godot 4.
    Converted,
    /// They are omitted. Pandemonium 5.
    LeftOut,
}

/// An engine's text form: how it prints values (`var2str`, `var_to_str`) and reads them back.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TextStyle {
    /// Godot 2.
    Godot2,
    /// Godot 3.0 to 3.4, but 3.2.
    Godot3,
    /// Godot 3.2: keys that are vectors are sorted by components that are equal within a tolerance
    /// (godotengine/godot pull requests 18992 and 41894).
    Godot3_2,
    /// Godot 3.5 and 3.6.
    Godot3_5,
    /// Pandemonium.
    Pandemonium,
    /// Godot 4.0 and 4.1: six digits; RID, Callable and Signal are printed as nothing.
    Godot4,
    /// Godot 4.2 and 4.3: these three are printed (godotengine/godot pull request 78517).
    Godot4_2,
    /// Godot 4.4: String and StringName keys are sorted together.
    Godot4_4,
    /// Godot 4.5 on: the shortest digits that read back.
    Godot4_5,
}

/// The behaviour of an engine that a layout cannot express. Two dialects differ only in their tables and in these
/// values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "they are independent facts, each with its source"
)]
pub struct Quirks {
    /// The whole header word is the type id; there are no flags. Godot 2.
    pub whole_header: bool,
    /// The width of ints.
    pub int_width: IntWidth,
    /// The width of floats.
    pub float_width: FloatWidth,
    /// The 64-bit flag means something on the real-valued math types and their arrays. Godot 4.
    pub real_flag: bool,
    /// A double-precision build writes Vector4 and Projection in 64 bits without the flag. Godot 4.0
    /// and 4.1 (godotengine/godot pull request 83202).
    pub real_flag_missing: bool,
    /// The strings that the decoder accepts.
    pub utf8: Utf8,
    /// A byte order mark at the start of a string is kept, because the engine's writer writes it. (Its own reader,
    /// like the others', drops it: the engine cannot read its own output.) Godot 4.
    pub byte_order_mark: bool,
    /// The number of containers that may surround a value, if the engine has a limit: its `MAX_RECURSION_DEPTH`.
    /// Godot 3.5 and later, 4.x, Pandemonium.
    pub depth: Option<u32>,
    /// Containers keep a "shared" mark in the top bit of their count. Godot 2.
    pub shared_containers: bool,
    /// A NodePath stores its property separately. Godot 2.
    pub node_path_property: bool,
    /// The path `/`, absolute and without names, exists. (Godot 2 writes it, but its own reader drops
    /// it.) Godot 2 and 4.
    pub node_path_root: bool,
    /// A joystick motion event has the axis' position after its number. Godot 2.1; 1.0 to 2.0 store only the number.
    pub joystick_value: bool,
    /// The encoder leaves the padding of byte arrays uninitialised. Godot up to 3.1; nearly all leave the padding of
    /// a NodePath's names uninitialised.
    pub bytes_padding_left: bool,
    /// The encoder leaves the padding of strings uninitialised. Godot 2 and 3.0.
    pub text_padding_left: bool,
    /// The forms of objects.
    pub objects: ObjectForms,
    /// The form in which a null object is written.
    pub null_object: NullObject,
    /// A RID carries its number. Godot 4.
    pub rid_id: bool,
    /// The rule by which two keys of a dictionary are the same.
    pub same_keys: SameKeys,
    /// The engine's own reader misreads Vector4, Vector4i, their packed arrays and Projection, in the form in which
    /// other engines and the engine itself write them: it counts too few bytes, requires too many, or takes the
    /// fourth component from the position of the third. Pandemonium 3.8 and later (see `formats/pandemonium`).
    pub four_components_misread: bool,
    /// Arrays may be typed. Godot 4.3 on.
    pub typed_arrays: bool,
    /// The treatment of elements that are not of the type that an array declares.
    pub other_elements: OtherElements,
    /// Dictionaries may be typed. Godot 4.4 and later.
    pub typed_dictionaries: bool,
    /// An object's script is stored as a path (Godot 4.3 and later) instead of as an object.
    pub script_by_path: bool,
    /// Scripts can open compressed files. All engines but Godot 2.
    pub compressed_files: bool,
    /// Compressed files may be packed with Brotli; reading only. Godot 4.2 on.
    pub brotli_files: bool,
    /// Encrypted files are in CFB mode, after a head with the initialization vector, and not in ECB mode. Godot 4.
    pub cfb_files: bool,
    /// A StreamPeer puts the length of a string before it in UTF-8 as well. All engines except Godot 2.
    pub utf8_string_length: bool,
    /// Binary resources have different numbers for the types that were added after Godot 3. Pandemonium.
    pub own_resource_types: bool,
    /// The text form in which values are printed and read.
    pub text: TextStyle,
}

impl Quirks {
    /// Returns the number of the type in a header word.
    #[must_use]
    #[inline]
    pub fn type_id(&self, header: u32) -> u32 {
        match self.whole_header {
            true => WholeHeader::from(header).type_id(),
            false => PlainHeader::from(header).type_id().into(),
        }
    }

    /// Returns the rule by which the engine takes two keys for the same after it has written them.
    pub(crate) fn written_keys(&self) -> EqualKeys {
        EqualKeys::new(self.same_keys, self.float_width == FloatWidth::Narrow)
    }
}

/// The quirks of all or most engines, from which every dialect's quirks start.
pub(super) const GODOT3: Quirks = Quirks {
    whole_header: false,
    int_width: IntWidth::Shortest,
    float_width: FloatWidth::Shortest,
    real_flag: false,
    real_flag_missing: false,
    utf8: Utf8::Lax,
    byte_order_mark: false,
    depth: None,
    shared_containers: false,
    node_path_property: false,
    node_path_root: false,
    joystick_value: true,
    bytes_padding_left: false,
    text_padding_left: false,
    objects: ObjectForms::IdOrFull,
    null_object: NullObject::Nil,
    rid_id: false,
    own_resource_types: false,
    same_keys: SameKeys::Godot3,
    four_components_misread: false,
    typed_arrays: false,
    other_elements: OtherElements::Converted,
    typed_dictionaries: false,
    script_by_path: false,
    compressed_files: true,
    brotli_files: false,
    cfb_files: false,
    utf8_string_length: true,
    text: TextStyle::Godot3,
};

pub(super) const GODOT2: Quirks = Quirks {
    whole_header: true,
    int_width: IntWidth::Narrow,
    float_width: FloatWidth::Narrow,
    shared_containers: true,
    node_path_property: true,
    node_path_root: true,
    bytes_padding_left: true,
    text_padding_left: true,
    objects: ObjectForms::HeaderOnly,
    null_object: NullObject::Object,
    same_keys: SameKeys::Godot2,
    compressed_files: false,
    utf8_string_length: false,
    text: TextStyle::Godot2,
    ..GODOT3
};

pub(super) const GODOT2_0: Quirks = Quirks { joystick_value: false, ..GODOT2 };

pub(super) const GODOT3_0: Quirks = Quirks {
    int_width: IntWidth::Wide,
    null_object: NullObject::Object,
    bytes_padding_left: true,
    text_padding_left: true,
    ..GODOT3
};

pub(super) const GODOT3_1: Quirks =
    Quirks { null_object: NullObject::Object, bytes_padding_left: true, ..GODOT3 };

pub(super) const GODOT3_2: Quirks =
    Quirks { same_keys: SameKeys::Godot3_2, text: TextStyle::Godot3_2, ..GODOT3 };

pub(super) const GODOT3_5: Quirks =
    Quirks { utf8: Utf8::LaxJoined, depth: Some(1024), text: TextStyle::Godot3_5, ..GODOT3 };

pub(super) const PANDEMONIUM3: Quirks = Quirks {
    own_resource_types: true,
    utf8: Utf8::Strict,
    depth: Some(1024),
    other_elements: OtherElements::LeftOut,
    text: TextStyle::Pandemonium,
    ..GODOT3
};

pub(super) const PANDEMONIUM4: Quirks = Quirks { four_components_misread: true, ..PANDEMONIUM3 };

pub(super) const GODOT4_0: Quirks = Quirks {
    real_flag: true,
    real_flag_missing: true,
    utf8: Utf8::Strict,
    byte_order_mark: true,
    depth: Some(1024),
    node_path_root: true,
    rid_id: true,
    same_keys: SameKeys::Godot4,
    cfb_files: true,
    text: TextStyle::Godot4,
    ..GODOT3
};

pub(super) const GODOT4_2: Quirks =
    Quirks { real_flag_missing: false, brotli_files: true, text: TextStyle::Godot4_2, ..GODOT4_0 };

pub(super) const GODOT4_3: Quirks = Quirks { typed_arrays: true, script_by_path: true, ..GODOT4_2 };

pub(super) const GODOT4_4: Quirks =
    Quirks { typed_dictionaries: true, text: TextStyle::Godot4_4, ..GODOT4_3 };

pub(super) const GODOT4_5: Quirks = Quirks { text: TextStyle::Godot4_5, ..GODOT4_4 };
