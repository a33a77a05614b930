//! Structs and enums of one's own: out of packets and values, into packets and values.

mod any_value;
mod errors;
mod kept;
mod keys;
mod mapping;
mod notation;
mod saves;
mod seeds;

use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;

use self::seeds::{Seeds, damaged};

/// Every dialect, in every precision that it has.
fn dialects() -> impl Iterator<Item = Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double))
}
