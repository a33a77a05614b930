//! The meaning of a path from the command line in the rows of a file.

use formwork_godot::inspect::{Kind, Span, SpanType};

/// The mark of the rows at a path.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// The names of the enclosing rows and of the row itself, outermost first.
    Names(Vec<String>),
    /// The offset of the packet or field of a value.
    Value(u64),
    /// The path of rows that have a path themselves.
    Path(String),
}

impl Place {
    /// Splits a path of row names, separated by `/`. Without the name of one of the `records`, the path starts in the
    /// first of them.
    pub(crate) fn names(path: &str, records: &[&str]) -> Self {
        let mut names: Vec<_> =
            path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let is_in = |record: &&str| names.first().is_some_and(|first| first == record);
        if let (Some(record), false) = (records.first(), records.iter().any(is_in)) {
            names.insert(0, (*record).to_owned());
        }
        Self::Names(names)
    }

    /// Returns whether a span is the row at the place. The number `matched` counts the names that the enclosing rows
    /// have.
    pub(super) fn is(&self, span: &Span<'_>, matched: &mut usize) -> bool {
        let names = match self {
            Self::Path(_) => return false,
            Self::Value(offset) => {
                let is_value = matches!(span.layout, SpanType::Packet(_) | SpanType::Field(_));
                return is_value && span.offset == *offset;
            }
            Self::Names(names) => names,
        };
        let depth = span.depth as usize;
        if depth > *matched || span.kind == Kind::Part {
            return false;
        }
        let is_named = names.get(depth).is_some_and(|name| *name == span.name.to_string());
        *matched = depth + usize::from(is_named);
        *matched == names.len()
    }
}
