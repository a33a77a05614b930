//! Merges two changed versions of a value, and the order of the entries of two changed lists.

/// An entry, with its positions in the base and the two sides, as far as they have it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Slot {
    pub base: Option<usize>,
    pub ours: Option<usize>,
    pub theirs: Option<usize>,
}

impl Slot {
    const fn swapped(self) -> Self {
        Self { base: self.base, ours: self.theirs, theirs: self.ours }
    }
}

/// Returns the version of the side that changed the base, ours if both made the same of it. `all` has the base, ours
/// and theirs. Returns [`None`] if both sides changed the base, each in its own way.
pub fn changed<T: Copy>(all: [T; 3], is_same: impl Fn(T, T) -> bool) -> Option<T> {
    let [base, ours, theirs] = all;
    if is_same(ours, theirs) || is_same(theirs, base) {
        return Some(ours);
    }
    is_same(ours, base).then_some(theirs)
}

/// Returns the entries of both sides in one order, that of the side which changed it. `ours` and `theirs` have, for
/// each entry of a side, the position of its entry in the base, which has `base` entries. `added` has, for each entry
/// of theirs, the position of its entry in ours; of two that are not in the base this counts only if `is_same` holds
/// for their positions in ours and in theirs. An entry of the base that neither side has is left out.
pub fn slots(
    base: usize,
    ours: &[Option<usize>],
    theirs: &[Option<usize>],
    mut added: Vec<Option<usize>>,
    is_same: impl Fn(usize, usize) -> bool,
) -> Vec<Slot> {
    for (at, found) in added.iter_mut().enumerate() {
        let is_new = |other: usize| theirs[at].is_none() && ours[other].is_none();
        *found = found.filter(|&other| is_new(other) && is_same(other, at));
    }
    let in_order = |side: &[Option<usize>]| side.iter().flatten().is_sorted();
    if in_order(ours) && !in_order(theirs) {
        let slots = in_order_of_ours(base, theirs, ours, &positions(&added, ours.len()));
        return slots.into_iter().map(Slot::swapped).collect();
    }
    in_order_of_ours(base, ours, theirs, &added)
}

/// Returns, for each of `count` entries of a list, its position in another list, which has the positions in the first.
#[must_use]
pub fn positions(other: &[Option<usize>], count: usize) -> Vec<Option<usize>> {
    let mut positions = vec![None; count];
    for (at, of) in other.iter().enumerate() {
        of.iter().for_each(|&of| positions[of] = Some(at));
    }
    positions
}

fn in_order_of_ours(
    base: usize,
    ours: &[Option<usize>],
    theirs: &[Option<usize>],
    added: &[Option<usize>],
) -> Vec<Slot> {
    let ours_of_base = positions(ours, base);
    let partners: Vec<_> = (theirs.iter().zip(added))
        .map(|(of, added)| of.map_or(*added, |of| ours_of_base[of]))
        .collect();
    let theirs_of_ours = positions(&partners, ours.len());
    // An entry that only theirs has comes after its predecessor, and after entries that ours added there.
    let mut only_theirs = vec![Vec::new(); ours.len() + 1];
    let mut behind = 0;
    for (at, (&of, partner)) in theirs.iter().zip(partners).enumerate() {
        if let Some(ours) = partner {
            behind = ours + 1;
            continue;
        }
        while behind < ours.len() && ours[behind].is_none() && theirs_of_ours[behind].is_none() {
            behind += 1;
        }
        only_theirs[behind].push(Slot { base: of, ours: None, theirs: Some(at) });
    }
    let mut slots = Vec::with_capacity(ours.len() + theirs.len());
    for (at, only) in only_theirs.into_iter().enumerate() {
        slots.extend(only);
        if let Some(&base) = ours.get(at) {
            slots.push(Slot { base, ours: Some(at), theirs: theirs_of_ours[at] });
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ours: &[Option<usize>], theirs: &[Option<usize>], added: &[Option<usize>]) -> String {
        let slots = slots(3, ours, theirs, added.to_vec(), |_, _| true);
        let one = |at: Option<usize>| at.map_or("-".to_owned(), |at| at.to_string());
        let slots = slots.iter().map(|it| one(it.base) + &one(it.ours) + &one(it.theirs));
        slots.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_one_side_adds_stands_where_it_stood() {
        let all = [Some(0), Some(1), Some(2)];
        assert_eq!(texts(&all, &all, &[None; 3]), "000 111 222");
        let more = [Some(0), None, Some(1), Some(2), None];
        assert_eq!(texts(&all, &more, &[None; 5]), "000 --1 112 223 --4");
        assert_eq!(texts(&more, &more, &[None; 5]), "000 -1- --1 122 233 -4- --4");
        let same = [None, Some(1), None, None, Some(4)];
        assert_eq!(texts(&more, &more, &same), "000 -11 122 233 -44");
    }

    #[test]
    fn what_one_side_removes_has_no_partner() {
        let all = [Some(0), Some(1), Some(2)];
        assert_eq!(texts(&[Some(0), Some(2)], &all, &[None; 3]), "000 1-1 212");
        assert_eq!(texts(&all, &[Some(2)], &[None]), "00- 11- 220");
        assert_eq!(texts(&[Some(0)], &[Some(0)], &[None]), "000");
    }

    #[test]
    fn the_side_that_changed_the_order_says_it() {
        let all = [Some(0), Some(1), Some(2)];
        let turned = [Some(2), Some(0), Some(1)];
        assert_eq!(texts(&all, &turned, &[None; 3]), "220 001 112");
        assert_eq!(texts(&turned, &all, &[None; 3]), "202 010 121");
    }
}
