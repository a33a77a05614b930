//! Differences between two documents, by object.

use formwork_alb1::Document;
use formwork_alb1::diff::{self, ChangeKind, Options};

use crate::changed::{Changed, Holder, ShownValue};

/// Returns the differences between two documents.
pub(crate) fn differences(old: &Document, new: &Document, options: &Options) -> Vec<Changed> {
    let words = |words: &Option<String>| words.as_deref().map(ShownValue::of_words);
    let shown = |it: &diff::Difference| {
        let diff::Place { object, class, field, .. } = it.place().clone();
        let (place, old) = (it.place().to_string(), it.old.to_string());
        let is_added = it.kind == ChangeKind::Added;
        Changed {
            old_place: Some(old).filter(|old| !is_added && *old != place),
            holder: Some(Holder { object, class, field }),
            ..Changed::at(place, it.kind.name(), words(&it.before), words(&it.after))
        }
    };
    diff::diff(old, new, options).iter().map(shown).collect()
}
