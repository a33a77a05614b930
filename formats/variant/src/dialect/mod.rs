//! Dialects: the numbers of the types, the layout of their packets, and the behaviour of the engine that a layout
//! cannot express. All of it is data.
//!
//! The format has no version mark: a reader must be told the dialect, or detect it (`formwork_godot::detect`).

#![deny(clippy::wildcard_enum_match_arm)]

pub(crate) mod payload;
mod quirks;
mod table;

use std::fmt;
use std::str::FromStr;

use formwork_records::inspect::Naming;
use formwork_records::schema::TYPE_ID;

pub use payload::Packet;
pub use payload::{BOOL, EMPTY, Once, numbers_alone};
pub use quirks::{FloatWidth, IntWidth, NullObject, ObjectForms, OtherElements, Quirks, TextStyle};
pub use table::Row;

pub use crate::value::SameKeys;

use crate::VariantType;

/// A family of engines that number their types alike.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Family {
    /// Godot 1.0 to 2.1.
    Godot2,
    /// Godot 3.0 to 3.6, and the form in the Pandemonium documentation.
    Godot3,
    /// Pandemonium 3.5 to 3.7.
    Pandemonium3,
    /// Pandemonium 3.8 to 4.9.
    Pandemonium4,
    /// Pandemonium 5.0 and later.
    Pandemonium5,
    /// Godot 4.0 to 4.7.
    Godot4,
}

impl Family {
    /// Returns whether it is the same engine, which keeps the names of its classes and the meaning of its
    /// objects however it numbers its types.
    #[must_use]
    pub const fn is_same_engine(self, other: Self) -> bool {
        self.is_pandemonium() && other.is_pandemonium() || self as u8 == other as u8
    }

    const fn is_pandemonium(self) -> bool {
        matches!(self, Self::Pandemonium3 | Self::Pandemonium4 | Self::Pandemonium5)
    }
}

/// The width of the engine's `real_t`.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Precision {
    /// 32 bits, as engines are distributed.
    #[default]
    Single,
    /// 64 bits: a Godot 4 built with `precision=double`.
    Double,
}

/// One engine release (or range of releases with the same wire format).
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) description: &'static str,
    /// The rows of the family's table that this release has.
    pub(crate) rows: &'static [Row],
    /// The rows' numbers by type, [`Engine::NO_ID`] for types that it does not have.
    pub(crate) ids: [u8; VariantType::ALL.len()],
    pub(crate) quirks: Quirks,
}

impl formwork::Family for Engine {
    fn name(&self, id: u16, number: u64) -> Option<&str> {
        let row = self.rows.get(usize::try_from(number).ok()?);
        row.filter(|_| id == TYPE_ID).map(|row| row.name)
    }
}

impl Engine {
    /// A number that is larger than that of any row.
    pub(crate) const NO_ID: u8 = u8::MAX;
}

/// The dialect of one engine release: a reference to its table and quirks.
///
/// Every release has a constant, and every family one for its newest release. A name of the command line
/// gives a dialect, too, by [`str::parse`].
///
/// ```
/// use formwork_variant::Dialect;
///
/// assert_eq!(Dialect::GODOT4, Dialect::GODOT4_7);
/// assert_eq!(Dialect::GODOT4_3.name(), "godot4.3");
/// assert_eq!("godot4.3".parse(), Ok(Dialect::GODOT4_3));
/// ```
#[derive(Clone, Copy)]
pub struct Dialect {
    engine: &'static Engine,
    precision: Precision,
}

impl Dialect {
    /// The newest Godot 2: [`GODOT2_1`](Self::GODOT2_1).
    pub const GODOT2: Self = Self::GODOT2_1;
    /// The newest Godot 3: [`GODOT3_6`](Self::GODOT3_6).
    pub const GODOT3: Self = Self::GODOT3_6;
    /// The newest Godot 4: [`GODOT4_7`](Self::GODOT4_7).
    pub const GODOT4: Self = Self::GODOT4_7;
    /// The newest Pandemonium: [`PANDEMONIUM5`](Self::PANDEMONIUM5).
    pub const PANDEMONIUM: Self = Self::PANDEMONIUM5;

