//! Files changed by a filter.

use std::cell::Cell;

use formwork_alb1::Document;
use formwork_variant::Dialect;
use formwork_variant::{NodePath, Real, Variant, VariantType};

use super::run::{Feed, Filter};
use super::value::Value;
use super::{Query, native, plain};
use crate::changed::{Changed, ShownValue};
use crate::content::{Context, keep_marks, replace_document, replace_values};
use crate::documents;
use crate::edit::side_by_side;
use crate::failure::Failure;

/// Changes that people are told, unless they want all.
pub(super) const SHOWN: usize = 20;

/// A filter that changes a file.
pub(crate) struct Updating<'q> {
    pub(super) query: &'q Query,
    /// How many values changed.
    pub(super) changes: Cell<usize>,
}

impl<'q> Updating<'q> {
    pub(super) const fn new(query: &'q Query) -> Self {
        Self { query, changes: Cell::new(0) }
    }

    /// Runs the filter, which is to give one value.
    pub(super) fn one<R: Real>(
        &self,
        filter: &Filter<R>,
        inputs: Vec<Value<R>>,
        feed: Feed,
    ) -> Result<Value<R>, Failure> {
        let mut made = None;
        let several = || {
            Failure::no("the filter gives several values where the file has one")
                .hint("to change the file, write paths with |=, such as: .player.gold |= . + 1")
        };
        filter.run(inputs, feed, |value| match made.replace(value) {
            None => Ok(()),
            Some(_) => Err(several()),
        })?;
        made.ok_or_else(|| {
            Failure::no("the filter gives no value, so nothing can be written")
                .hint("to change the file, write paths with |=, such as: .player.gold |= . + 1")
        })
    }

    /// Refuses values that replace those of a file by others of another type, unless that is forced.
    fn refuse_other_type<R: Real>(
        &self,
        (old, new): (&Variant<R>, &Variant<R>),
        context: &Context<'_>,
    ) -> Result<(), Failure> {
        if self.query.force || old.variant_type() == new.variant_type() {
            return Ok(());
        }
        let name = |value: &Variant<R>| context.dialect.type_name(value.variant_type());
        Err(Failure::usage(format!(
            "{}: the whole {} would become this {}: {}",
            context.name,
            name(old),
            name(new),
            ShownValue::of(new, context.dialect).text
        ))
        .hint("to change a value in it, write its path with = or |=, such as: .player.gold = 5")
        .hint("to print a value, leave out -i; to write it all the same, use --force"))
    }
}

impl Updating<'_> {
    /// Makes values what the filter gives.
    pub(crate) fn values<R: Real>(
        &self,
        values: &mut Vec<Variant<R>>,
        context: &Context<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        let dialect = context.dialect;
        let filter = self.query.filter::<R>(Some(dialect))?;
        let chosen = context.chosen(values)?;
        let inputs: Vec<_> = super::inputs(chosen, dialect)?;
        let mut new: Vec<Variant<R>> = if self.query.slurp {
            let made = self.one(&filter, inputs, Feed::Slurped)?;
            let made = made.elements().ok_or_else(|| {
                Failure::no("with --slurp the filter is to give the list of all values")
            })?;
            made.iter().map(|value| value.to_variant(dialect)).collect()
        } else {
            let made = inputs.into_iter().map(|input| self.one(&filter, vec![input], Feed::Each));
            made.map(|made| made.map(|made| made.to_variant(dialect))).collect::<Result<_, _>>()?
        };
        for (old, new) in chosen.iter().zip(&mut new) {
            side_by_side(old, new, dialect, |pair| {
                if pair.is_sure {
                    keep_type(pair.old, pair.new, dialect);
                }
                pair.keep_float();
            });
            self.refuse_other_type((old, new), context)?;
        }
        let changed = replace_values(values, new, context)?;
        self.changes.set(changed.len());
        Ok(changed)
    }

    /// Makes a document of Terrain Builder what the filter gives.
    pub(crate) fn document(
        &self,
        document: &mut Document,
        name: &str,
    ) -> Result<Vec<Changed>, Failure> {
        let filter = self.query.filter::<f32>(None)?;
        let failed = |what: String| Failure::no(format!("{name}: {what}"));
        let whole = plain::of_document(document, self.query.tree).map_err(failed)?;
        let feed = if self.query.slurp { Feed::Slurped } else { Feed::Each };
        let new = self.one(&filter, vec![whole], feed)?;
        let new = match (self.query.slurp, new.elements()) {
            (true, Some(mut elements)) if elements.len() == 1 => elements.remove(0),
            _ => new,
        };
        let new = plain::to_document(&new).map_err(|error| {
            let place = plain::place(&new, error.offset());
            let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
            failed(format!(
                "{place}what the filter gives is no document: expected {}, found {}",
                error.expected(),
                error.found()
            ))
            .hint("the filter is to give the whole document, such as: .mname |= \"trees\"")
        })?;
        let changed = replace_document(document, new);
        self.changes.set(changed.len());
        Ok(changed)
    }

    /// Makes a document of any other format what the filter gives.
    pub(crate) fn edit(
        &self,
        document: &mut dyn formwork::document::Document,
        name: &str,
    ) -> Result<Vec<Changed>, Failure> {
        let new = self.document_of(document, name)?;
        let changed = documents::replace(document, name, &new)?;
        self.changes.set(changed.len());
        Ok(changed)
    }
}

/// Gives a new value the type of the old one, where both mean the same: 150.0 is the int 150, and [1, 2] a
/// Vector2.
fn keep_type<R: Real>(old: &Variant<R>, new: &mut Variant<R>, dialect: Dialect) {
    if old.variant_type() != new.variant_type()
        && let Some(kept) = as_before(old, new, dialect)
    {
        *new = kept;
    }
    if is_made(new, dialect) {
        keep_marks(old, new);
    }
}

/// Whether a value is a container that says nothing of what it holds, as those are that filters make.
fn is_made<R: Real>(value: &Variant<R>, dialect: Dialect) -> bool {
    let is_shared = dialect.quirks().shared_containers;
    match value {
        Variant::Array(array) => array.element_type().is_none() && array.is_shared() == is_shared,
        Variant::Dictionary(pairs) => {
            let types = [pairs.key_type(), pairs.value_type()];
            types.iter().all(Option::is_none) && pairs.is_shared() == is_shared
        }
        _ => false,
    }
}

/// Returns a new value in the type of the old one, if that can say it.
fn as_before<R: Real>(old: &Variant<R>, new: &Variant<R>, dialect: Dialect) -> Option<Variant<R>> {
    match (old, new) {
        (Variant::Int(_), Variant::Float(_)) => {
            Value::<R>::of(new, dialect).ok()?.whole().map(Variant::Int)
        }
        (Variant::StringName(_), Variant::String(text)) => Some(Variant::StringName(text.clone())),
        (Variant::NodePath(_), Variant::String(text)) => {
            Some(Variant::NodePath(Box::new(NodePath::parse(text))))
        }
        (_, Variant::Array(_)) => {
            let variant_type = old.variant_type();
            let is_like_one = variant_type.numbers().is_some()
                || matches!(
                    variant_type,
                    VariantType::PackedByteArray | VariantType::PackedStringArray
                );
            let elements = Value::of(new, dialect).ok()?.elements()?;
            is_like_one.then(|| native::made(variant_type, &elements, dialect).ok())?
        }
        _ => None,
    }
}
