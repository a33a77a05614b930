//! The payloads after the number of each type.

use super::types::{Layout, Row, rows};
use super::value::own;
use formwork_records::schema::{Occurs, Record};
use formwork_variant::dialect::numbers_alone;
use formwork_variant::frame::ByteOrder;

impl Layout {
    /// Returns the record after the number of a type.
    pub(crate) fn payload(self, row: Row) -> &'static Record {
        let numbers = numbers_alone(row.variant_type, self.double);
        numbers.unwrap_or_else(|of| own(of, row, self).0)
    }
}

/// Returns the layouts of the payloads after the numbers of types.
pub fn resource_payloads() -> impl Iterator<Item = formwork::schema::Layout> {
    [false, true].into_iter().flat_map(|has_property| {
        let order = ByteOrder::Little;
        let layout = Layout { order, double: false, has_property, own_types: false, from: 0 };
        rows().flat_map(move |row| layout.payload(row).fields.iter().map(Occurs::element))
    })
}
