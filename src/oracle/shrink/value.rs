//! What can be left out of a value, or be simpler.

use std::ops::Range;

use crate::variant::{Object, Real, Variant, VariantString};

/// A simpler value in place of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    /// Which one: its position in the order of [`children`], from the outside in.
    place: usize,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// Elements are left out.
    Without(Range<usize>),
    /// One of those in it takes its place.
    Child(usize),
    Null,
    /// A number takes its place.
    Int(i64),
}

/// The changes that may help, those that leave out most first.
pub(super) fn changes<R: Real>(value: &Variant<R>) -> Vec<Change> {
    let (mut without, mut simpler) = (Vec::new(), Vec::new());
    let mut open = vec![value];
    let mut place = 0;
    while let Some(value) = open.pop() {
        let mut add = |what| simpler.push(Change { place, what });
        let children = children(value);
        (0..children.len()).for_each(|child| add(What::Child(child)));
        match value {
            Variant::Nil => {}
            Variant::Int(number) => {
                add(What::Null);
                for lower in [0, i64::from(*number as i32), number / 2] {
                    add(What::Int(lower));
                }
            }
            _ => add(What::Null),
        }
        let length = elements(value);
        without.extend(halves(length).map(|range| Change { place, what: What::Without(range) }));
        open.extend(children.into_iter().rev());
        place += 1;
    }
    without.sort_by_key(|change| match &change.what {
        What::Without(range) => std::cmp::Reverse(range.len()),
        _ => std::cmp::Reverse(0),
    });
    without.extend(simpler);
    without
}

/// All of so many, halves, quarters, ... and each.
fn halves(length: usize) -> impl Iterator<Item = Range<usize>> {
    let sizes = std::iter::successors(Some(length), |&size| (size > 1).then(|| size.div_ceil(2)));
    sizes.filter(|&size| size > 0).flat_map(move |size| {
        (0..length).step_by(size).map(move |start| start..length.min(start + size))
    })
}

/// The values in a value.
fn children<R: Real>(value: &Variant<R>) -> Vec<&Variant<R>> {
    match value {
        Variant::Array(array) => array.iter().collect(),
        Variant::Dictionary(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.elements.iter().collect()
        }
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().map(|(_, value)| value).collect()
        }
        _ => Vec::new(),
    }
}

fn children_mut<R: Real>(value: &mut Variant<R>) -> Vec<&mut Variant<R>> {
    match value {
        Variant::Array(array) => array.iter_mut().collect(),
        Variant::Dictionary(pairs) => {
            pairs.iter_mut().flat_map(|(key, value)| [key, value]).collect()
        }
        Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.elements.iter_mut().collect()
        }
        Variant::Object(Object::Full(object)) => {
            object.properties.iter_mut().map(|(_, value)| value).collect()
        }
        _ => Vec::new(),
    }
}

/// Runs the expressions with `$list` standing for the elements of a value, or for the characters of a
/// text.
macro_rules! with_elements {
    ($value:expr, [$($borrow:tt)+] $list:ident => $run:expr, $text:ident => $shorten:expr, _ => $other:expr) => {
        match $value {
            Variant::Array($list) => $run,
            Variant::Dictionary($list) => $run,
            Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                let $list = $($borrow)+ array.elements;
                $run
            }
            Variant::Object(Object::Full(object)) => {
                let $list = $($borrow)+ object.properties;
                $run
            }
            Variant::PackedByteArray($list) => $run,
            Variant::PackedInt32Array($list) => $run,
            Variant::PackedInt64Array($list) => $run,
            Variant::PackedFloat32Array($list) => $run,
            Variant::PackedFloat64Array($list) => $run,
            Variant::PackedStringArray($list) => $run,
            Variant::PackedVector2Array($list) => $run,
            Variant::PackedVector2iArray($list) => $run,
            Variant::PackedVector3Array($list) => $run,
            Variant::PackedVector3iArray($list) => $run,
            Variant::PackedVector4Array($list) => $run,
            Variant::PackedColorArray($list) => $run,
            Variant::String($text) | Variant::StringName($text) => $shorten,
            _ => $other,
        }
    };
}

/// How many elements can be left out of a value.
fn elements<R: Real>(value: &Variant<R>) -> usize {
    with_elements!(value, [&] list => list.len(), text => text.numbers().count(), _ => 0)
}

impl Change {
    /// The changed value.
    pub(super) fn applied<R: Real>(&self, value: &Variant<R>) -> Variant<R> {
        let mut changed = value.clone();
        let mut open = vec![&mut changed];
        let mut place = 0;
        while let Some(value) = open.pop() {
            if place == self.place {
                self.apply(value);
                break;
            }
            place += 1;
            open.extend(children_mut(value).into_iter().rev());
        }
        changed
    }

    fn apply<R: Real>(&self, value: &mut Variant<R>) {
        match &self.what {
            What::Null => *value = Variant::Nil,
            What::Int(number) => *value = Variant::Int(*number),
            What::Child(child) => {
                let child = children_mut(value).into_iter().nth(*child).map(std::mem::take);
                *value = child.unwrap_or_default();
            }
            What::Without(range) => with_elements!(
                value,
                [&mut] list => drop(list.drain(range.clone())),
                text => {
                    let left = text.numbers().enumerate().filter(|(at, _)| !range.contains(at));
                    *text = VariantString::from_numbers(left.map(|(_, number)| number));
                },
                _ => ()
            ),
        }
    }
}
