//! Walking two documents at once.

use std::cmp::Ordering;

use super::align::{Fate, align};
use super::entry::Entry;
use super::pairing::Elements;
use super::placed::{Placed, placed};
use super::side::{Counted, Entries, Side, hash, is_map, is_mask};
use super::summary::summary;
use super::trail::{Step, Trail};
use super::{ChangeKind, Difference, Options, show};
use crate::{Document, Field, Object, Value};

/// A comparison that is under way.
pub(super) struct Comparing<'d> {
    pub(super) old: Side<'d>,
    pub(super) new: Side<'d>,
    old_trail: Trail<'d>,
    new_trail: Trail<'d>,
    strict: bool,
    found: Vec<Difference>,
}

impl<'d> Comparing<'d> {
    pub(super) fn new(old: &'d Document, new: &'d Document, options: &'d Options) -> Self {
        let strict = options.strict;
        Self {
            old: Side::new(old, strict, Some(&options.old_roots)),
            new: Side::new(new, strict, Some(&options.new_roots)),
            old_trail: Trail::default(),
            new_trail: Trail::default(),
            strict,
            found: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Vec<Difference> {
        if self.strict {
            let (old, new) = (self.old.document.header, self.new.document.header);
            self.aside("header", &format!("{old:?}"), &format!("{new:?}"));
        }
        self.table(false, "tags");
        self.table(true, "classes");
        self.object(&self.old.document.root, &self.new.document.root);
        self.found
    }

    /// The tables by content: which names they have.
    fn table(&mut self, classes: bool, name: &'static str) {
        let (old, new) = (self.old.table(classes), self.new.table(classes));
        self.only_in(ChangeKind::Removed, name, &old, &new);
        self.only_in(ChangeKind::Added, name, &new, &old);
    }

    fn only_in(&mut self, kind: ChangeKind, table: &'static str, here: &Entries, there: &Entries) {
        for (entry, count) in here {
            for _ in there.get(entry).copied().unwrap_or_default()..*count {
                self.within(Step::Aside(table), Step::Aside(table), |this| match kind {
                    ChangeKind::Removed => this.say(kind, Some(entry.clone()), None),
                    _ => this.say(kind, None, Some(entry.clone())),
                });
            }
        }
    }

    fn object(&mut self, old: &'d Object, new: &'d Object) {
        let (old_class, new_class) = (self.old.class(old), self.new.class(new));
        let outer =
            (self.old_trail.enter(old_class.clone()), self.new_trail.enter(new_class.clone()));
        if old_class != new_class {
            self.within(Step::Aside("class"), Step::Aside("class"), |this| {
                this.say(ChangeKind::TypeChanged, Some(old_class.into()), Some(new_class.into()));
            });
        }
        if self.strict {
            let shown = |object: &Object| format!("0x{:08x}", object.address);
            self.aside("address", &shown(old), &shown(new));
        }
        let (olds, news) = (self.old.fields(old), self.new.fields(new));
        let token = |side: &Side<'_>, counted: &Counted<'_>| {
            hash(&(side.tag(counted.field.tag), counted.earlier.unwrap_or_default()))
        };
        let old_tokens: Vec<_> = olds.iter().map(|field| token(&self.old, field)).collect();
        let new_tokens: Vec<_> = news.iter().map(|field| token(&self.new, field)).collect();
        for fate in align(&old_tokens, &new_tokens, |_, _| 0.0) {
            let (one, other) = fate.of(&olds, &news);
            let trees = one.zip(other).and_then(|(one, other)| {
                let old = placed(&self.old, old, one)?;
                Some((old, placed(&self.new, new, other)?))
            });
            let old_step = one.map(|it| Step::Field(self.old.tag(it.field.tag), it.earlier));
            let new_step = other.map(|it| Step::Field(self.new.tag(it.field.tag), it.earlier));
            let (one, other) = (one.map(|it| it.field), other.map(|it| it.field));
            match (trees, old_step, new_step) {
                (Some((olds, news)), Some(old), Some(new)) => {
                    self.within(old, new, |this| this.layer(&olds, &news));
                }
                (_, old_step, new_step) => self.fate(fate, (old_step, one), (new_step, other)),
            }
        }
        self.old_trail.leave(outer.0);
        self.new_trail.leave(outer.1);
    }

    /// The objects of a layer, by their ids.
    fn layer(&mut self, old: &[Placed], new: &[Placed]) {
        let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (olds.peek(), news.peek()) {
                (Some(old), Some(new)) => old.key().cmp(&new.key()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            let old = if order.is_le() { olds.next() } else { None };
            let new = if order.is_ge() { news.next() } else { None };
            let Some(either) = old.or(new) else { return };
            let step = Step::Named(either.name());
            self.within(step.clone(), step, |this| match (old, new) {
                (Some(old), Some(new)) => this.placed(old, new),
                (Some(old), None) => this.say(ChangeKind::Removed, Some(old.to_string()), None),
                (None, new) => this.say(ChangeKind::Added, None, new.map(Placed::to_string)),
            });
        }
    }

    fn placed(&mut self, old: &Placed, new: &Placed) {
        if old.is_identical(new) {
            return;
        }
        let outer = (
            self.old_trail.enter(old.template.to_string().into()),
            self.new_trail.enter(new.template.to_string().into()),
        );
        self.aspect(ChangeKind::Changed, "template", &old.template, &new.template);
        self.aspect(ChangeKind::Moved, "position", &old.position(), &new.position());
        for ((name, old), (_, new)) in old.turns().into_iter().zip(new.turns()) {
            self.aspect(ChangeKind::Changed, name, &old, &new);
        }
        self.old_trail.leave(outer.0);
        self.new_trail.leave(outer.1);
    }

    /// An element or field, and what became of it.
    fn fate(
        &mut self,
        fate: Fate,
        old: (Option<Step<'d>>, Option<&'d Field>),
        new: (Option<Step<'d>>, Option<&'d Field>),
    ) {
        let ((old_step, old), (new_step, new)) = (old, new);
        let either = old_step.clone().or_else(|| new_step.clone()).unwrap_or(Step::Any);
        let (old_step, new_step) =
            (old_step.unwrap_or_else(|| either.clone()), new_step.unwrap_or(either));
        self.within(old_step, new_step, |this| match (old, new) {
            (Some(old), Some(new)) => {
                if matches!(fate, Fate::Moved(..)) {
                    this.say(ChangeKind::Moved, None, None);
                }
                this.tags(old, new);
                this.value(&old.value, &new.value);
            }
            (Some(old), None) => {
                let before = summary(&this.old, data_of(old));
                this.say(ChangeKind::Removed, Some(before), None);
            }
            (None, Some(new)) => {
                let after = summary(&this.new, data_of(new));
                this.say(ChangeKind::Added, None, Some(after));
            }
            (None, None) => {}
        });
    }

    fn value(&mut self, old: &'d Value, new: &'d Value) {
        if let (Some(old), Some(new)) = (old.as_array(), new.as_array()) {
            return self.array(old, new);
        }
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => self.object(old, new),
            (Value::Pair(old), Value::Pair(new)) => {
                for (old, new) in old.iter().zip(new.iter()) {
                    let steps = (self.old.tag(old.tag), self.new.tag(new.tag));
                    self.within(Step::Field(steps.0, None), Step::Field(steps.1, None), |this| {
                        this.tags(old, new);
                        this.value(&old.value, &new.value);
                    });
                }
            }
            (Value::ObjectPointer(old), Value::ObjectPointer(new)) => {
                let (old, new) = (self.old.target(*old), self.new.target(*new));
                // What is not known on one side says nothing.
                let elsewhere = old.1.as_ref().zip(new.1.as_ref()).is_some_and(|(a, b)| a != b);
                if old.0 != new.0 || elsewhere {
                    let (before, after) = (show::target(old), show::target(new));
                    self.say(ChangeKind::Changed, Some(before), Some(after));
                }
            }
            (old, new) if old.field_type() == new.field_type() => {
                if !old.is_identical(new) {
                    let before = summary(&self.old, old);
                    self.say(ChangeKind::Changed, Some(before), Some(summary(&self.new, new)));
                }
            }
            (old, new) => {
                let typed = |side: &Side<'_>, value: &Value| {
                    format!("{} ({})", summary(side, value), value.field_type())
                };
                let (before, after) = (typed(&self.old, old), typed(&self.new, new));
                self.say(ChangeKind::TypeChanged, Some(before), Some(after));
            }
        }
    }

    fn array(&mut self, old: &'d [Field], new: &'d [Field]) {
        if is_mask(old) && is_mask(new) && !(old.is_empty() && new.is_empty()) {
            self.mask(old, new);
        } else if is_map(old) && is_map(new) {
            self.map(old, new);
        } else {
            self.list(old, new);
        }
    }

    /// Bools: one place each if there are as many, or one for all of them.
    fn mask(&mut self, old: &'d [Field], new: &'d [Field]) {
        if old.len() != new.len() {
            let shown = |mask: &[Field]| {
                let set = mask.iter().filter(|bit| bit.value.as_bool() == Some(true)).count();
                format!("{} bools, {set} of them true", mask.len())
            };
            return self.say(ChangeKind::Changed, Some(shown(old)), Some(shown(new)));
        }
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            self.within(Step::Index(index), Step::Index(index), |this| {
                this.tags(old, new);
                this.value(&old.value, &new.value);
            });
        }
    }