    /// Every dialect, in single precision, the oldest of each family first.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        table::ENGINES.iter().map(|engine| Self::single(engine))
    }

    const fn single(engine: &'static Engine) -> Self {
        Self { engine, precision: Precision::Single }
    }

    /// The full name, such as `godot3.6` or `godot4.7-double`.
    #[must_use]
    pub fn name(self) -> String {
        self.to_string()
    }

    /// Returns a sentence that names the engines of the dialect.
    #[must_use]
    pub const fn description(self) -> &'static str {
        self.engine.description
    }

    /// The family.
    #[must_use]
    pub const fn family(self) -> Family {
        self.engine.family
    }

    /// The width of the math types' components.
    #[must_use]
    pub const fn precision(self) -> Precision {
        self.precision
    }

    /// Returns the dialect in another precision; [`None`] if the engine has no such form. (Only
    /// Godot 4 has a double-precision form; the builds of the others write garbage.)
    #[must_use]
    pub fn with_precision(mut self, precision: Precision) -> Option<Self> {
        if precision == Precision::Double && !self.quirks().real_flag {
            return None;
        }
        self.precision = precision;
        Some(self)
    }

    /// Returns the behaviour of the engine that a layout cannot express.
    #[inline]
    #[must_use]
    pub const fn quirks(self) -> &'static Quirks {
        &self.engine.quirks
    }

    /// The types, by number.
    #[inline]
    #[must_use]
    pub const fn rows(self) -> &'static [Row] {
        self.engine.rows
    }

    /// Returns the names of the types' numbers, for inspectors.
    #[must_use]
    pub fn naming(self) -> Naming {
        self.engine
    }

    /// The type with this number.
    #[inline]
    #[must_use]
    pub fn row(self, type_id: u32) -> Option<&'static Row> {
        self.rows().get(usize::try_from(type_id).ok()?)
    }

    /// The row of a type, if the dialect has it.
    #[must_use]
    pub fn row_of(self, variant_type: VariantType) -> Option<&'static Row> {
        self.rows().get(usize::from(self.type_id(variant_type)?))
    }

    /// The type's number in this dialect.
    #[inline]
    #[must_use]
    pub fn type_id(self, variant_type: VariantType) -> Option<u8> {
        let id = self.engine.ids.get(variant_type as usize).copied();
        id.filter(|&id| id != Engine::NO_ID)
    }

    /// Returns the type's name in this dialect; Godot 4's if the dialect lacks the type.
    #[must_use]
    pub fn type_name(self, variant_type: VariantType) -> &'static str {
        self.row_of(variant_type).map_or(variant_type.name(), |row| row.name)
    }

    /// Returns the type with this name in the dialect.
    #[must_use]
    pub fn type_named(self, name: &str) -> Option<VariantType> {
        self.rows().iter().find(|row| row.name == name).map(|row| row.variant_type)
    }

    /// Returns whether a double-precision build omits the flag of this type, so that its packets cannot be
    /// distinguished from those in 32 bits.
    pub(crate) fn lacks_real_flag(self, variant_type: VariantType) -> bool {
        self.precision() == Precision::Double
            && self.quirks().real_flag_missing
            && matches!(variant_type, VariantType::Vector4 | VariantType::Projection)
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.engine, other.engine) && self.precision == other.precision
    }
}

impl Eq for Dialect {}

impl std::hash::Hash for Dialect {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.engine.name.hash(state);
        self.precision.hash(state);
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.engine.name)?;
        match self.precision {
            Precision::Single => Ok(()),
            Precision::Double => f.write_str("-double"),
        }
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({self})")
    }
}

/// A name that is no dialect's.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no dialect is called '{}'; there are godot1, godot2.0", self.0)?;
        for dialect in Dialect::all().skip(1) {
            write!(f, ", {dialect}")?;
        }
        f.write_str(
            ", the family names godot3, godot4 and pandemonium for the newest of each, \
             and the Godot 4 names with -double behind them",
        )
    }
}

impl std::error::Error for UnknownDialect {}

/// Returns the name of a dialect that a release belongs to, such as `godot2` for `godot2.1.6`: the parts after the
/// minor number are ignored, and so is the minor number of a Pandemonium release.
fn in_engine_names(release: &str) -> Option<String> {
    let digits = release.find(|c: char| c.is_ascii_digit())?;
    let (engine, version) = release.split_at(digits);
    let mut numbers = version.split('.').map(|number| number.parse::<u16>().ok());
    let (major, minor, patch) = (numbers.next()??, numbers.next()?, numbers.next());
    if numbers.next().is_some() || patch == Some(None) {
        return None;
    }
    Some(match (engine, major, minor?) {
        ("godot", 1, 0..=1) => "godot2.0".to_owned(),
        ("godot", 2, 1) => "godot2".to_owned(),
        // Pandemonium's numbers changed with 3.8, within a major version.
        ("pandemonium", 3, 8..) => "pandemonium4".to_owned(),
        ("pandemonium", _, _) => format!("pandemonium{major}"),
        (_, _, minor) => format!("{engine}{major}.{minor}"),
    })
}

