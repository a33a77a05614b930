//! Decodes the texts of resource files.

use super::rule;
use formwork::{Error, PathSegment};
use formwork_variant::VariantString;
use formwork_variant::dialect::Dialect;

pub(super) const UTF8: &str = "UTF-8 as the engine reads it";

/// Returns a text as the engine reads it, or which byte it cannot read.
pub(super) fn decoded(bytes: &[u8], dialect: Dialect) -> Result<VariantString, usize> {
    let quirks = dialect.quirks();
    let decoded = quirks.utf8.decode(bytes.to_vec(), quirks.byte_order_mark)?;
    Ok(VariantString::from_decoded(decoded.text))
}

/// The error of a text with a byte that cannot be read there.
pub(super) fn cut_text(offset: usize) -> Error {
    let error = Error::new(rule::TEXT, offset as u64, UTF8, "another byte");
    error.within(PathSegment::Field("bytes"))
}
