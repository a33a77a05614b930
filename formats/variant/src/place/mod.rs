//! Places in values: the steps that lead there, and their names.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

mod name;

use crate::{Container, ContainerMut, Level, Real, Variant, path};
use formwork::{Path, PathSegment};
pub use name::{Keys, Names, key_text};

/// One step into a container, by position.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Step {
    /// The element at this position of an array.
    Element(usize),
    /// The key of the pair at this position of a dictionary.
    Key(usize),
    /// The value of the pair at this position of a dictionary.
    Value(usize),
    /// The value of the property at this position of an object in full.
    Property(usize),
}

/// The place of a value in the one around it: the steps from the outside in. The empty place is the whole value.
///
/// Places are ordered as in the value: removing values from the last place to the first moves none of the others.
///
/// Places in the same container share the steps that lead to it: a list of places in deeply nested values takes no
/// more memory than one in flat values.
#[derive(Clone, Debug, Default)]
pub struct Place {
    last: Option<Arc<Link>>,
}

/// The last step of a place, and the place of the container that it leads into.
#[derive(Debug)]
struct Link {
    around: Place,
    step: Step,
}

impl Drop for Link {
    /// Drops the steps one after another, as they may be more than a stack has room for.
    fn drop(&mut self) {
        let mut around = self.around.last.take();
        while let Some(mut link) = around.and_then(Arc::into_inner) {
            around = link.around.last.take();
        }
    }
}

impl From<Vec<Step>> for Place {
    fn from(steps: Vec<Step>) -> Self {
        steps.into_iter().fold(Self::default(), |place, step| place.inside(step))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps().cmp(&other.steps())
    }
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps().hash(state);
    }
}

impl Step {
    /// Returns the step to the element, the property, or the value of the pair at this position of a container.
    #[must_use]
    pub const fn to<R: Real>(container: Container<'_, R>, at: usize) -> Self {
        match container {
            Container::Dictionary(_) => Self::Value(at),
            Container::Object(_) => Self::Property(at),
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {
                Self::Element(at)
            }
        }
    }

    /// Returns the step to the value that the progress in a container is at.
    #[must_use]
    pub const fn at(level: &Level) -> Self {
        let at = level.index() as usize;
        if level.is_at_key() {
            Self::Key(at)
        } else if level.is_at_value() {
            Self::Value(at)
        } else if level.is_at_property() {
            Self::Property(at)
        } else {
            Self::Element(at)
        }
    }

    /// Returns the value in a container at this step.
    #[must_use]
    pub fn of<'v, R: Real>(self, container: Container<'v, R>) -> Option<&'v Variant<R>> {
        match (container, self) {
            (Container::Array(array), Self::Element(at)) => array.get(at),
            (
                Container::TypedArray(typed) | Container::PackedTypedArray(typed),
                Self::Element(at),
            ) => typed.elements.get(at),
            (Container::Dictionary(pairs), Self::Key(at)) => {
                pairs.as_slice().get(at).map(|pair| &pair.0)
            }
            (Container::Dictionary(pairs), Self::Value(at)) => {
                pairs.as_slice().get(at).map(|pair| &pair.1)
            }
            (Container::Object(object), Self::Property(at)) => {
                object.properties.get(at).map(|property| &property.1)
            }
            (
                Container::Array(_)
                | Container::TypedArray(_)
                | Container::PackedTypedArray(_)
                | Container::Dictionary(_)
                | Container::Object(_),
                _,
            ) => None,
        }
    }

    fn of_mut<R: Real>(self, container: ContainerMut<'_, R>) -> Option<&mut Variant<R>> {
        match (container, self) {
            (ContainerMut::Array(array), Self::Element(at)) => array.get_mut(at),
            (ContainerMut::Dictionary(pairs), Self::Key(at)) => {
                pairs.as_mut_slice().get_mut(at).map(|pair| &mut pair.0)
            }
            (ContainerMut::Dictionary(pairs), Self::Value(at)) => {
                pairs.as_mut_slice().get_mut(at).map(|pair| &mut pair.1)
            }
            (ContainerMut::Object(object), Self::Property(at)) => {
                object.properties.get_mut(at).map(|property| &mut property.1)
            }
            (ContainerMut::Array(_) | ContainerMut::Dictionary(_) | ContainerMut::Object(_), _) => {
                None
            }
        }
    }
}

