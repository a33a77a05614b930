//! Walks through all values in a value, one after another.

use super::level;
use super::level::Level;
use super::{Container, Real, Variant, VariantString};
use formwork::Path;

/// Walks through a value and all its contents, in order and without recursion: depth costs no stack.
///
/// The caller [enters](Self::enter) the containers whose values it wants; the others are skipped. Each open
/// container has a note of the caller.
#[derive(Debug)]
pub struct Walk<'v, R: Real, N = ()> {
    root: &'v Variant<R>,
    /// The open containers, the outermost first.
    open: Vec<Open<'v, R, N>>,
    /// The progress in each of them.
    levels: Vec<Level>,
    /// Whether the value was given that the innermost container is at, or the root.
    given: bool,
    done: bool,
}

/// A container that was entered.
#[derive(Debug)]
struct Open<'v, R: Real, N> {
    container: Container<'v, R>,
    /// The pairs of a dictionary in another order than they have in it.
    sorted: Option<Vec<(&'v Variant<R>, &'v Variant<R>)>>,
    note: N,
}

/// The next event in a value.
#[derive(Debug)]
pub enum Event<'v, R: Real, N = ()> {
    /// The value itself, or an element of an array.
    Element(&'v Variant<R>),
    /// A key of a dictionary.
    Key(&'v Variant<R>),
    /// The value of the key that came last.
    Value(&'v Variant<R>),
    /// A property of an object.
    Property(&'v VariantString, &'v Variant<R>),
    /// The end of a container that was entered.
    End(Container<'v, R>, N),
}

impl<'v, R: Real, N> Walk<'v, R, N> {
    /// Begins before a value.
    pub const fn new(root: &'v Variant<R>) -> Self {
        Self { root, open: Vec::new(), levels: Vec::new(), given: false, done: false }
    }

    /// Returns the next event; [`None`] after the value.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "a walk is steered between its events")]
    pub fn next(&mut self) -> Option<Event<'v, R, N>> {
        #[cfg(any(test, feature = "steps"))]
        steps::add();
        if std::mem::replace(&mut self.given, true) {
            self.advance();
        }
        if let Some(next) = self.peek() {
            return Some(next);
        }
        self.levels.pop();
        self.open.pop().map(|open| Event::End(open.container, open.note))
    }

    /// Returns the next value, in the innermost container; [`None`] at its end.
    #[inline]
    pub fn peek<E>(&self) -> Option<Event<'v, R, E>> {
        let (Some(open), Some(level)) = (self.open.last(), self.levels.last()) else {
            return (!self.done).then_some(Event::Element(self.root));
        };
        let index = level.index() as usize;
        let pair = |(key, value)| {
            if level.is_at_key() { Event::Key(key) } else { Event::Value(value) }
        };
        match (open.container, &open.sorted) {
            (Container::Array(array), _) => array.get(index).map(Event::Element),
            (Container::TypedArray(typed) | Container::PackedTypedArray(typed), _) => {
                typed.elements.get(index).map(Event::Element)
            }
            (Container::Dictionary(_), Some(sorted)) => sorted.get(index).copied().map(pair),
            (Container::Dictionary(dictionary), None) => {
                dictionary.as_slice().get(index).map(|(key, value)| pair((key, value)))
            }
            (Container::Object(object), _) => {
                object.properties.get(index).map(|(name, value)| Event::Property(name, value))
            }
        }
    }

    /// Advances past the next value.
    #[inline]
    pub fn advance(&mut self) {
        match self.levels.last_mut() {
            Some(level) => level.advance(),
            None => self.done = true,
        }
    }

    /// Enters the container that was given last: its contents come next, then its end.
    pub fn enter(&mut self, container: Container<'v, R>, note: N) {
        self.open.push(Open { container, sorted: None, note });
        self.levels.push(Level::of(container));
        self.given = false;
    }

    /// Enters the dictionary that was given last, with its pairs in this order.
    pub fn enter_sorted(
        &mut self,
        container: Container<'v, R>,
        pairs: Vec<(&'v Variant<R>, &'v Variant<R>)>,
        note: N,
    ) {
        self.enter(container, note);
        if let Some(open) = self.open.last_mut() {
            open.sorted = Some(pairs);
        }
    }

    /// Leaves all containers inside of `depth` of them, wherever in them the walk is.
    pub fn leave(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.levels.truncate(depth);
    }

    /// Returns the number of open containers.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the innermost open container.
    pub fn around(&self) -> Option<Container<'v, R>> {
        self.open.last().map(|open| open.container)
    }

    /// Returns the note of the innermost open container.
    pub fn note(&self) -> Option<&N> {
        self.open.last().map(|open| &open.note)
    }

    /// Returns whether the value that was given last is the first element, or of the first pair or property, of its
    /// container.
    pub fn is_first(&self) -> bool {
        self.levels.last().is_none_or(|level| level.index() == 0)
    }

    /// Returns the progress in each open container, the outermost first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns the path of the value that was given last.
    pub fn path(&self) -> Path {
        let given = self.levels.len() - usize::from(!self.given && !self.levels.is_empty());
        level::path(&self.levels[..given])
    }
}

impl<'v, R: Real, N> Event<'v, R, N> {
    /// Returns the next value; [`None`] at the end of a container.
    pub const fn value(&self) -> Option<&'v Variant<R>> {
        match self {
            Self::Element(value)
            | Self::Key(value)
            | Self::Value(value)
            | Self::Property(_, value) => Some(value),
            Self::End(..) => None,
        }
    }
}

/// Compares two values and their contents in parallel. `alike` compares two values at the same place without their
/// contents; its last argument is whether they are keys.
pub(super) fn all_alike<'v, R: Real>(
    a: &'v Variant<R>,
    b: &'v Variant<R>,
    alike: impl Fn(&'v Variant<R>, &'v Variant<R>, bool) -> bool,
) -> bool {
    let (mut a, mut b) = (Walk::<R>::new(a), Walk::<R>::new(b));
    while let (Some(next_a), Some(next_b)) = (a.next(), b.next()) {
        let is_key = matches!(next_a, Event::Key(_));
        match (next_a.value(), next_b.value()) {
            (Some(one), Some(other)) => {
                if !alike(one, other, is_key) {
                    return false;
                }
                if let (Some(one), Some(other)) = (one.container(), other.container()) {
                    a.enter(one, ());
                    b.enter(other, ());
                }
            }
            (None, None) => {}
            // Of two containers, one holds more.
            (Some(_), None) | (None, Some(_)) => return false,
        }
    }
    true
}

/// Counts the steps of walks and the comparisons of keys: work that must not grow with the square of the input.
#[cfg(any(test, feature = "steps"))]
pub mod steps {
    use std::cell::Cell;

    thread_local! {
        static TAKEN: Cell<u64> = const { Cell::new(0) };
    }

    /// Counts a step.
    pub fn add() {
        TAKEN.set(TAKEN.get() + 1);
    }

    /// Returns the number of steps that the work takes in this thread.
    pub fn of<T>(work: impl FnOnce() -> T) -> u64 {
        let before = TAKEN.get();
        drop(work());
        TAKEN.get() - before
    }
}
