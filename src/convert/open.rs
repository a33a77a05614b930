//! Containers whose content is being converted.

use std::vec;

use super::place::{join, short, step};
use crate::error::{Path, Step};
use crate::variant::{ElementType, FullObject, KeySet, Real, Variant, VariantString, VariantType};

/// A container whose content is being converted.
pub(super) enum Open<R: Real, S: Real> {
    Array {
        /// What it is, and what it becomes.
        types: (VariantType, VariantType),
        element: Option<ElementType>,
        shared: bool,
        source: vec::IntoIter<Variant<R>>,
        made: Vec<Variant<S>>,
    },
    Dictionary {
        types: [Option<ElementType>; 2],
        shared: bool,
        source: vec::IntoIter<(Variant<R>, Variant<R>)>,
        read: usize,
        /// The value that comes next, and its key.
        next: Option<Variant<R>>,
        key: Option<Variant<S>>,
        pairs: KeySet<S>,
    },
    Object {
        source: vec::IntoIter<(VariantString, Variant<R>)>,
        read: usize,
        name: VariantString,
        made: MadeObject<S>,
    },
}

/// What an object becomes.
pub(super) enum MadeObject<S: Real> {
    Object(Box<FullObject<S>>),
    Dictionary(KeySet<S>),
}

impl<R: Real, S: Real> Open<R, S> {
    /// Takes away what is in it; whether there was anything.
    pub(super) fn empty(&mut self) -> bool {
        match self {
            Self::Array { source, .. } => std::mem::take(source).len() > 0,
            Self::Dictionary { source, .. } => std::mem::take(source).len() > 0,
            Self::Object { source, .. } => std::mem::take(source).len() > 0,
        }
    }

    /// What it is, and what there is in it.
    pub(super) const fn type_and_content(&self) -> (VariantType, &'static str) {
        match self {
            Self::Array { types: (from, _), .. } => (*from, "elements"),
            Self::Dictionary { .. } => (VariantType::Dictionary, "pairs"),
            Self::Object { .. } => (VariantType::Object, "properties"),
        }
    }

    /// The next value in it.
    pub(super) fn next(&mut self) -> Option<Variant<R>> {
        match self {
            Self::Array { source, .. } => source.next(),
            Self::Dictionary { source, read, next, .. } => next.take().or_else(|| {
                let (key, value) = source.next()?;
                *read += 1;
                *next = Some(value);
                Some(key)
            }),
            Self::Object { source, read, name, .. } => {
                let (next, value) = source.next()?;
                *read += 1;
                *name = next;
                Some(value)
            }
        }
    }
}

/// Where the value is that is being converted: in the words of the records, and in a person's.
pub(super) fn whereabouts<R: Real, S: Real>(open: &[Open<R, S>]) -> (Path, String) {
    let mut path = Path::default();
    let mut places = Vec::new();
    for open in open {
        match open {
            Open::Array { types: (from, _), made, .. } => {
                path.push(Step::Field(from.path_name()));
                path.push(Step::Index(made.len() as u64));
                places.push(made.len().to_string());
            }
            Open::Dictionary { read, key, .. } => {
                let index = read.saturating_sub(1);
                path.push(Step::Field(VariantType::Dictionary.path_name()));
                path.push(Step::Index(index as u64));
                path.push(Step::Field(if key.is_some() { "value" } else { "key" }));
                places.push(match key {
                    Some(key) => step(key, index),
                    None => format!("key [{index}]"),
                });
            }
            Open::Object { read, name, .. } => {
                let index = read.saturating_sub(1);
                path.push(Step::Field(VariantType::Object.path_name()));
                path.push(Step::Field("properties"));
                path.push(Step::Index(index as u64));
                places.push(short(name));
            }
        }
    }
    (path, join(&places))
}
