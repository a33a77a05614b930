//! Aligns the entries of an old container with those of a new one.

use std::collections::HashMap;

use formwork::align::{best, equal};
use formwork_variant::parts::Fingerprints;
use formwork_variant::{Array, Container, Dictionary, FullObject, Real, Variant};

/// The most pairs for which all elements of two runs are compared with each other.
const RUNS: usize = 1 << 12;

/// Returns, for each entry of `new`, the position of the same entry in `old`. [`None`] if the two containers are of
/// different kinds.
pub(super) fn entries<R: Real>(
    old: Container<'_, R>,
    new: Container<'_, R>,
    prints: &Fingerprints,
) -> Option<Vec<Option<usize>>> {
    match (old, new) {
        (Container::Array(old), Container::Array(new)) => Some(elements(old, new, prints)),
        (Container::TypedArray(old), Container::TypedArray(new))
        | (Container::PackedTypedArray(old), Container::PackedTypedArray(new)) => {
            Some(elements(&old.elements, &new.elements, prints))
        }
        (Container::Dictionary(old), Container::Dictionary(new)) => Some(pairs(old, new, prints)),
        (Container::Object(old), Container::Object(new)) if old.class == new.class => {
            Some(properties(old, new))
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

fn properties<R: Real>(old: &FullObject<R>, new: &FullObject<R>) -> Vec<Option<usize>> {
    let mut places: HashMap<_, _> =
        old.properties.iter().enumerate().rev().map(|(at, (name, _))| (name, at)).collect();
    new.properties.iter().map(|(name, _)| places.remove(name)).collect()
}

/// Returns, for each element of `new`, the position of the element of `old` that it is: those that are
/// identical, in their order, as many as can be; between these, those that are most alike.
fn elements<R: Real>(old: &Array<R>, new: &Array<R>, prints: &Fingerprints) -> Vec<Option<usize>> {
    let is_same = |(old, new): &(&Variant<R>, &Variant<R>)| prints.are_identical(old, new);
    let mut aligned = vec![None; new.len()];
    let front = old.iter().zip(new.iter()).take_while(is_same).count();
    let (old_rest, new_rest) = (&old[front..], &new[front..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let back = pairs.take_while(is_same).count();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    (0..front).for_each(|at| aligned[at] = Some(at));
    (0..back).for_each(|at| aligned[new_end + at] = Some(old_end + at));
    let (old_middle, new_middle) = (&old[front..old_end], &new[front..new_end]);
    let (of_old, of_new) = labels(old_middle, new_middle, prints);
    let in_order = equal(&of_old, &of_new);
    // The runs between the identical elements, and an end after the last.
    let ends = in_order.iter().copied().chain([(old_middle.len(), new_middle.len())]);
    let (mut old_at, mut new_at) = (0, 0);
    for (old_to, new_to) in ends {
        let runs = (&old_middle[old_at..old_to], &new_middle[new_at..new_to]);
        for (old, new) in likest(runs.0, runs.1, prints) {
            aligned[front + new_at + new] = Some(front + old_at + old);
        }
        if new_to < new_middle.len() {
            aligned[front + new_to] = Some(front + old_to);
        }
        (old_at, new_at) = (old_to + 1, new_to + 1);
    }
    aligned
}

/// Returns the pairs of values of two runs without identical ones: those most alike, in their order. In long runs
/// those at the same position.
fn likest<R: Real>(
    old: &[Variant<R>],
    new: &[Variant<R>],
    prints: &Fingerprints,
) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > RUNS {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    best([old.len(), new.len()], |at, other| likeness(&old[at], &new[other], prints))
}

/// Returns the similarity of two values: more for each common entry. 0 if they are unrelated: of two types, or
/// dictionaries with other keys.
fn likeness<R: Real>(old: &Variant<R>, new: &Variant<R>, prints: &Fingerprints) -> usize {
    if old.variant_type() != new.variant_type() {
        return 0;
    }
    match (old.container(), new.container()) {
        (Some(Container::Dictionary(old)), Some(Container::Dictionary(new))) => {
            let (mut shared, mut same) = (0, 0);
            for (at, (_, value)) in pairs(old, new, prints).into_iter().zip(new.iter()) {
                let Some((_, before)) = at.and_then(|at| old.as_slice().get(at)) else { continue };
                shared += 1;
                same += usize::from(prints.are_identical(before, value));
            }
            if 2 * shared >= old.len().max(new.len()) { 1 + shared + 2 * same } else { 0 }
        }
        (Some(Container::Array(old)), Some(Container::Array(new))) => {
            let both = old.iter().zip(new.iter());
            1 + both.filter(|(old, new)| prints.are_identical(old, new)).count()
        }
        _ => 1,
    }
}

/// Returns a number for each value; identical values have the same.
fn labels<'v, R: Real>(
    old: impl IntoIterator<Item = &'v Variant<R>>,
    new: impl IntoIterator<Item = &'v Variant<R>>,
    prints: &Fingerprints,
) -> (Vec<usize>, Vec<usize>) {
    let mut known: HashMap<u64, Vec<(&Variant<R>, usize)>> = HashMap::new();
    let mut count = 0;
    let mut label = |value: &'v Variant<R>| {
        let same_hash = known.entry(prints.hash(value)).or_default();
        match same_hash.iter().find(|(known, _)| prints.are_identical(known, value)) {
            Some(&(_, label)) => label,
            None => {
                count += 1;
                same_hash.push((value, count));
                count
            }
        }
    };
    let of_old = old.into_iter().map(&mut label).collect();
    (of_old, new.into_iter().map(label).collect())
}

/// Returns, for each pair of `new`, the position of the pair of `old` with that key.
fn pairs<R: Real>(
    old: &Dictionary<R>,
    new: &Dictionary<R>,
    prints: &Fingerprints,
) -> Vec<Option<usize>> {
    let both = old.keys().zip(new.keys()).enumerate();
    let mut aligned: Vec<_> =
        both.map(|(at, (old, new))| prints.are_identical(old, new).then_some(at)).collect();
    aligned.resize(new.len(), None);
    if aligned.iter().all(Option::is_some) {
        return aligned;
    }
    let (of_old, of_new) = labels(old.keys(), new.keys(), prints);
    // The free pairs of the old dictionary, by their keys; the first comes last.
    let mut free: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, label) in of_old.into_iter().enumerate().rev() {
        if aligned.get(at).is_none_or(Option::is_none) {
            free.entry(label).or_default().push(at);
        }
    }
    for (found, label) in aligned.iter_mut().zip(of_new) {
        *found = found.or_else(|| free.get_mut(&label)?.pop());
    }
    aligned
}

#[cfg(test)]
mod tests {
    use super::super::{Compare, Merge, mend, splice};
    use formwork_variant::parts::steps;
    use formwork_variant::{Dialect, Encoder, FullObject, Limits, Object, Variant};

    const FEW: usize = 250;

    /// Eight times as much takes about eight times the work.
    fn assert_linear(what: &str, work: &dyn Fn(usize) -> u64) {
        let [few, many] = [FEW, 8 * FEW].map(work);
        println!("{what}: {few} steps for {FEW}, {many} for {}", 8 * FEW);
        assert!(many <= 10 * few, "{what}: {few}, {many}");
    }

    /// Full objects of one class, of which two are changed by `add`.
    fn objects(count: usize, add: i64) -> Variant {
        let object = |at: usize| {
            let is_changed = at == count / 3 || at == count / 2;
            let hp = at as i64 + if is_changed { add } else { 0 };
            let properties = vec![("hp".into(), hp.into()), ("name".into(), "a".into())];
            Variant::Object(Object::Full(Box::new(FullObject { class: "Node".into(), properties })))
        };
        Variant::Array((0..count).map(object).collect())
    }

    /// Arrays in each other, and as many ints in the innermost.
    fn deep(count: usize, add: i64) -> Variant {
        let ints = (0..count as i64).map(|at| Variant::Int(at + add)).collect();
        (0..count).fold(Variant::Array(ints), |value, _| Variant::Array(vec![value].into()))
    }

    #[test]
    fn comparing_takes_time_in_proportion_to_the_values() {
        let encoder = Encoder::new(Dialect::GODOT4).limits(Limits::default().depth(u32::MAX));
        type Make = fn(usize, i64) -> Variant;
        for (name, make) in [("objects", objects as Make), ("deep", deep)] {
            assert_linear(&format!("differences of {name}"), &|count| {
                let (old, new) = (make(count, 0), make(count, 100_000));
                steps::of(|| Compare::new().values(&old, &new))
            });
            assert_linear(&format!("merging {name}"), &|count| {
                let all = [0, 100_000, 200_000].map(|add| make(count, add));
                steps::of(|| drop(Merge::new().values(&all[0], &all[1], &all[2])))
            });
            assert_linear(&format!("splicing {name}"), &|count| {
                let (old, new) = (make(count, 0), make(count, 100_000));
                let mut packet = encoder.encode(&old).unwrap();
                // A bit that no engine writes, in the type of the outermost array.
                packet[1] |= 0x80;
                steps::of(|| splice(&packet, &new, &encoder).unwrap())
            });
            assert_linear(&format!("mending {name}"), &|count| {
                let (old, mut new) = (make(count, 0), make(count, 100_000));
                steps::of(|| mend(&old, &mut new, Dialect::GODOT4))
            });
        }
    }
}
