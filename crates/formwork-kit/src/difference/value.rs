//! The walk over two values at once.

#![deny(clippy::wildcard_enum_match_arm)]

use std::borrow::Cow;

use formwork_edit::{Place, Step};
use formwork_variant::{
    Array, Dictionary, NodePath, Numbers, Object, Payload, Real, TypedArray, Variant, VariantString,
};

use super::{Comparison, Difference, change};

/// Prefix of the type of a value that changed its type.
const BECAME: &str = "became ";

/// Two values to compare, and the index of the pair around them in the list of compared pairs.
struct Pair<'v, R: Real> {
    /// The step from the container around them; none for the whole.
    step: Option<Step>,
    around: usize,
    ours: &'v Variant<R>,
    theirs: &'v Variant<R>,
}

/// Values that wait to be compared, the next last, so that depth costs no stack.
struct Waiting<'v, R: Real> {
    pairs: Vec<Pair<'v, R>>,
    /// The containers that were looked into: the step to each from the one around it, and which that is.
    around: Vec<(Option<Step>, usize)>,
}

impl<'v, R: Real> Waiting<'v, R> {
    /// Adds what is in the container that is being compared.
    fn push(&mut self, step: Step, ours: &'v Variant<R>, theirs: &'v Variant<R>) {
        self.pairs.push(Pair { step: Some(step), around: self.around.len() - 1, ours, theirs });
    }

    /// Returns the place of what is being compared.
    fn place(&self) -> Place {
        let mut next = self.around.len() - 1;
        let mut steps = Vec::new();
        while let Some(&(Some(step), around)) = self.around.get(next) {
            steps.push(step);
            next = around;
        }
        steps.reverse();
        steps.into()
    }
}

impl Comparison {
    pub(super) fn find<R: Real>(
        &self,
        ours: &Variant<R>,
        theirs: &Variant<R>,
    ) -> Option<Difference> {
        let (our_whole, whole) = (ours, Pair { step: None, around: 0, ours, theirs });
        let mut waiting = Waiting { pairs: vec![whole], around: Vec::new() };
        while let Some(Pair { step, around, ours, theirs }) = waiting.pairs.pop() {
            waiting.around.push((step, around));
            let Some(change) = self.step(ours, theirs, &mut waiting) else {
                if waiting.pairs.last().is_none_or(|next| next.around + 1 < waiting.around.len()) {
                    // Nothing in it waits.
                    waiting.around.pop();
                }
                continue;
            };
            let path = waiting.place().exact(our_whole);
            if change == change::NAN {
                return Some(Difference { path, what: change });
            }
            let name = self.name(ours.variant_type());
            // Decoding a value does not depend on its place, but each language chooses the types that may be keys.
            let is_key = matches!(step, Some(Step::Key(_))) && change.starts_with(BECAME);
            let key = if is_key { "Dictionary key " } else { "" };
            return Some(Difference { path, what: format!("{key}{name}: {change}") });
        }
        None
    }

