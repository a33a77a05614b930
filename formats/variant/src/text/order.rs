//! The order in which the engines print the keys of a dictionary.
//!
//! They sort with their own introsort and their own `<`. For keys that have an order any sort gives
//! the same; for those that have none (rectangles, objects, NaN, ...) or a contradictory one (Godot
//! 3's arrays) the result depends on the algorithm, so it is followed step by step.

use std::cmp::Ordering;
use std::slice::Iter;

use super::style::KeyOrder;
use crate::Dialect;
use crate::{Numbers, Object, Payload, Real, Variant, VariantType};
use formwork_records::wire::Components;

/// Sorts the pairs of a dictionary by their keys.
pub(super) fn sort<'a, R: Real>(pairs: &mut [Pair<'a, R>], order: KeyOrder, dialect: Dialect) {
    if pairs.len() > 1 {
        let count = pairs.len() as u64;
        let budget = count * (4 * u64::from(pairs.len().ilog2()) + 32);
        let less = Less { order, dialect };
        Sorter { less: |a: &Pair<'a, R>, b: &Pair<'a, R>| less.of(a.0, b.0), budget }.sort(pairs);
    }
}

type Pair<'a, R> = (&'a Variant<R>, &'a Variant<R>);

struct Less {
    order: KeyOrder,
    dialect: Dialect,
}

/// The result of comparing two values without the values in them.
enum Compared<'a, R: Real> {
    Done(Ordering),
    /// Two arrays: their elements decide.
    Elements(&'a [Variant<R>], &'a [Variant<R>]),
}

impl Less {
    fn of<R: Real>(&self, a: &Variant<R>, b: &Variant<R>) -> bool {
        match self.order {
            KeyOrder::StringsTogether => match (a.as_string(), b.as_string()) {
                (Some(a), Some(b)) => a < b,
                _ => self.compare(a, b) == Ordering::Less,
            },
            KeyOrder::Godot4 => self.compare(a, b) == Ordering::Less,
            KeyOrder::Godot2 | KeyOrder::Godot3 | KeyOrder::Godot3_2 => self.odd_less(a, b),
        }
    }

    /// Godot 4's `<` in both directions at once: arrays compare by their first differing elements,
    /// then by length.
    fn compare<R: Real>(&self, a: &Variant<R>, b: &Variant<R>) -> Ordering {
        let mut stack = Vec::new();
        let mut result = match self.shallow(a, b) {
            Compared::Done(ordering) => return ordering,
            Compared::Elements(a, b) => {
                stack.push((a.iter(), b.iter()));
                Ordering::Equal
            }
        };
        while let Some((a, b)) = stack.last_mut() {
            if result != Ordering::Equal {
                return result;
            }
            match (a.next(), b.next()) {
                (Some(a), Some(b)) => match self.shallow(a, b) {
                    Compared::Done(ordering) => result = ordering,
                    Compared::Elements(a, b) => stack.push((a.iter(), b.iter())),
                },
                (a, b) => {
                    result = a.is_some().cmp(&b.is_some());
                    stack.pop();
                }
            }
        }
        result
    }

    /// Godot 3's `<`: a longer array is never less than a shorter one; else it is less as soon as
    /// one of its elements is *not* less than the other's.
    fn odd_less<R: Real>(&self, a: &Variant<R>, b: &Variant<R>) -> bool {
        let mut stack = Vec::<(Iter<'_, Variant<R>>, Iter<'_, Variant<R>>)>::new();
        let mut next = Some((a, b));
        let mut result = false;
        loop {
            if let Some((a, b)) = next.take() {
                match self.shallow(a, b) {
                    Compared::Done(ordering) => result = ordering == Ordering::Less,
                    Compared::Elements(a, b) if b.len() < a.len() => result = false,
                    Compared::Elements(a, b) => {
                        stack.push((a.iter(), b.iter()));
                        result = true;
                    }
                }
            }
            // `result` is that of the last element: one that is not less ends its array.
            let Some((a, b)) = stack.last_mut() else {
                return result;
            };
            match (result, a.next(), b.next()) {
                (true, Some(a), Some(b)) => next = Some((a, b)),
                (less, ..) => {
                    result = !less;
                    stack.pop();
                }
            }
        }
    }

