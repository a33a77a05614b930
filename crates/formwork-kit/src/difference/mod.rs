//! Finds the first difference between two values, or two documents: its path, and how the value there changed. The
//! judge and the properties of the fuzz targets share this comparison.

mod change;
mod document;
mod value;

use std::fmt;

use formwork_alb1::Document;
use formwork_variant::Path;
use formwork_variant::dialect::Dialect;
use formwork_variant::{Real, Variant, VariantType};

pub(crate) use document::has_no_tree;

/// The first place at which two values differ, and how.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// Where, in the words of errors: `array[2].dictionary[0].value`.
    pub path: Path,
    /// The type at the place and the change, in words that are the same for every packet with the same fault:
    /// `int: another number`.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, what } = self;
        if path.is_empty() { f.write_str(what) } else { write!(f, "{what}, at {path}") }
    }
}

/// Finds the first difference. Depth costs no stack where the values are Variants.
///
/// Everything counts: the sign of zero, element types, and the order of a dictionary's pairs, which engines keep and
/// scripts can see; in documents also addresses and the ids in tables. The one exception is the quiet bit of a NaN,
/// which moving the number may set.
///
/// ```
/// use formwork_variant::variant;
/// use formwork_variant::Variant;
/// use formwork_kit::difference::Comparison;
///
/// let ours: Variant = variant!(["sword", { "lit": true, "hp": 7 }]);
/// let theirs: Variant = variant!(["sword", { "lit": true, "hp": 8 }]);
/// let difference = Comparison::new().values(&ours, &theirs).unwrap();
/// assert_eq!(difference.what, "int: another number");
/// assert_eq!(difference.path.to_string(), "array[1].dictionary[1].value");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    dialect: Dialect,
    any_nan: bool,
    any_zero: bool,
    /// Whether to report pairs that differ only in their order. Not set while keys are compared for that report: each
    /// key would be compared again at each level.
    orders: bool,
}

impl Default for Comparison {
    fn default() -> Self {
        Self::new()
    }
}

impl Comparison {
    /// Returns a comparison that calls types as Godot 4 does.
    #[must_use]
    pub const fn new() -> Self {
        Self { dialect: Dialect::GODOT4, any_nan: false, any_zero: false, orders: true }
    }

    /// Chooses in whose words types are called.
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Chooses whether any NaN is as good as another.
    #[must_use]
    pub const fn any_nan(mut self, any: bool) -> Self {
        self.any_nan = any;
        self
    }

    /// Chooses whether 0 and -0 are the same.
    #[must_use]
    pub const fn any_zero(mut self, any: bool) -> Self {
        self.any_zero = any;
        self
    }

    /// Returns the first place at which two values differ; [`None`] where they mean the same.
    #[must_use]
    pub fn values<R: Real>(&self, ours: &Variant<R>, theirs: &Variant<R>) -> Option<Difference> {
        // Keys are compared once to find their order and once for themselves: keys in keys once more at each level.
        if ours.is_identical(theirs) { None } else { self.find(ours, theirs) }
    }

    /// Returns the first place at which two documents differ; [`None`] where they are the same but for the
    /// bits of numbers that do not count.
    #[must_use]
    pub fn documents(&self, ours: &Document, theirs: &Document) -> Option<Difference> {
        document::parting(ours, theirs, self)
    }

    fn name(&self, variant_type: VariantType) -> &'static str {
        self.dialect.type_name(variant_type)
    }

    /// Describes the change of a real number; [`None`] if it does not count.
    fn real(&self, ours: f64, theirs: f64) -> Option<&'static str> {
        if self.any_zero && ours == 0.0 && theirs == 0.0 {
            return None;
        }
        change::of_real(ours, theirs, self.any_nan)
    }
}