    /// Describes the change of a value without its children, which are queued.
    fn step<'v, R: Real>(
        &self,
        ours: &'v Variant<R>,
        theirs: &'v Variant<R>,
        waiting: &mut Waiting<'v, R>,
    ) -> Option<String> {
        if ours.variant_type() != theirs.variant_type() {
            return Some(format!("{BECAME}{}", self.name(theirs.variant_type())));
        }
        match (ours.payload(), theirs.payload()) {
            (Payload::Array(ours), Payload::Array(theirs)) => self.array(ours, theirs, waiting),
            (Payload::TypedArray(ours), Payload::TypedArray(theirs))
            | (Payload::PackedTypedArray(ours), Payload::PackedTypedArray(theirs)) => {
                self.typed(ours, theirs, waiting)
            }
            (Payload::Dictionary(ours), Payload::Dictionary(theirs)) => {
                self.dictionary(ours, theirs, waiting)
            }
            (Payload::Object(ours), Payload::Object(theirs)) => Self::object(ours, theirs, waiting),
            (a, b) => self.leaf((ours, a), (theirs, b)),
        }
    }

    fn array<'v, R: Real>(
        &self,
        ours: &'v Array<R>,
        theirs: &'v Array<R>,
        waiting: &mut Waiting<'v, R>,
    ) -> Option<String> {
        if ours.len() != theirs.len() {
            return Some(change::of_count(ours.len(), theirs.len(), "elements"));
        }
        if ours.element_type() != theirs.element_type() {
            return Some(of_mark("element type", ours.element_type(), theirs.element_type()));
        }
        if ours.is_shared() != theirs.is_shared() {
            return Some("another shared mark".into());
        }
        for (index, (ours, theirs)) in ours.iter().zip(theirs.iter()).enumerate().rev() {
            waiting.push(Step::Element(index), ours, theirs);
        }
        None
    }

    fn typed<'v, R: Real>(
        &self,
        ours: &'v TypedArray<R>,
        theirs: &'v TypedArray<R>,
        waiting: &mut Waiting<'v, R>,
    ) -> Option<String> {
        if ours.element != theirs.element {
            return Some("another element type".into());
        }
        self.array(&ours.elements, &theirs.elements, waiting)
    }

    fn dictionary<'v, R: Real>(
        &self,
        ours: &'v Dictionary<R>,
        theirs: &'v Dictionary<R>,
        waiting: &mut Waiting<'v, R>,
    ) -> Option<String> {
        let is_in = |key: &Variant<R>, pairs: &Dictionary<R>| {
            pairs.iter().any(|(other, _)| self.is_same(key, other))
        };
        if ours.len() != theirs.len() {
            // Looked for only where there are few: every pair is compared.
            let few = self.orders && ours.len().max(theirs.len()) <= 1024;
            let (from, within) =
                if theirs.len() < ours.len() { (ours, theirs) } else { (theirs, ours) };
            let odd = from.iter().map(|(key, _)| key).find(|key| few && !is_in(key, within));
            let keys = odd
                .map_or(String::new(), |key| format!(" (key {})", self.name(key.variant_type())));
            return Some(change::of_count(ours.len(), theirs.len(), "pairs") + &keys);
        }
        if ours.key_type() != theirs.key_type() {
            return Some(of_mark("key type", ours.key_type(), theirs.key_type()));
        }
        if ours.value_type() != theirs.value_type() {
            return Some(of_mark("value type", ours.value_type(), theirs.value_type()));
        }
        if ours.is_shared() != theirs.is_shared() {
            return Some("another shared mark".into());
        }
        let pairs = || ours.iter().zip(theirs.iter());
        let parted = pairs()
            .take_while(|_| self.orders)
            .find(|((ours, _), (theirs, _))| !self.is_same(ours, theirs));
        if let Some(((our_key, _), (their_key, _))) = parted
            && ours.len() <= 1024
            && is_in(our_key, theirs)
            && is_in(their_key, ours)
        {
            return Some("pairs in another order".into());
        }
        for (index, ((our_key, our_value), (their_key, their_value))) in pairs().enumerate().rev() {
            waiting.push(Step::Value(index), our_value, their_value);
            waiting.push(Step::Key(index), our_key, their_key);
        }
        None
    }

    /// Whether two keys are the same to this comparison.
    fn is_same<R: Real>(&self, ours: &Variant<R>, theirs: &Variant<R>) -> bool {
        ours.is_identical(theirs) || Self { orders: false, ..*self }.find(ours, theirs).is_none()
    }

    fn object<'v, R: Real>(
        ours: &'v Object<R>,
        theirs: &'v Object<R>,
        waiting: &mut Waiting<'v, R>,
    ) -> Option<String> {
        match (ours, theirs) {
            (Object::Full(ours), Object::Full(theirs)) => {
                if ours.class != theirs.class {
                    return Some("another class".into());
                }
                if ours.properties.len() != theirs.properties.len() {
                    let (ours, theirs) = (ours.properties.len(), theirs.properties.len());
                    return Some(change::of_count(ours, theirs, "properties"));
                }
                let pairs = || ours.properties.iter().zip(&theirs.properties);
                if pairs().any(|((ours, _), (theirs, _))| ours != theirs) {
                    return Some("another name of a property".into());
                }
                for (index, ((_, ours), (_, theirs))) in pairs().enumerate().rev() {
                    waiting.push(Step::Property(index), ours, theirs);
                }
                None
            }
            (Object::Id(ours), Object::Id(theirs)) if ours == theirs => None,
            (Object::Null, Object::Null) => None,
            (Object::Id(ours), Object::Id(theirs)) => {
                let change = change::of_integer(ours.cast_signed(), theirs.cast_signed());
                Some(format!("id {change}"))
            }
            (ours, theirs) => Some(format!("{} became {}", form_of(ours), form_of(theirs))),
        }
    }

    /// Describes the change of a value without children.
    fn leaf<R: Real>(
        &self,
        (ours, our_payload): (&Variant<R>, Payload<'_, R>),
        (theirs, their_payload): (&Variant<R>, Payload<'_, R>),
    ) -> Option<String> {
        let real = |ours: f64, theirs: f64| self.real(ours, theirs);
        let text = |ours: &[u8], theirs: &[u8]| {
            (ours != theirs).then(|| change::of_text(ours, theirs).to_owned())
        };
        let integer =
            |ours: i64, theirs: i64| (ours != theirs).then(|| change::of_integer(ours, theirs));
        // Values of two types were told apart before.
        let change: Option<Cow<'_, str>> = match (our_payload, their_payload) {
            (Payload::Int(a), Payload::Int(b)) => integer(a, b).map(Into::into),
            (Payload::Float(a), Payload::Float(b)) => real(a, b).map(Into::into),
            (Payload::String(a), Payload::String(b))
            | (Payload::StringName(a), Payload::StringName(b)) => {
                text(a.as_bytes(), b.as_bytes()).map(Into::into)
            }
            (Payload::NodePath(a), Payload::NodePath(b)) => node_path(a, b).map(Into::into),
            (Payload::Rid(a), Payload::Rid(b)) => {
                integer(a.cast_signed(), b.cast_signed()).map(Into::into)
            }
            (Payload::Numbers(a), Payload::Numbers(b)) => match (List::of(a), List::of(b)) {
                (List::Reals(a), List::Reals(b)) => change::of_list(&a, &b, real),
                (List::Integers(a), List::Integers(b)) => change::of_list(&a, &b, integer),
                (List::Reals(_) | List::Integers(_), _) => Some("another value".into()),
            },
            (Payload::PackedByteArray(a), Payload::PackedByteArray(b)) => {
                change::of_list(a, b, |a, b| (a != b).then_some("other bytes"))
            }
            (Payload::PackedStringArray(a), Payload::PackedStringArray(b)) => {
                let part =
                    |(a, b): (&VariantString, &VariantString)| text(a.as_bytes(), b.as_bytes());
                let change = match a.len() == b.len() {
                    true => a.iter().zip(b).find_map(part),
                    false => Some(change::of_count(a.len(), b.len(), "strings")),
                };
                change.map(Into::into)
            }
            (Payload::Image(a), Payload::Image(b)) => {
                let parts = [
                    (a.format != b.format, "another format"),
                    (a.mipmaps != b.mipmaps, "another number of mipmaps"),
                    ((a.width, a.height) != (b.width, b.height), "another size"),
                    (a.data != b.data, "other data"),
                ];
                let found = parts.into_iter().find(|(differs, _)| *differs);
                found.map(|(_, change)| change.into())
            }
            (Payload::InputEvent(a), Payload::InputEvent(b)) => {
                // A NaN in the position of a joystick is as good as another.
                let text = |event| match self.any_zero {
                    true => format!("{event:?}").replace("-0.0", "0.0"),
                    false => format!("{event:?}"),
                };
                let same = ours.is_identical(theirs) || (self.any_nan && text(a) == text(b));
                (!same).then(|| "another event".into())
            }
            // Of the other types nothing more can be said.
            _ => (ours != theirs).then(|| "another value".into()),
        };
        change.map(Cow::into_owned)
    }
}