/// Parses a name: a family (`godot3`, the newest of it), a release (`godot3.2`, `godot2.1.6`, `pandemonium5.3`; a
/// patch number is ignored), for Godot 4 optionally followed by `-double`.
impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let unknown = || UnknownDialect(name.to_owned());
        let (release, precision) = match name.strip_suffix("-double") {
            Some(release) => (release, Precision::Double),
            None => (name, Precision::Single),
        };
        let exact = |release: &str| Self::all().find(|dialect| dialect.engine.name == release);
        let found = match release {
            "godot1" => exact("godot2.0"),
            "godot3" => Some(Self::GODOT3),
            "godot4" => Some(Self::GODOT4),
            "pandemonium" => Some(Self::PANDEMONIUM),
            _ => exact(release).or_else(|| exact(&in_engine_names(release)?)),
        };
        found.and_then(|dialect| dialect.with_precision(precision)).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_to_its_dialect() {
        for dialect in Dialect::all() {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
        assert_eq!("godot3.2.3".parse(), "godot3.2".parse::<Dialect>());
        for (name, dialect) in [
            ("godot1", "godot2.0"),
            ("godot1.0", "godot2.0"),
            ("godot1.1.0", "godot2.0"),
            ("godot2.0.4", "godot2.0"),
            ("godot2.1", "godot2"),
            ("godot2.1.6", "godot2"),
            ("godot4.6.3-double", "godot4.6-double"),
            ("godot4.7.2", "godot4.7"),
            ("pandemonium3.5", "pandemonium3"),
            ("pandemonium3.7.1", "pandemonium3"),
            ("pandemonium3.9", "pandemonium4"),
            ("pandemonium4.9", "pandemonium4"),
            ("pandemonium5.3", "pandemonium5"),
        ] {
            assert_eq!(name.parse(), dialect.parse::<Dialect>(), "{name}");
            assert!(name.parse::<Dialect>().is_ok(), "{name}");
        }
        for name in
            ["godot2.2", "godot1.2", "godot3.2.x", "godot3.2.3.4", "godot.3", "pandemonium6.0"]
        {
            assert!(name.parse::<Dialect>().is_err(), "{name}");
        }
        assert!("godot4.7-double".parse::<Dialect>().is_ok());
        assert!("godot3-double".parse::<Dialect>().is_err());
        assert!("godot5".parse::<Dialect>().is_err());
        assert!("godot3.7".parse::<Dialect>().is_err());
    }

    #[test]
    fn every_release_has_a_constant_and_a_family_its_newest() {
        assert_eq!("godot2.0".parse(), Ok(Dialect::GODOT2_0));
        assert_eq!("godot2.1".parse(), Ok(Dialect::GODOT2_1));
        assert_eq!("godot3.2".parse(), Ok(Dialect::GODOT3_2));
        assert_eq!("godot4.3".parse(), Ok(Dialect::GODOT4_3));
        assert_eq!("pandemonium4".parse(), Ok(Dialect::PANDEMONIUM4));
        assert_eq!("pandemonium-docs".parse(), Ok(Dialect::PANDEMONIUM_DOCS));
        for (family, newest) in [
            (Family::Godot2, Dialect::GODOT2),
            (Family::Godot4, Dialect::GODOT4),
            (Family::Pandemonium5, Dialect::PANDEMONIUM),
        ] {
            assert_eq!(Dialect::all().rfind(|dialect| dialect.family() == family), Some(newest));
        }
        assert_eq!(Dialect::GODOT3, Dialect::GODOT3_6);
    }

    #[test]
    fn a_table_has_no_type_and_no_name_twice() {
        for dialect in Dialect::all() {
            for row in dialect.rows() {
                assert_eq!(dialect.row_of(row.variant_type).map(|row| row.name), Some(row.name));
                assert_eq!(dialect.type_named(row.name), Some(row.variant_type));
            }
        }
    }
}