    fn shallow<'a, R: Real>(&self, a: &'a Variant<R>, b: &'a Variant<R>) -> Compared<'a, R> {
        let (type_a, type_b) = (a.variant_type(), b.variant_type());
        if type_a != type_b {
            return Compared::Done(self.type_id(type_a).cmp(&self.type_id(type_b)));
        }
        // Godot 4 compares neither objects nor packed arrays.
        let is_odd = !matches!(self.order, KeyOrder::Godot4 | KeyOrder::StringsTogether);
        let ordering = match (a.payload(), b.payload()) {
            (Payload::Array(a), Payload::Array(b)) => return Compared::Elements(a, b),
            (Payload::Bool(a), Payload::Bool(b)) => a.cmp(&b),
            (Payload::Int(a), Payload::Int(b)) => a.cmp(&b),
            (Payload::Float(a), Payload::Float(b)) => a.partial_cmp(&b).unwrap_or(self.with_nan()),
            (Payload::String(a), Payload::String(b))
            | (Payload::StringName(a), Payload::StringName(b)) => a.cmp(b),
            (Payload::Rid(a), Payload::Rid(b)) => a.cmp(&b),
            // Objects by their address: only that of no object is known, it is the least.
            (Payload::Object(a), Payload::Object(b)) if is_odd => (!is_null(a)).cmp(&!is_null(b)),
            (Payload::Numbers(a), Payload::Numbers(b)) if type_a.is_vector() => self.vectors(a, b),
            _ if is_odd && a.elements().is_some() => odd_packed(a, b),
            // The other types have no order.
            _ => Ordering::Equal,
        };
        Compared::Done(ordering)
    }

    /// Returns the order of a NaN: neither less nor greater, but in Godot 2 always less.
    fn with_nan(&self) -> Ordering {
        if self.order == KeyOrder::Godot2 { Ordering::Less } else { Ordering::Equal }
    }

    /// The first components that differ decide. (With a NaN, neither is less.)
    fn vectors<R: Real>(&self, a: Numbers<'_, R>, b: Numbers<'_, R>) -> Ordering {
        match (a, b) {
            (Numbers::Int(a), Numbers::Int(b)) => a.iter().cmp(b.iter()),
            (Numbers::Long(a), Numbers::Long(b)) => a.iter().cmp(b.iter()),
            (Numbers::Real(a), Numbers::Real(b)) => self.reals(a.count(), a.iter().zip(b.iter())),
            (Numbers::Single(a), Numbers::Single(b)) => {
                self.reals(a.count(), a.iter().zip(b.iter()))
            }
            (Numbers::Double(a), Numbers::Double(b)) => {
                self.reals(a.count(), a.iter().zip(b.iter()))
            }
            // Two values of one type have numbers of one kind.
            (
                Numbers::Int(_)
                | Numbers::Long(_)
                | Numbers::Real(_)
                | Numbers::Single(_)
                | Numbers::Double(_),
                _,
            ) => Ordering::Equal,
        }
    }

    fn reals<R: Real>(&self, count: usize, pairs: impl Iterator<Item = (R, R)>) -> Ordering {
        let nearly = self.order == KeyOrder::Godot3_2;
        let differs = |(at, (a, b)): &(usize, (R, R))| {
            if nearly && at + 1 < count { !is_nearly(*a, *b) } else { a != b }
        };
        let decisive = pairs.enumerate().find(differs).and_then(|(_, (a, b))| a.partial_cmp(&b));
        decisive.unwrap_or(Ordering::Equal)
    }

    /// The type's number; types that the dialect does not have come last.
    fn type_id(&self, variant_type: VariantType) -> (u8, VariantType) {
        (self.dialect.type_id(variant_type).unwrap_or(u8::MAX), variant_type)
    }
}

fn is_null<R: Real>(object: &Object<R>) -> bool {
    matches!(object, Object::Null | Object::Id(0))
}

/// Godot 3.2's `Math::is_equal_approx`.
fn is_nearly<R: Real>(a: R, b: R) -> bool {
    const EPSILON: f64 = 0.00001;
    let (a, b) = (a.to_f64() as f32, b.to_f64() as f32);
    let tolerance = (EPSILON * f64::from(a.abs())) as f32;
    let tolerance = if f64::from(tolerance) < EPSILON { EPSILON as f32 } else { tolerance };
    a == b || (a - b).abs() < tolerance
}

