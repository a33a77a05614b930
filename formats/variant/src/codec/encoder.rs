//! The settings of a writer.

use std::marker::PhantomData;

use crate::Real;
use crate::dialect::Dialect;
use formwork_records::limits::Limits;

/// The form in which objects are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum ObjectForm {
    /// Each in the form that the value holds.
    #[default]
    AsHeld,
    /// All as ids, as the engines do without `full_objects`. An object held in full has no id and is
    /// refused.
    Id,
    /// All in full form, as the engines do with `full_objects`: a placeholder is written as the object of class
    /// `EncodedObjectAsID` that the engine has for it.
    Full,
}

/// Writes packets of one dialect.
///
/// Takes values of single precision, as the engines are distributed; [`double`](Self::double) returns an encoder for
/// those of double precision.
///
/// ```
/// use formwork_variant::Vector2;
/// use formwork_variant::{Dialect, Encoder, Variant};
///
/// let encoder = Encoder::new(Dialect::GODOT3);
/// let bytes = encoder.encode(&Vector2::new(1.0, 2.0).into())?;
/// assert_eq!(bytes, [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
///
/// // Godot 3 has no StringName, so nothing is written.
/// let error = encoder.encode(&Variant::StringName("idle".into())).unwrap_err();
/// assert_eq!(error.rule().name(), "dialect.type");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encoder<R: Real = f32> {
    pub(super) dialect: Dialect,
    pub(super) objects: ObjectForm,
    pub(super) depth: Option<u32>,
    pub(super) rounding: bool,
    precision: PhantomData<fn(R)>,
}

impl Encoder {
    /// Makes an encoder that makes the choices of the dialect's engine.
    ///
    /// It takes values of single precision, also for a dialect of double precision.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        let objects = ObjectForm::AsHeld;
        Self { dialect, objects, depth: None, rounding: false, precision: PhantomData }
    }
}

impl<R: Real> Encoder<R> {
    /// Takes values of double precision instead. Of a dialect of single precision it refuses those that do not
    /// fit.
    #[must_use]
    pub const fn double(self) -> Encoder<f64> {
        self.in_precision()
    }

    /// Takes values of another precision instead: for code that is generic over it.
    #[must_use]
    pub const fn in_precision<S: Real>(self) -> Encoder<S> {
        let Self { dialect, objects, depth, rounding, .. } = self;
        Encoder { dialect, objects, depth, rounding, precision: PhantomData }
    }

    /// Chooses the form of objects.
    #[must_use]
    pub const fn objects(mut self, objects: ObjectForm) -> Self {
        self.objects = objects;
        self
    }

    /// Sets the limits. Only the [depth](Limits::depth) is used; without one the engine's limit applies.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.depth = limits.depth;
        self
    }

    /// Rounds a float to the 32 bits that the dialect has for it (Godot 2 has no more), as the engine
    /// does, instead of refusing one that they do not hold. One that is too large for them is refused all the same:
    /// the engine would make it infinite.
    #[must_use]
    pub const fn rounding(mut self, rounding: bool) -> Self {
        self.rounding = rounding;
        self
    }

    /// Returns whether objects are written in the form in which values hold them.
    #[must_use]
    pub const fn keeps_objects(&self) -> bool {
        matches!(self.objects, ObjectForm::AsHeld)
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }
}
