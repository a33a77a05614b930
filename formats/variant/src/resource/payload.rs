//! The payloads after the number of each type.

use super::record::{
    PaddedBytes, PropertyNodePath, ResourceArray, ResourceDictionary, ResourceImage,
    ResourceNodePath, ResourceReference, ResourceText, ResourceTexts,
};
use super::types::{Layout, Row, rows};
use crate::OwnType;
use crate::dialect::{BOOL, numbers_alone, once};
use crate::frame::ByteOrder;
use formwork_records::schema::{Field, Occurs};

impl Layout {
    /// Returns the fields after the number of a type.
    pub(crate) fn payload(self, row: Row) -> &'static [Field] {
        match numbers_alone(row.variant_type, self.double) {
            Ok(fields) => fields,
            Err(OwnType::Bool) => BOOL,
            Err(OwnType::Int) if row.wide => const { &once::<i64>() },
            Err(OwnType::Int) => const { &once::<i32>() },
            Err(OwnType::Float) if row.wide || self.double => const { &once::<f64>() },
            Err(OwnType::Float) => const { &once::<f32>() },
            Err(OwnType::String | OwnType::StringName) => {
                const { &once::<ResourceText<'static>>() }
            }
            Err(OwnType::NodePath) if self.has_property => const { &once::<PropertyNodePath>() },
            Err(OwnType::NodePath) => const { &once::<ResourceNodePath>() },
            Err(OwnType::Rid) => const { &once::<u32>() },
            Err(OwnType::Object) => const { &once::<ResourceReference<'static>>() },
            Err(OwnType::Dictionary) => const { &once::<ResourceDictionary>() },
            Err(OwnType::Array) => const { &once::<ResourceArray>() },
            Err(OwnType::PackedByteArray) => const { &once::<PaddedBytes<'static>>() },
            Err(OwnType::PackedStringArray) => const { &once::<ResourceTexts>() },
            Err(OwnType::Image) => const { &once::<ResourceImage<'static>>() },
            Err(
                OwnType::Nil
                | OwnType::Callable
                | OwnType::Signal
                | OwnType::InputEvent
                | OwnType::TypedArray
                | OwnType::PackedTypedArray,
            ) => &[],
        }
    }
}

/// Returns the layouts of the payloads after the numbers of types.
pub fn resource_payloads() -> impl Iterator<Item = formwork::schema::Layout> {
    [false, true].into_iter().flat_map(|has_property| {
        let order = ByteOrder::Little;
        let layout = Layout { order, double: false, has_property, own_types: false, from: 0 };
        rows().flat_map(move |row| layout.payload(row).iter().map(Occurs::element))
    })
}
