//! Which expressions speak of a number.

use super::{Expression, Record, Repetition};

/// A record, and which of its fields one looks at.
pub(crate) type Level = (&'static Record, usize);

/// An expression that speaks of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// The expression.
    pub(crate) expression: Expression,
    /// What it is for.
    pub(crate) purpose: Purpose,
    /// The record that it stands in, counted from the outermost.
    pub(crate) level: usize,
}

/// What an expression is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Purpose {
    /// It must hold.
    Check,
    /// It says how many elements of so many bytes follow.
    Count(usize),
    /// It says whether something follows, or how much padding.
    Other,
}

/// Finds the expressions that speak of the innermost of these fields, from the record `first` on.
pub(crate) fn uses_of(levels: &[Level], first: usize) -> Vec<Use> {
    let mut uses = Vec::new();
    let names = names_of(levels);
    for (level, (record, position)) in levels.iter().enumerate().skip(first) {
        let path = names.get(level..).unwrap_or_default();
        let mut add = |expression: Expression, purpose: Purpose| {
            let mut spoken_of = false;
            expression.paths(&mut |of| spoken_of |= of.starts_with(path));
            if spoken_of {
                uses.push(Use { expression, purpose, level });
            }
        };
        for (at, field) in record.fields.iter().enumerate().skip(*position) {
            let occurs = field.occurs.expression().filter(|_| at > *position);
            if let Some(expression) = occurs {
                let purpose = match field.occurs {
                    Repetition::Times(_) => Purpose::Count(field.shape().least().max(1)),
                    Repetition::Fill(_) => Purpose::Count(1),
                    _ => Purpose::Other,
                };
                add(*expression, purpose);
            }
            field.checks.iter().for_each(|check| add(*check, Purpose::Check));
        }
        record.checks.iter().for_each(|check| add(*check, Purpose::Check));
    }
    uses
}

/// The names of the fields that one looks at.
pub(crate) fn names_of(levels: &[Level]) -> Vec<&'static str> {
    let name =
        |(record, position): &Level| record.fields.get(*position).map_or("", |field| field.name);
    levels.iter().map(name).collect()
}