/// Numbers, to be compared.
enum List {
    Reals(Vec<f64>),
    Integers(Vec<i64>),
}

impl List {
    fn of<R: Real>(numbers: Numbers<'_, R>) -> Self {
        match numbers {
            Numbers::Real(list) => Self::Reals(list.converted(Real::to)),
            Numbers::Single(list) => Self::Reals(list.converted(Into::into)),
            Numbers::Double(list) => Self::Reals(list.converted(|number| number)),
            Numbers::Int(list) => Self::Integers(list.converted(Into::into)),
            Numbers::Long(list) => Self::Integers(list.converted(|number| number)),
        }
    }
}

fn of_mark<T>(what: &str, ours: Option<&T>, theirs: Option<&T>) -> String {
    match (ours, theirs) {
        (Some(_), None) => format!("without its {what}"),
        (None, Some(_)) => format!("with a {what} that it had not"),
        _ => format!("another {what}"),
    }
}

const fn form_of<R: Real>(object: &Object<R>) -> &'static str {
    match object {
        Object::Null => "null",
        Object::Id(_) => "an id",
        Object::Full(_) => "the full form",
    }
}

fn node_path(ours: &NodePath, theirs: &NodePath) -> Option<String> {
    let lists =
        [("names", &ours.names, &theirs.names), ("subnames", &ours.subnames, &theirs.subnames)];
    if ours.absolute != theirs.absolute {
        let change = if ours.absolute { "relative" } else { "absolute" };
        return Some(format!("became {change}"));
    }
    for (what, ours, theirs) in lists {
        if ours.len() != theirs.len() {
            return Some(change::of_count(ours.len(), theirs.len(), what));
        }
        if let Some((ours, theirs)) = ours.iter().zip(theirs).find(|(ours, theirs)| ours != theirs)
        {
            return Some(format!("{what} {}", change::of_text(ours.as_bytes(), theirs.as_bytes())));
        }
    }
    (ours.property != theirs.property).then(|| "another property".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::Vector2;
    use formwork_variant::dialect::Dialect;

    fn part(ours: impl Into<Variant>, theirs: impl Into<Variant>) -> Option<String> {
        let comparison = Comparison::new().dialect(Dialect::GODOT4);
        comparison.values::<f32>(&ours.into(), &theirs.into()).map(|difference| difference.what)
    }

    fn pairs(pairs: &[(&str, i64)]) -> Variant {
        Variant::Dictionary(
            pairs.iter().map(|(key, value)| ((*key).into(), Variant::Int(*value))).collect(),
        )
    }

    #[test]
    fn the_place_is_the_type_and_not_the_position() {
        assert_eq!(part(5, 5), None);
        assert_eq!(part(5, 5.0).unwrap(), "int: became float");
        let list = |y| Variant::Array(vec![7.into(), Vector2::new(1.0, y).into()].into());
        assert_eq!(part(list(0.0), list(-0.0)).unwrap(), "Vector2: of the other sign");
        assert_eq!(part(list(f32::NAN), list(-f32::NAN)).unwrap(), change::NAN);
    }

    #[test]
    fn the_path_leads_to_the_first_difference_past_what_is_the_same() {
        let path = |ours: &Variant, theirs: &Variant| {
            let difference = Comparison::new().values(ours, theirs).unwrap();
            difference.path.to_string()
        };
        let value = |number: i64| {
            let inner = pairs(&[("same", 1), ("other", number)]);
            let list = Variant::Array(vec![pairs(&[("a", 1)]), pairs(&[]), inner].into());
            let key = Variant::Array(vec![Variant::Nil, 3.into()].into());
            Variant::Dictionary(Dictionary::from(vec![(key, 5.into()), ("b".into(), list)]))
        };
        let there = "dictionary[1].value.array[2].dictionary[1].value";
        assert_eq!(path(&value(1), &value(2)), there);
        let key = |number: i64| {
            let key = Variant::Array(vec![Variant::Nil, number.into()].into());
            Variant::Dictionary(Dictionary::from(vec![(key, 5.into())]))
        };
        assert_eq!(path(&key(1), &key(2)), "dictionary[0].key.array[1]");
        assert_eq!(path(&1.into(), &2.into()), "");
    }

    #[test]
    fn zeros_of_either_sign_are_the_same_where_that_is_asked_for() {
        let list = |y| Variant::<f32>::Array(vec![7.into(), Vector2::new(1.0, y).into()].into());
        let lax = Comparison::new().any_zero(true);
        assert_eq!(lax.values(&list(0.0), &list(-0.0)), None);
        assert!(lax.values(&list(0.0), &list(1.0)).is_some());
    }

    #[test]
    fn dictionaries_say_which_key_is_missing_or_that_the_order_is_another() {
        let (ab, ba) = (pairs(&[("a", 1), ("b", 2)]), pairs(&[("b", 2), ("a", 1)]));
        assert_eq!(part(ab.clone(), ba).unwrap(), "Dictionary: pairs in another order");
        assert_eq!(
            part(ab.clone(), pairs(&[("a", 1)])).unwrap(),
            "Dictionary: fewer pairs (key String)"
        );
        assert_eq!(part(ab.clone(), pairs(&[("a", 1), ("b", 3)])).unwrap(), "int: another number");
        let mut numbers = Dictionary::new();
        numbers.insert(1, 2);
        let mut texts = Dictionary::new();
        texts.insert("1", 2);
        let (numbers, texts) = (Variant::Dictionary(numbers), Variant::Dictionary(texts));
        assert_eq!(part(numbers, texts).unwrap(), "Dictionary key int: became String");
    }

    #[test]
    fn keys_in_keys_cost_no_more_time_the_deeper_they_are() {
        let nest = |innermost: Variant| {
            let wrap = |key, _| Variant::Dictionary(Dictionary::from(vec![(key, Variant::Nil)]));
            (0..300).fold(innermost, wrap)
        };
        assert_eq!(part(nest(1.into()), nest(2.into())).unwrap(), "int: another number");
        let (one, other) = (nest(f64::NAN.into()), nest((-f64::NAN).into()));
        assert_eq!(Comparison::new().any_nan(true).values(&one, &other), None);
        assert_eq!(part(one, other).unwrap(), change::NAN);
    }
}