    /// Pairs, by their keys.
    fn map(&mut self, old: &'d [Field], new: &'d [Field]) {
        let (old, new) = (Entry::all(&self.old, old), Entry::all(&self.new, new));
        let tokens =
            |entries: &[Entry<'_>]| -> Vec<u64> { entries.iter().map(Entry::token).collect() };
        for fate in align(&tokens(&old), &tokens(&new), |_, _| 0.0) {
            let (old, new) = fate.of(&old, &new);
            if let (Some(old), Some(new)) = (old, new) {
                self.within(old.step(), new.step(), |this| {
                    if matches!(fate, Fate::Moved(..)) {
                        this.say(ChangeKind::Moved, None, None);
                    }
                    this.tags(old.pair, new.pair);
                    this.halves(old.pair, new.pair);
                });
                continue;
            }
            let (old_step, new_step) = (old.map(Entry::step), new.map(Entry::step));
            let (old, new) = (old.map(|entry| entry.pair), new.map(|entry| entry.pair));
            self.fate(fate, (old_step, old), (new_step, new));
        }
    }

    /// Compares the data of two pairs with the same key.
    fn halves(&mut self, old: &'d Field, new: &'d Field) {
        let (Some([old_key, old]), Some([new_key, new])) =
            (old.value.as_pair(), new.value.as_pair())
        else {
            return;
        };
        self.tags(old_key, new_key);
        let steps = (self.old.tag(old.tag), self.new.tag(new.tag));
        self.within(Step::Field(steps.0, None), Step::Field(steps.1, None), |this| {
            this.tags(old, new);
            this.value(&old.value, &new.value);
        });
        // For keys that are no number or string; others are the same here.
        self.within(Step::Aside("key"), Step::Aside("key"), |this| {
            this.value(&old_key.value, &new_key.value);
        });
    }

    /// Elements by their names, by their content, or by what they have in common.
    fn list(&mut self, old: &'d [Field], new: &'d [Field]) {
        let (olds, news) = (Elements::of(&self.old, old), Elements::of(&self.new, new));
        let step = |names: &[Option<String>], position: Option<usize>| {
            let name = position.and_then(|position| names.get(position).cloned().flatten());
            position.map(|position| name.map_or(Step::Index(position), Step::Named))
        };
        for fate in olds.align(&news) {
            let (one, other) = fate.positions();
            let (old_step, new_step) = (step(&olds.names, one), step(&news.names, other));
            let (old, new) = fate.of(old, new);
            self.fate(fate, (old_step, old), (new_step, new));
        }
    }

    /// Tags of elements and of the halves of pairs: always `item`, `pair`, `key` and `data`.
    fn tags(&mut self, old: &Field, new: &Field) {
        let (old, new) = (self.old.tag(old.tag), self.new.tag(new.tag));
        if old != new {
            self.aside("tag", &old, &new);
        }
    }

    /// Something that is not a field.
    fn aside(&mut self, what: &'static str, before: &str, after: &str) {
        if before != after {
            self.within(Step::Aside(what), Step::Aside(what), |this| {
                this.say(ChangeKind::Changed, Some(before.into()), Some(after.into()));
            });
        }
    }

    /// Something of an object of a layer.
    fn aspect(&mut self, kind: ChangeKind, name: &'static str, before: &str, after: &str) {
        if before != after {
            let step = Step::Field(name.into(), None);
            self.within(step.clone(), step, |this| {
                this.say(kind, Some(before.into()), Some(after.into()));
            });
        }
    }

    fn within(&mut self, old: Step<'d>, new: Step<'d>, inside: impl FnOnce(&mut Self)) {
        self.old_trail.push(old);
        self.new_trail.push(new);
        inside(self);
        self.old_trail.pop();
        self.new_trail.pop();
    }

    fn say(&mut self, kind: ChangeKind, before: Option<String>, after: Option<String>) {
        let (old, new) = (self.old_trail.place(), self.new_trail.place());
        self.found.push(Difference { kind, old, new, before, after });
    }
}

/// Returns the data of a pair (its second half), or the value of another field.
fn data_of(field: &Field) -> &Value {
    field.value.as_pair().map_or(&field.value, |[_, data]| &data.value)
}