/// Compares packed arrays as Godot 3's `<` does: a shorter one is less; otherwise it is "less" if any element
/// differs. An array of Vector2 is compared as one of Vector3.
fn odd_packed<R: Real>(a: &Variant<R>, b: &Variant<R>) -> Ordering {
    fn as_vector3<R: Real>(vectors: &[crate::Vector2<R>]) -> Vec<R> {
        let flat = vectors.iter().flat_map(|vector| vector.to_components());
        flat.take(vectors.len() * 2 / 3 * 3).collect()
    }
    // If `b` ends first the engine reads the memory after it: the values are taken to differ.
    let differ = match (a, b) {
        (Variant::PackedVector2Array(a), Variant::PackedVector2Array(b)) => {
            a.len() != b.len() || as_vector3(a) != as_vector3(b)
        }
        _ => a != b,
    };
    if differ { Ordering::Less } else { Ordering::Equal }
}

/// The engines' introsort: quicksort down to runs of sixteen, heap sort beyond a depth, and one insertion sort over
/// all items at the end.
struct Sorter<F> {
    less: F,
    /// The comparisons left. A contradictory `<` can make the insertion sort quadratic; the sort is given up after
    /// more comparisons than any other order needs.
    budget: u64,
}

const RUN: usize = 16;

impl<F> Sorter<F> {
    fn sort<T: Copy>(&mut self, items: &mut [T])
    where
        F: Fn(&T, &T) -> bool,
    {
        let levels = items.len().ilog2() * 2;
        self.quicksort(items, levels);
        for at in 1..items.len() {
            // Only the first run is compared with its start, but the start of every run is a bound for the later
            // ones unless `<` contradicts itself.
            let value = items[at];
            let mut to = at;
            if at < RUN && self.less(&value, &items[0]) {
                items.copy_within(0..at, 1);
                to = 0;
            } else {
                while to > 0 && self.less(&value, &items[to - 1]) {
                    // The engine looks at the very first item, finds that it cannot go further ("bad comparison
                    // function") and stops before it.
                    if to == 1 {
                        break;
                    }
                    items[to] = items[to - 1];
                    to -= 1;
                }
            }
            items[to] = value;
        }
    }

    fn less<T>(&mut self, a: &T, b: &T) -> bool
    where
        F: Fn(&T, &T) -> bool,
    {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0 && (self.less)(a, b)
    }

    /// Recurses into the upper part only, at most `levels` deep: twice the logarithm.
    fn quicksort<T: Copy>(&mut self, mut items: &mut [T], mut levels: u32)
    where
        F: Fn(&T, &T) -> bool,
    {
        while items.len() > RUN {
            if levels == 0 {
                return self.heap_sort(items);
            }
            levels -= 1;
            let pivot = self.median(items[0], items[items.len() / 2], items[items.len() - 1]);
            let cut = self.partition(items, pivot);
            let (lower, upper) = items.split_at_mut(cut);
            self.quicksort(upper, levels);
            items = lower;
        }
    }

    fn median<T>(&mut self, a: T, b: T, c: T) -> T
    where
        F: Fn(&T, &T) -> bool,
    {
        if self.less(&a, &b) {
            if self.less(&b, &c) {
                b
            } else if self.less(&a, &c) {
                c
            } else {
                a
            }
        } else if self.less(&a, &c) {
            a
        } else if self.less(&b, &c) {
            c
        } else {
            b
        }
    }

    /// Moves the items less than the pivot to the front; returns the start of the rest.
    fn partition<T: Copy>(&mut self, items: &mut [T], pivot: T) -> usize
    where
        F: Fn(&T, &T) -> bool,
    {
        let (mut first, mut last) = (0, items.len());
        loop {
            while first < items.len() - 1 && self.less(&items[first], &pivot) {
                first += 1;
            }
            last -= 1;
            while last > 0 && self.less(&pivot, &items[last]) {
                last -= 1;
            }
            if first >= last {
                return first;
            }
            items.swap(first, last);
            first += 1;
        }
    }

