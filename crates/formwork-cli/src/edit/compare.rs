//! The walk over an old value and the new one.

use formwork::Dialect;
use formwork::json::{Style, to_json};
use formwork::variant::{Array, Dictionary, Object, Real, Variant};

use super::{Found, keys};
use crate::style::shown;

/// What the names of places need to be known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels {
    /// Which of several values it is.
    pub(super) number: Option<usize>,
    pub(super) dialect: Dialect,
}

/// Where a value stands in the one around it.
#[derive(Clone, Copy, Debug)]
struct Place<'v, R: Real> {
    part: Part<'v, R>,
    /// The position in the new container; of what is gone, that in the old one.
    at: usize,
}

#[derive(Debug)]
enum Part<'v, R: Real> {
    Element,
    Key(&'v Variant<R>),
    Value(&'v Variant<R>),
    Property(&'v formwork::variant::VariantString),
}

impl<R: Real> Clone for Part<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Real> Copy for Part<'_, R> {}

/// A container that is compared: where it stands in the one around it, which is a number in the list
/// of all of them. (A list instead of recursion: depth costs no stack.)
struct Node<'v, R: Real> {
    outer: usize,
    place: Place<'v, R>,
}

/// A pair of values to be compared.
struct Waiting<'v, 'n, R: Real> {
    outer: usize,
    place: Place<'v, R>,
    old: &'v Variant<R>,
    new: &'n mut Variant<R>,
}

/// Stands for no container around a value.
const TOP: usize = usize::MAX;

/// Compares two values.
pub(super) struct Comparison<'f, 'v, R: Real> {
    found: &'f mut Found,
    labels: Labels,
    keep: bool,
    nodes: Vec<Node<'v, R>>,
}

impl<'f, 'v, R: Real> Comparison<'f, 'v, R> {
    pub(super) const fn new(found: &'f mut Found, labels: Labels, keep: bool) -> Self {
        Self { found, labels, keep, nodes: Vec::new() }
    }

    pub(super) fn run(mut self, old: &'v Variant<R>, new: &mut Variant<R>) {
        let place = Place { part: Part::Element, at: 0 };
        let mut waiting = vec![Waiting { outer: TOP, place, old, new }];
        while let Some(pair) = waiting.pop() {
            let before = waiting.len();
            self.pair(pair, &mut waiting);
            // The first comes next.
            waiting[before..].reverse();
        }
    }

    fn pair<'n>(&mut self, pair: Waiting<'v, 'n, R>, waiting: &mut Vec<Waiting<'v, 'n, R>>) {
        let Waiting { outer, place, old, new } = pair;
        if self.keep
            && let (Variant::Float(_), Variant::Int(number)) = (old, &*new)
            && let float = *number as f64
            && float as i128 == i128::from(*number)
        {
            *new = Variant::Float(float);
            let (exact, pattern) = self.words(outer, place, "");
            self.found.floats.add(&exact, Some(pattern));
        }
        if old.variant_type() != new.variant_type() {
            let name = |value: &Variant<R>| self.labels.dialect.type_name(value.variant_type());
            let change = format!(": {} -> {}", name(old), name(new));
            let (exact, pattern) = self.words(outer, place, &change);
            self.found.types.add(&exact, Some(pattern));
            return self.changed(outer, place, "");
        }
        let goes_in = match (old, &*new) {
            (Variant::Object(Object::Full(old)), Variant::Object(Object::Full(new))) => {
                old.class == new.class && same_names(&old.properties, &new.properties)
            }
            (old, _) => is_container(old),
        };
        if !goes_in {
            if !old.is_identical(new) {
                self.changed(outer, place, "");
            }
            return;
        }
        match (old, new) {
            (Variant::Array(old), Variant::Array(new)) => {
                let node = self.node(outer, place);
                self.elements(node, old, new, waiting);
            }
            (Variant::TypedArray(old), Variant::TypedArray(new))
            | (Variant::PackedTypedArray(old), Variant::PackedTypedArray(new)) => {
                let node = self.node(outer, place);
                if old.element != new.element {
                    self.changed(outer, place, " (element type)");
                }
                self.elements(node, &old.elements, &mut new.elements, waiting);
            }
            (Variant::Dictionary(old), Variant::Dictionary(new)) => {
                let node = self.node(outer, place);
                self.pairs(node, old, new, waiting);
            }
            (Variant::Object(Object::Full(old)), Variant::Object(Object::Full(new))) => {
                let node = self.node(outer, place);
                let properties = old.properties.iter().zip(&mut new.properties).enumerate();
                waiting.extend(properties.map(|(index, ((name, old), (_, new)))| {
                    let place = Place { part: Part::Property(name), at: index };
                    Waiting { outer: node, place, old, new }
                }));
            }
            // Those were compared above.
            _ => {}
        }
    }

    fn elements<'n>(
        &mut self,
        node: usize,
        old: &'v Array<R>,
        new: &'n mut Array<R>,
        waiting: &mut Vec<Waiting<'v, 'n, R>>,
    ) {
        if old.element_type() != new.element_type() || old.is_shared() != new.is_shared() {
            let Node { outer, place } = self.nodes[node];
            self.changed(outer, place, " (element type)");
        }
        let place = |at| Place { part: Part::Element, at };
        let (before, after) = (old.len(), new.len());
        (before..after).for_each(|index| self.changed(node, place(index), " (new)"));
        (after..before).for_each(|index| self.changed(node, place(index), " (gone)"));
        let pairs = old.iter().zip(new.iter_mut()).enumerate();
        waiting.extend(pairs.map(|(index, (old, new))| Waiting {
            outer: node,
            place: place(index),
            old,
            new,
        }));
    }

    fn pairs<'n>(
        &mut self,
        node: usize,
        old: &'v Dictionary<R>,
        new: &'n mut Dictionary<R>,
        waiting: &mut Vec<Waiting<'v, 'n, R>>,
    ) {
        let Node { outer, place } = self.nodes[node];
        let types = |of: &Dictionary<R>| (of.key_type().cloned(), of.value_type().cloned());
        if types(old) != types(new) || old.is_shared() != new.is_shared() {
            self.changed(outer, place, " (element type)");
        }
        let mut aligned = keys::align(old, new, self.labels.dialect);
        if self.keep && keys::restore_order(new, &mut aligned) {
            let (exact, pattern) = self.words(outer, place, "");
            self.found.order.add(&exact, Some(pattern));
        }
        let known: Vec<_> = aligned.iter().flatten().copied().collect();
        if !known.is_sorted() {
            self.changed(outer, place, " (order)");
        }
        let mut gone = vec![true; old.len()];
        known.iter().for_each(|&position| gone[position] = false);
        for (position, (key, _)) in old.iter().enumerate().filter(|(position, _)| gone[*position]) {
            let place = Place { part: Part::Value(key), at: position };
            self.changed(node, place, " (gone)");
        }
        for (position, ((key, value), found)) in new.iter_mut().zip(aligned).enumerate() {
            let Some((old_key, old_value)) = found.and_then(|found| old.as_slice().get(found))
            else {
                let words = self.words_of_key(node, key);
                self.found
                    .changed
                    .add(&format!("{} (new)", words.0), Some(format!("{} (new)", words.1)));
                continue;
            };
            let place = |part| Place { part, at: position };
            let (of_key, of_value) = (place(Part::Key(old_key)), place(Part::Value(old_key)));
            waiting.push(Waiting { outer: node, place: of_key, old: old_key, new: key });
            waiting.push(Waiting { outer: node, place: of_value, old: old_value, new: value });
        }
    }

    fn node(&mut self, outer: usize, place: Place<'v, R>) -> usize {
        self.nodes.push(Node { outer, place });
        self.nodes.len() - 1
    }

    fn changed(&mut self, outer: usize, place: Place<'v, R>, what: &str) {
        let (exact, pattern) = self.words(outer, place, what);
        self.found.changed.add(&exact, Some(pattern));
    }

    /// A place as a person names it, and with `*` for what is counted; `what` is said behind it.
    fn words(&self, outer: usize, place: Place<'v, R>, what: &str) -> (String, String) {
        /// Steps shown at the outer and inner end of a path too long to read.
        const SHOWN: usize = 12;
        let mut steps = Vec::new();
        let (mut outer, mut place) = (outer, place);
        while outer != TOP {
            steps.push(self.step(place));
            (outer, place) = (self.nodes[outer].outer, self.nodes[outer].place);
        }
        steps.extend(self.labels.number.map(|number| (number.to_string(), false)));
        steps.reverse();
        if steps.len() > 2 * SHOWN {
            let last = steps.split_off(steps.len() - SHOWN);
            steps.truncate(SHOWN);
            steps.push(("...".to_owned(), false));
            steps.extend(last);
        }
        if steps.is_empty() {
            let whole = format!("the value{what}");
            return (whole.clone(), whole);
        }
        let joined = |counted: &dyn Fn(&(String, bool)) -> String| {
            let joined = steps.iter().map(counted).collect::<Vec<_>>().join("/");
            format!("{joined}{what}")
        };
        let star = |step: &(String, bool)| if step.1 { "*".to_owned() } else { step.0.clone() };
        (joined(&|step| step.0.clone()), joined(&star))
    }

    /// A step of such a path, and whether it is a mere number.
    fn step(&self, place: Place<'v, R>) -> (String, bool) {
        match place.part {
            Part::Element => (place.at.to_string(), true),
            Part::Key(key) => (format!("{} (key)", self.key(key)), false),
            Part::Value(key) => (self.key(key), false),
            Part::Property(name) => (shown(name), false),
        }
    }

    fn key(&self, key: &Variant<R>) -> String {
        const SHOWN: usize = 40;
        let text = match key.as_string() {
            Some(text) if !text.is_empty() => shown(text),
            _ => shown(to_json(key, self.labels.dialect, Style::Compact)),
        };
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    fn words_of_key(&self, node: usize, key: &Variant<R>) -> (String, String) {
        let Node { outer, place } = self.nodes[node];
        let top = outer == TOP && self.labels.number.is_none();
        let (exact, pattern) = self.words(outer, place, "");
        let key = self.key(key);
        if top {
            (key.clone(), key)
        } else {
            (format!("{exact}/{key}"), format!("{pattern}/{key}"))
        }
    }
}

const fn is_container<R: Real>(value: &Variant<R>) -> bool {
    matches!(
        value,
        Variant::Array(_)
            | Variant::Dictionary(_)
            | Variant::TypedArray(_)
            | Variant::PackedTypedArray(_)
    )
}

fn same_names<T, R: Real>(old: &[(T, Variant<R>)], new: &[(T, Variant<R>)]) -> bool
where
    T: PartialEq,
{
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.0 == new.0)
}
