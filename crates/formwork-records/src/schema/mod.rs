//! Questions of inspectors, pages and test makers to the declarations of [`formwork`]: the elements of a field, how often
//! they are there, and sizes as constants.

mod occurs;
mod sizes;

pub use formwork::Schema;
pub use formwork::schema::{
    Check, Expression, Field, Integer, Layout, Magic, Meaning, Operator, Record, Word, WordPart,
    raw,
};
pub use occurs::{Occurs, Repetition};
pub use sizes::{Extent, Sizes, offset, record_of};

/// The id of the number of a type in the dialect's table.
pub const TYPE_ID: u16 = 0;
/// The id of the number of bytes of a packet after its header word.
pub const PAYLOAD_SIZE: u16 = 1;
/// The id of a complete packet: header word and payload of the dialect in use.
pub const VARIANT: u16 = 2;
/// The id of a number of the tag table of an ALB1 file.
pub const TAG: u16 = 3;
/// The id of a number of the class table of an ALB1 file.
pub const CLASS: u16 = 4;
/// The id of the number of a field type.
pub const FIELD_TYPE: u16 = 5;
/// The id of a complete field of an ALB1 file: tag, type and value by the table of field types.
pub const FIELD: u16 = 6;
/// The id of a child of a node of the quadtree in an ALB1 file: a node or a leaf, depending on the node's kind.
pub const CHILD: u16 = 7;

/// Returns the name of a type as dumps and pages show it.
#[must_use]
pub fn type_name(layout: Layout) -> String {
    match layout {
        Layout::Nested(VARIANT) => "Variant".to_owned(),
        Layout::Nested(FIELD) => "Field".to_owned(),
        Layout::Nested(CHILD) => "Child".to_owned(),
        Layout::Padding(_) => "Padding".to_owned(),
        layout => layout.to_string(),
    }
}