impl Place {
    /// Returns the steps, the outermost first.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let links = std::iter::successors(self.last.as_deref(), |it| it.around.last.as_deref());
        let mut steps: Vec<_> = links.map(|link| link.step).collect();
        steps.reverse();
        steps
    }

    /// Returns the last step; [`None`] for the whole value.
    #[must_use]
    pub fn last(&self) -> Option<Step> {
        self.last.as_ref().map(|link| link.step)
    }

    /// Returns the place at this step into the value here.
    #[must_use]
    pub fn inside(&self, step: Step) -> Self {
        Self { last: Some(Arc::new(Link { around: self.clone(), step })) }
    }

    /// Returns the value at this place in `value`.
    #[must_use]
    pub fn get<'v, R: Real>(&self, value: &'v Variant<R>) -> Option<&'v Variant<R>> {
        self.steps().iter().try_fold(value, |value, step| step.of(value.container()?))
    }

    /// Returns the value at this place in `value`, mutably.
    pub fn get_mut<'v, R: Real>(&self, value: &'v mut Variant<R>) -> Option<&'v mut Variant<R>> {
        self.steps().iter().try_fold(value, |value, step| step.of_mut(value.container_mut()?))
    }

    /// Removes the element, pair or property at this place, and returns its value. Returns [`None`], and removes
    /// nothing, for the whole value, for a key, and if the place does not exist.
    pub fn remove<R: Real>(&self, value: &mut Variant<R>) -> Option<Variant<R>> {
        let last = self.last.as_deref()?;
        let holder = last.around.get_mut(value)?.container_mut()?;
        match (holder, last.step) {
            (ContainerMut::Array(array), Step::Element(at)) if at < array.len() => {
                Some(array.remove(at))
            }
            (ContainerMut::Dictionary(pairs), Step::Value(at)) if at < pairs.len() => {
                let pairs: &mut Vec<_> = pairs;
                Some(pairs.remove(at).1)
            }
            (ContainerMut::Object(object), Step::Property(at)) if at < object.properties.len() => {
                Some(object.properties.remove(at).1)
            }
            (ContainerMut::Array(_) | ContainerMut::Dictionary(_) | ContainerMut::Object(_), _) => {
                None
            }
        }
    }

    /// Returns the place of the value that the path of an error leads to, or of the one around a field of its.
    #[must_use]
    pub fn of_path<R: Real>(path: &Path, value: &Variant<R>) -> Self {
        let (mut place, mut value) = (Self::default(), value);
        let mut segments = path.steps().iter().peekable();
        while let Some(container) = value.container() {
            if segments.next() != Some(&PathSegment::Field(container.variant_type().path_name())) {
                break;
            }
            if matches!(container, Container::Object(_)) {
                segments.next_if_eq(&&PathSegment::Field("properties"));
            }
            let Some(PathSegment::Index(at)) = segments.next() else { break };
            let at = usize::try_from(*at).unwrap_or(usize::MAX);
            let is_dictionary = matches!(container, Container::Dictionary(_));
            let step = match is_dictionary.then(|| segments.next()).flatten() {
                Some(PathSegment::Field("key")) => Step::Key(at),
                _ => Step::to(container, at),
            };
            let Some(inner) = step.of(container) else { break };
            (place, value) = (place.inside(step), inner);
        }
        place
    }

    /// Returns the place as errors and dumps print it: `dictionary[2].value.array[0]`.
    #[must_use]
    pub fn exact<R: Real>(&self, value: &Variant<R>) -> Path {
        let mut value = Some(value);
        let steps = self.steps();
        let levels = steps.iter().map_while(|step| {
            let container = value?.container()?;
            value = step.of(container);
            let (Step::Element(at) | Step::Key(at) | Step::Value(at) | Step::Property(at)) = *step;
            Some(Level::of(container).behind(at, matches!(step, Step::Value(_))))
        });
        path(&levels.collect::<Vec<_>>())
    }
}