    fn heap_sort<T: Copy>(&mut self, items: &mut [T])
    where
        F: Fn(&T, &T) -> bool,
    {
        for parent in (0..items.len() / 2).rev() {
            self.sift(items, parent);
        }
        for end in (1..items.len()).rev() {
            items.swap(0, end);
            self.sift(&mut items[..end], 0);
        }
    }

    /// Lets the item at `at` sink below the larger ones.
    fn sift<T: Copy>(&mut self, items: &mut [T], mut at: usize)
    where
        F: Fn(&T, &T) -> bool,
    {
        while let Some(mut child) = Some(2 * at + 1).filter(|&child| child < items.len()) {
            if child + 1 < items.len() && self.less(&items[child], &items[child + 1]) {
                child += 1;
            }
            if !self.less(&items[at], &items[child]) {
                return;
            }
            items.swap(at, child);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_what_has_an_order() {
        let mut seed = 1_u32;
        for length in [2_usize, 15, 16, 17, 33, 1000, 5000] {
            let mut items: Vec<u32> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    seed >> 8
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            Sorter { less: |a: &u32, b: &u32| a < b, budget: u64::MAX }.sort(&mut items);
            assert_eq!(items, expected);
            Sorter { less: |a: &u32, b: &u32| a < b, budget: u64::MAX }.heap_sort(&mut items);
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn a_contradictory_order_ends_in_time() {
        let mut items: Vec<u32> = (0..100_000).collect();
        Sorter { less: |_: &u32, _: &u32| true, budget: 10_000_000 }.sort(&mut items);
        items.sort_unstable();
        assert_eq!(items.len(), 100_000);
        assert!(items.iter().zip(0..).all(|(&item, at)| item == at), "an item was lost");
    }

    #[test]
    fn vectors_of_godot_3_2_compare_within_a_tolerance() {
        // The answers of Godot 3.2.3 and 3.6 for `Vector3(0.000001, 5, 0) < Vector3(0, 6, 0)` and similar vectors.
        let vector = |x, y, z| Variant::<f32>::Vector3(crate::Vector3 { x, y, z });
        let cases = [
            ((1e-6, 5.0, 0.0), (0.0, 6.0, 0.0), true),
            ((1e-4, 5.0, 0.0), (0.0, 6.0, 0.0), false),
            ((1.000_000_1, 0.0, 0.0), (1.0, 1.0, 0.0), true),
            ((0.0, 1e-6, 5.0), (0.0, 0.0, 6.0), true),
        ];
        for (a, b, less) in cases {
            let (a, b) = (vector(a.0, a.1, a.2), vector(b.0, b.1, b.2));
            let of = |order| Less { order, dialect: Dialect::GODOT3 }.of(&a, &b);
            assert_eq!(of(KeyOrder::Godot3_2), less, "{a:?} {b:?}");
            assert!(!of(KeyOrder::Godot3), "{a:?} {b:?}");
        }
        let infinite = |y| vector(f32::INFINITY, y, 0.0);
        let nearly = Less { order: KeyOrder::Godot3_2, dialect: Dialect::GODOT3 };
        assert!(nearly.of(&infinite(0.0), &infinite(1.0)));
    }

    #[test]
    fn arrays_compare_as_the_engine_compares_them() {
        let array = |numbers: &[i64]| {
            Variant::<f32>::Array(numbers.iter().map(|&number| number.into()).collect())
        };
        let new = Less { order: KeyOrder::Godot4, dialect: Dialect::GODOT4 };
        assert!(new.of(&array(&[1, 2]), &array(&[1, 3])));
        assert!(!new.of(&array(&[1, 3]), &array(&[1, 2])));
        assert!(new.of(&array(&[1]), &array(&[1, 2])));
        assert!(!new.of(&array(&[2]), &array(&[1, 2])));
        let old = Less { order: KeyOrder::Godot3, dialect: Dialect::GODOT3 };
        assert!(!old.of(&array(&[1]), &array(&[2])));
        assert!(old.of(&array(&[2]), &array(&[1])));
        assert!(!old.of(&array(&[1, 2]), &array(&[1])));
    }
}
