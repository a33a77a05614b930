//! Rules about packets and the values in them.

formwork::rules! {
    /// All rules of this module.
    pub const ALL;

    /// The type id is one of the dialect's table.
    pub const HEADER_TYPE_ID = "header.type_id", Malformed;
    /// The header word sets only the flags that mean something for the type.
    pub const HEADER_FLAGS = "header.flags", Malformed;
    /// A bool is 0 or 1.
    pub const BOOL_VALUE = "bool.value", Malformed;
    /// Components of 64 bits that 32 do not hold are read into a `Variant<f64>`.
    pub const REAL_FITS = "real.fits", Unsupported;
    /// An int is written in the width that the engine's encoder chooses for its value.
    pub const INT_WIDTH = "int.width", Malformed;
    /// A float is written in the width that the engine's encoder chooses for its value.
    pub const FLOAT_WIDTH = "float.width", Malformed;
    /// A NaN in 32 bits is a quiet one: to the engine a float has 64, and widening makes it one.
    pub const FLOAT_NAN = "float.nan", Malformed;
    /// Real components are written in the precision of the engine's build.
    pub const REAL_PRECISION = "real.precision", Malformed;
    /// A string's length is not negative.
    pub const STRING_LENGTH = "string.length", Malformed;
    /// A string's bytes are UTF-8 as the engine decodes it.
    pub const STRING_UTF8 = "string.utf8", Malformed;
    /// A string's bytes are what the engine would write for its text: no zero byte, no byte order
    /// mark, shortest forms.
    pub const STRING_CANONICAL = "string.canonical", Malformed;
    /// A string is padded to a multiple of four, with zeros.
    pub const STRING_PADDING = "string.padding", Malformed;
    /// A string inside a string array ends with one zero byte that its length counts.
    pub const STRING_TERMINATOR = "string.terminator", Malformed;
    /// Bytes are padded to a multiple of four, with zeros.
    pub const BYTES_PADDING = "bytes.padding", Malformed;
    /// The name count of a NodePath has its top bit set (the form with separate names).
    pub const NODE_PATH_FORM = "node_path.form", Malformed;
    /// A NodePath sets only the flags its engine writes.
    pub const NODE_PATH_FLAGS = "node_path.flags", Malformed;
    /// A NodePath's name and subname counts do not wrap around when they are added.
    pub const NODE_PATH_COUNTS = "node_path.counts", Malformed;
    /// A count is not negative.
    pub const ARRAY_COUNT = "array.count", Malformed;
    /// The top bit of a container's count is set only where the engine has shared containers.
    pub const CONTAINER_SHARED = "container.shared", Malformed;
    /// A typed container's element type is one of the dialect's table.
    pub const CONTAINER_ELEMENT_TYPE = "container.element_type", Malformed;
    /// A typed container's element type is in the form its encoder writes.
    pub const CONTAINER_ELEMENT_FORM = "container.element_form", Malformed;
    /// A typed container's elements are of its element type.
    pub const CONTAINER_ELEMENT = "container.element", Malformed;
    /// A dictionary's keys differ.
    pub const DICTIONARY_KEYS = "dictionary.keys", Malformed;
    /// An object in full form is read only where the caller allows objects.
    pub const OBJECT_ALLOWED = "object.allowed", Unsupported;
    /// An object is in the form its encoder writes (in some engines, a null object is a plain null).
    pub const OBJECT_FORM = "object.form", Malformed;
    /// An object's property count is not negative.
    pub const OBJECT_PROPERTY_COUNT = "object.property_count", Malformed;
    /// An image's format is one of the 23 of Godot 2 and its data has the size the format demands.
    pub const IMAGE_FORMAT = "image.format", Malformed;
    /// An input event's length word agrees with its type.
    pub const INPUT_EVENT_LENGTH = "input_event.length", Malformed;
    /// An input event's type is one of the nine of Godot 2.
    pub const INPUT_EVENT_TYPE = "input_event.type", Malformed;
    /// The dialect has this type.
    pub const DIALECT_TYPE = "dialect.type", Unrepresentable;
    /// The dialect can hold this value of the type.
    pub const DIALECT_VALUE = "dialect.value", Unrepresentable;
}
