//! Names of places as people type them: `player/bag/1`.

use std::collections::HashMap;

use super::{Place, Step};
use crate::Dialect;
use crate::{Container, Real, Variant};
use formwork::document::Json;

/// Bytes of a key, other than a string, up to which its text names it.
const SHORT: usize = 60;

impl Place {
    /// Returns the place as people type it: `player/bag/1`. In the same value the text leads back to it.
    ///
    /// The whole value has an empty name. [`Names`] names many places.
    #[must_use]
    pub fn name<R: Real>(&self, value: &Variant<R>, dialect: Dialect) -> String {
        Names::new(value, dialect).name(self)
    }
}

/// Names places of one value. The keys of a container are read once for all the places in it that are named in a row.
///
/// ```
/// use formwork_variant::place::{Names, Place, Step};
/// use formwork_variant::{Dialect, variant};
///
/// let save = variant!({ "enemies": [{ "hp": 3 }, { "hp": 4 }] });
/// let mut names = Names::new(&save, Dialect::GODOT4);
/// let hp = |at| Place::from(vec![Step::Value(0), Step::Element(at), Step::Value(0)]);
/// assert_eq!([0, 1].map(|at| names.name(&hp(at))), ["enemies/0/hp", "enemies/1/hp"]);
/// assert_eq!(names.pattern(&hp(0)), "enemies/*/hp");
/// ```
#[derive(Clone, Debug)]
pub struct Names<'v, R: Real = f32> {
    value: &'v Variant<R>,
    dialect: Dialect,
    /// The keys of the containers around the place that was named last, from the outside in.
    around: Vec<(&'v Variant<R>, Keys<'v>)>,
}

impl<'v, R: Real> Names<'v, R> {
    /// Names places of this value.
    #[must_use]
    pub const fn new(value: &'v Variant<R>, dialect: Dialect) -> Self {
        Self { value, dialect, around: Vec::new() }
    }

    /// Returns the place as people type it: `player/bag/1`. In the value the text leads back to it.
    ///
    /// The whole value has an empty name.
    #[must_use]
    pub fn name(&mut self, place: &Place) -> String {
        self.steps(place, |_| None)
    }

    /// Returns the name with `*` for each position in an array, `player/bag/*`: the common name of similar places.
    /// The pattern is not a valid path.
    #[must_use]
    pub fn pattern(&mut self, place: &Place) -> String {
        self.steps(place, |step| matches!(step, Step::Element(_)).then(|| "*".to_owned()))
    }

    fn steps(&mut self, place: &Place, other_name: impl Fn(Step) -> Option<String>) -> String {
        let steps = place.steps();
        let mut names = Vec::with_capacity(steps.len());
        let mut value = Some(self.value);
        for (depth, step) in steps.into_iter().enumerate() {
            let Some((value_here, container)) = value.and_then(|it| Some((it, it.container()?)))
            else {
                break;
            };
            if !self.around.get(depth).is_some_and(|(it, _)| std::ptr::eq(*it, value_here)) {
                self.around.truncate(depth);
                self.around.push((value_here, Keys::of(container, self.dialect)));
            }
            let name = other_name(step)
                .unwrap_or_else(|| self.around[depth].1.name(step, container, self.dialect));
            names.push(name);
            value = step.of(container);
        }
        names.join("/")
    }
}

/// The keys of a container, with the position of the first entry of each.
#[derive(Clone, Debug)]
pub struct Keys<'v> {
    /// Keys that are strings, and names of properties.
    strings: HashMap<&'v str, usize>,
    /// The texts of other keys that are short enough to be names.
    others: HashMap<String, usize>,
}

impl<'v> Keys<'v> {
    /// Reads the keys of a container.
    #[must_use]
    pub fn of<R: Real>(container: Container<'v, R>, dialect: Dialect) -> Self {
        let (mut strings, mut others) = (HashMap::new(), HashMap::new());
        match container {
            Container::Dictionary(pairs) => {
                for (at, key) in pairs.keys().enumerate() {
                    match key.as_string() {
                        Some(text) => {
                            text.as_str().map(|text| strings.entry(text).or_insert(at));
                        }
                        None => {
                            let text = key_text(key, dialect);
                            if text.len() <= SHORT {
                                others.entry(text).or_insert(at);
                            }
                        }
                    }
                }
            }
            Container::Object(object) => {
                for (at, (name, _)) in object.properties.iter().enumerate() {
                    name.as_str().map(|name| strings.entry(name).or_insert(at));
                }
            }
            Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => {}
        }
        Self { strings, others }
    }

    /// Returns the name of a step into the container.
    #[must_use]
    pub fn name<R: Real>(
        &self,
        step: Step,
        container: Container<'v, R>,
        dialect: Dialect,
    ) -> String {
        match (step, container) {
            (Step::Element(at), _) => at.to_string(),
            (Step::Property(at), Container::Object(object)) => {
                let own = object.properties.get(at).and_then(|(name, _)| name.as_str());
                own.and_then(|own| self.string(own, at)).unwrap_or_else(|| self.position(at))
            }
            (Step::Value(at), Container::Dictionary(pairs)) => {
                let key = pairs.as_slice().get(at).map(|(key, _)| key);
                let name = key.and_then(|key| match key.as_string() {
                    Some(text) => self.string(text.as_str()?, at),
                    None => self.other(key_text(key, dialect), at),
                });
                name.unwrap_or_else(|| self.position(at))
            }
            (Step::Key(at), _) => format!("[{at}] (key)"),
            (Step::Property(at) | Step::Value(at), _) => self.position(at),
        }
    }

    /// Returns the name of an entry by its position, with as many zeros in front as keep it apart from the keys.
    fn position(&self, at: usize) -> String {
        let mut name = format!("[{at}]");
        while self.strings.contains_key(&*name) || self.others.contains_key(&name) {
            name.insert(1, '0');
        }
        name
    }

    /// Returns the name of a key that is a string, quoted if necessary. Returns [`None`] if no name leads to it: an
    /// earlier key has the same text.
    fn string(&self, text: &str, at: usize) -> Option<String> {
        if self.strings.get(text).is_some_and(|&first| first < at) {
            return None;
        }
        let splits =
            || text.match_indices('/').any(|(end, _)| self.strings.contains_key(&text[..end]));
        let is_plain = !text.is_empty()
            && !text.starts_with(['"', '[', '/'])
            && !text.ends_with('/')
            && !text.chars().any(char::is_control)
            && !splits();
        Some(if is_plain { text.to_owned() } else { Json::from(text).to_string() })
    }

    /// Returns the name of a key that is no string. None where its text does not lead to it, or is none to type.
    fn other(&self, text: String, at: usize) -> Option<String> {
        let is_plain = text.len() <= SHORT
            && !text.contains(['/', '"', '\n'])
            && !text.starts_with('[')
            && !self.strings.contains_key(&*text)
            && self.others.get(&text).is_none_or(|&first| first >= at);
        is_plain.then_some(text)
    }
}

/// Returns a key that is no string as a path names it.
#[must_use]
pub fn key_text<R: Real>(key: &Variant<R>, dialect: Dialect) -> String {
    match key.as_int() {
        Some(number) => number.to_string(),
        None => key.display(dialect).to_string(),
    }
}
