//! The settings of a reader.

use std::marker::PhantomData;

use crate::Real;
use crate::dialect::Dialect;
use formwork::{Path, Rule};
use formwork_records::limits::Limits;

/// The treatment of bytes that the engine would not have written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Strictness {
    /// Accepts exactly the bytes that the engine accepts.
    #[default]
    Engine,
    /// Accepts only bytes that writing the value would produce again.
    Canonical,
}

/// A deviation that the engine accepts but would not write.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Warning {
    /// The rule from which the bytes deviate.
    pub rule: Rule,
    /// The offset of the bytes.
    pub offset: u64,
    /// The path of the field. In a list of warnings about deeply nested values there may be more paths than the
    /// packet has bytes: after the first 16384 steps, and one for each 16 bytes, a path is only
    /// [`LEFT_OUT`](Self::LEFT_OUT) and the type of the value.
    pub path: Path,
}

impl Warning {
    /// The step of a [`path`](Self::path) in the place of those that are left out.
    pub const LEFT_OUT: &'static str = "(...)";
}

/// Reads packets of one dialect.
///
/// Reads values of single precision, as the engines are distributed; [`double`](Self::double) makes one for a
/// build of double precision.
///
/// ```
/// use formwork_variant::{Strictness, Decoder, Dialect};
///
/// let decoder = Decoder::new(Dialect::GODOT4).strictness(Strictness::Canonical);
/// // A bool that is neither 0 nor 1: Godot takes it for true, but would never write it.
/// let error = decoder.decode(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap_err();
/// assert_eq!(error.rule().name(), "bool.value");
/// assert_eq!(error.offset(), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder<R: Real = f32> {
    pub(super) dialect: Dialect,
    pub(crate) strictness: Strictness,
    pub(super) limits: Limits,
    pub(super) objects: bool,
    pub(super) progress: Option<fn(u64)>,
    precision: PhantomData<fn() -> R>,
}

impl Decoder {
    /// Makes a decoder at the engine's strictness, with the default limits, that refuses objects in full form.
    ///
    /// Its values are of single precision. Of a dialect of double precision it refuses those that do not fit.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        let (strictness, limits) = (Strictness::Engine, Limits::new());
        let (objects, progress) = (false, None);
        Self { dialect, strictness, limits, objects, progress, precision: PhantomData }
    }
}

impl<R: Real> Decoder<R> {
    /// Makes values of double precision instead. They hold all of a dialect of either precision.
    ///
    /// ```
    /// use formwork_variant::{Decoder, Dialect, Variant};
    ///
    /// let dialect: Dialect = "godot4-double".parse().unwrap();
    /// // Vector2(0.1, 0.2), as a build with precision=double writes it.
    /// let mut bytes = vec![5, 0, 1, 0];
    /// bytes.extend([0.1_f64, 0.2].map(f64::to_le_bytes).concat());
    ///
    /// let value: Variant<f64> = Decoder::new(dialect).double().decode(&bytes)?;
    /// assert_eq!(value.to_string(), "Vector2(0.1, 0.2)");
    /// // 32 bits do not hold it.
    /// assert!(Decoder::new(dialect).decode(&bytes).is_err());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub const fn double(self) -> Decoder<f64> {
        self.in_precision()
    }

    /// Makes values of another precision instead: for code that is generic over it.
    #[must_use]
    pub const fn in_precision<S: Real>(self) -> Decoder<S> {
        let Self { dialect, strictness, limits, objects, progress, .. } = self;
        Decoder { dialect, strictness, limits, objects, progress, precision: PhantomData }
    }

    /// Chooses the strictness.
    #[must_use]
    pub const fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Accepts objects in full form, as the engines do with `allow_objects`. They are read as data and never run.
    #[must_use]
    pub const fn allow_objects(mut self, allow: bool) -> Self {
        self.objects = allow;
        self
    }

    /// Calls `told` with the number of bytes that were read since the last call: at the end of every value that is
    /// decoded, and among the values of a long container every 64 KiB or so. For people who wait.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use formwork_variant::{Decoder, Dialect};
    ///
    /// static READ: AtomicU64 = AtomicU64::new(0);
    ///
    /// let told = |bytes| {
    ///     READ.fetch_add(bytes, Ordering::Relaxed);
    /// };
    /// // The int 7.
    /// Decoder::new(Dialect::GODOT4).progress(told).decode(&[2, 0, 0, 0, 7, 0, 0, 0])?;
    /// assert_eq!(READ.load(Ordering::Relaxed), 8);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub const fn progress(mut self, told: fn(u64)) -> Self {
        self.progress = Some(told);
        self
    }

    /// Returns whether only bytes are accepted that writing the value would produce again.
    #[must_use]
    pub const fn is_canonical(&self) -> bool {
        matches!(self.strictness, Strictness::Canonical)
    }

    /// Returns whether a packet of the dialect may start with this word.
    pub(crate) fn is_header(&self, word: u32) -> bool {
        let id = self.dialect.quirks().type_id(word);
        let packet = self.dialect.row(id).and_then(|row| self.dialect.packet(row.variant_type));
        packet.is_some_and(|packet| word & packet.header.unused_bits() == 0)
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The limits.
    #[must_use]
    pub const fn size_limits(&self) -> &Limits {
        &self.limits
    }
}
