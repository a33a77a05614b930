//! Sets the places of views whose bytes have moved.
//!
//! The old file and the new one are held to each other along their layout: fields to fields, elements to elements that
//! are the same, bytes to bytes that are the same in front and behind. So every byte that stayed has a place in both.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::Views;
use crate::error::{Error, Path, Result};
use crate::schema::{Field, Layout, Record, View, ViewBytes};
use crate::walk::{Family, StepKind, ViewPlace, Walk};
use crate::wire::rule;

/// Sets the places of views in `bytes` to where what they looked at in `before` is now. Of a view whose
/// bytes were given it is known which ones they are.
///
/// Returns whether any was set.
///
/// # Errors
///
/// Fails if what a view looks at is only partly there, or no number of a field gives its place.
pub(super) fn follow(
    layout: Layout,
    before: &[u8],
    bytes: &mut Vec<u8>,
    given: Option<&Given>,
    (family, big): (&dyn Family, bool),
) -> Result<bool> {
    if before == bytes.as_slice() {
        return Ok(false);
    }
    let walk = |bytes| Walk::over(layout, bytes, family).in_order(big).without_deferred();
    let mut old = Vec::new();
    collect(walk(before), &mut Views::new(before), &mut |seen, _| {
        old.push(seen.clone());
        None
    })?;
    if old.is_empty() {
        return Ok(false);
    }
    let trees = (Tree::of(walk(before))?, Tree::of(walk(bytes))?);
    let moves = Moves::between(trees, (before, bytes), given.map(|given| &given.run));
    let known = Known::new(&old, &moves);
    let mut settled = bytes.clone();
    let mut kept: HashMap<Key, (ViewPlace, Range<usize>)> = HashMap::new();
    let mut wrong = None;
    collect(walk(bytes), &mut Views::new(bytes), &mut |seen, walk| {
        let before = known.find(seen)?;
        let place = seen.place;
        if (place.at, place.length) != (before.place.at, before.place.length) {
            // It was set to another place.
            return None;
        }
        let given = given.filter(|given| given.key == before.key).map(|it| it.run.new.clone());
        let range = before.range.clone().and_then(|range| moves.range(seen.view, range));
        let Some(range) = given.or(range) else {
            if before.range.is_some() && wrong.is_none() {
                wrong = Some(gone(seen));
            }
            return None;
        };
        let at = range.start as i128 - place.from as i128;
        let is_set = (place.at == Some(at) || walk.solve_in(&seen.view.at, at, &mut settled))
            && match &seen.view.bytes {
                ViewBytes::Count(_) if place.length == Some(range.len() as i128) => true,
                ViewBytes::Count(count) => walk.solve_in(count, range.len() as i128, &mut settled),
                ViewBytes::Rest | ViewBytes::Open => true,
            };
        if !is_set && wrong.is_none() {
            wrong = Some(unsettled(seen, &range));
        }
        kept.insert(seen.key, (place, range.clone()));
        Some(range)
    })?;
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if settled == *bytes {
        return Ok(false);
    }
    // Two views may need one number for two places.
    collect(walk(&settled), &mut Views::new(&settled), &mut |seen, _| {
        if let Some((_, range)) = kept.get(&seen.key)
            && wrong.is_none()
            && !seen.is_at(range)
        {
            wrong = Some(unsettled(seen, range));
        }
        None
    })?;
    match wrong {
        Some(wrong) => Err(wrong),
        None => {
            *bytes = settled;
            Ok(true)
        }
    }
}

fn gone(seen: &Seen) -> Error {
    let expected =
        format!("what `{}` looks at to be there, or another place for it", seen.view.name);
    let found = "only parts of it, or none";
    Error::new(rule::RECORD_VIEW, seen.place.record as u64, expected, found)
        .under(seen.path.clone())
}

fn unsettled(seen: &Seen, range: &Range<usize>) -> Error {
    let length = match seen.view.bytes {
        ViewBytes::Count(_) => format!("{} ", crate::wire::bytes(range.len())),
        _ => String::new(),
    };
    let expected = format!("{length}at {} of the file, where what it looks at is now", range.start);
    let found = "no number of a field that gives it";
    Error::new(rule::RECORD_VIEW, seen.place.record as u64, expected, found)
        .under(seen.path.clone())
}

/// A view by its declaration, the start of its record, and how many views it is in.
pub(crate) type Key = (usize, usize, u32);

/// Returns the key of a view.
pub(crate) fn key_of(view: &'static View, place: ViewPlace, depth: u32) -> Key {
    (std::ptr::from_ref(view) as usize, place.record, depth)
}

/// A view that was met.
#[derive(Clone, Debug)]
struct Seen {
    key: Key,
    view: &'static View,
    record: Option<&'static Record>,
    place: ViewPlace,
    /// Its bytes, where they are in the file.
    range: Option<Range<usize>>,
    path: Path,
}

impl Seen {
    /// Returns whether the view looks at these bytes.
    fn is_at(&self, range: &Range<usize>) -> bool {
        self.place.at == Some(range.start as i128 - self.place.from as i128)
            && self.place.length.is_none_or(|length| length == range.len() as i128)
    }
}

/// Hands over each view of a file, with the walk that met it. What is returned is walked as its bytes.
fn collect(
    mut walk: Walk<'_>,
    views: &mut Views,
    each: &mut dyn FnMut(&Seen, &Walk<'_>) -> Option<Range<usize>>,
) -> Result<()> {
    let depth = views.depth;
    while let Some(step) = walk.next() {
        let step = match step {
            Ok(step) => step,
            // What is in a view need not be readable.
            Err(_) if depth > 0 => return Ok(()),
            Err(error) => return Err(error),
        };
        let StepKind::View(view) = step.kind else { continue };
        let place = walk.place_of_view(view);
        let key = key_of(view, place, depth);
        let mut range = step.odd.is_none().then(|| step.bytes.clone());
        if matches!(view.bytes, ViewBytes::Open)
            && let Some(range) = &mut range
        {
            range.end = end_of(&walk, view, range.clone(), views);
        }
        let (record, path) = (walk.record_around(), walk.path());
        let seen = Seen { key, view, record, place, range, path };
        let moved = each(&seen, &walk);
        let Some(range) = moved.clone().or(seen.range) else { continue };
        // The last byte of an open view is where its type ends.
        let whole = match view.bytes {
            ViewBytes::Open => range.start..walk.whole(),
            _ => range,
        };
        if views.depth >= super::MOST_VIEWS || whole.end > walk.whole() || views.left == 0 {
            continue;
        }
        views.depth += 1;
        let inner = walk.enter_view(view, whole.clone());
        let used = if matches!(view.bytes, ViewBytes::Open) { 1 } else { whole.len() };
        collect(inner, views, each)?;
        views.leave(used.max(1));
    }
    Ok(())
}

/// Returns where the type of a view ends.
fn end_of(walk: &Walk<'_>, view: &'static View, range: Range<usize>, views: &mut Views) -> usize {
    if views.left == 0 {
        return range.start;
    }
    let start = range.start;
    let mut inner = walk.enter_view(view, range);
    let is_whole = inner.by_ref().all(|step| step.is_ok());
    let end = if is_whole { inner.position() } else { start };
    views.left = views.left.saturating_sub(end - start);
    end
}

/// The views of the old file, by where their records are in the new one.
struct Known<'o> {
    by_record: HashMap<Key, &'o Seen>,
    /// Those whose records are nowhere, by their numbers.
    others: HashMap<(usize, Option<i128>, Option<i128>), &'o Seen>,
}

impl<'o> Known<'o> {
    fn new(old: &'o [Seen], moves: &Moves) -> Self {
        let mut known = Self { by_record: HashMap::new(), others: HashMap::new() };
        for seen in old {
            let (view, start, depth) = seen.key;
            match moves.record(seen.record, start) {
                Some(start) => known.by_record.insert((view, start, depth), seen),
                None => known.others.insert((view, seen.place.at, seen.place.length), seen),
            };
        }
        known
    }

    fn find(&self, seen: &Seen) -> Option<&'o Seen> {
        let other = (seen.key.0, seen.place.at, seen.place.length);
        self.by_record.get(&seen.key).or_else(|| self.others.get(&other)).copied()
    }
}

/// The kind of a part of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PartKind {
    Record(*const Record),
    List,
    Bytes,
}

/// A part of a file: a record, a list, or bytes.
#[derive(Clone, Debug)]
struct Part {
    kind: PartKind,
    depth: usize,
    field: Option<*const Field>,
    bytes: Range<usize>,
    /// The position of the part after it and all that is in it.
    next: usize,
}

/// The parts of a file, each before the parts in it.
struct Tree {
    parts: Vec<Part>,
    end: usize,
}

impl Tree {
    fn of(mut walk: Walk<'_>) -> Result<Self> {
        let (mut parts, mut open): (Vec<Part>, Vec<usize>) = (Vec::new(), Vec::new());
        let close = |parts: &mut Vec<Part>, open: &mut Vec<usize>, depth: usize, at: usize| {
            while let Some(last) = open.pop_if(|last| parts[*last].depth >= depth) {
                parts[last].next = parts.len();
                parts[last].bytes.end = parts[last].bytes.end.max(at);
            }
        };
        for step in walk.by_ref() {
            let step = step?;
            let kind = match step.kind {
                StepKind::Record(record) => PartKind::Record(std::ptr::from_ref(record)),
                StepKind::List(..) => PartKind::List,
                StepKind::Leaf(_) | StepKind::Magic => PartKind::Bytes,
                _ => continue,
            };
            close(&mut parts, &mut open, step.depth, step.bytes.start);
            open.push(parts.len());
            let field = step.field.map(std::ptr::from_ref);
            parts.push(Part { kind, depth: step.depth, field, bytes: step.bytes, next: 0 });
        }
        let end = walk.position();
        close(&mut parts, &mut open, 0, end);
        Ok(Self { parts, end })
    }

    /// Returns the elements of a list.
    fn elements<'b>(&self, list: usize, bytes: &'b [u8]) -> impl Iterator<Item = Element<'b>> {
        self.inside(list)
            .map(|part| Element { part, bytes: &bytes[self.parts[part].bytes.clone()] })
    }

    /// Returns the parts in a part.
    fn inside(&self, part: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.parts[part].next;
        let first = Some(part + 1).filter(|at| *at < end);
        std::iter::successors(first, move |at| Some(self.parts[*at].next).filter(|at| *at < end))
    }
}

/// Bytes of the old file, and what they are in the new one: as many are the same, or in the same order.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// A view whose bytes were given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub key: Key,
    pub run: Run,
}

/// The places of the parts of a file in a newer one.
struct Moves {
    runs: Vec<Run>,
    /// Records that are not the same any more, by their declaration and start.
    records: HashMap<(*const Record, usize), usize>,
    /// Parts that are not the same any more.
    spans: HashMap<Range<usize>, Range<usize>>,
    /// The ends of both.
    ends: (usize, usize),
}

impl Moves {
    fn between(
        (old, new): (Tree, Tree),
        (before, after): (&[u8], &[u8]),
        changed: Option<&Run>,
    ) -> Self {
        let mut moves = Self {
            runs: Vec::new(),
            records: HashMap::new(),
            spans: HashMap::new(),
            ends: (old.end, new.end),
        };
        let mut pairs = Vec::new();
        if !old.parts.is_empty() && !new.parts.is_empty() {
            pairs.push((0, 0));
        }
        while let Some((a, b)) = pairs.pop() {
            let (one, other) = (&old.parts[a], &new.parts[b]);
            if let PartKind::Record(record) = one.kind
                && one.kind == other.kind
            {
                moves.records.insert((record, one.bytes.start), other.bytes.start);
            }
            if before[one.bytes.clone()] == after[other.bytes.clone()] {
                moves.add(one.bytes.clone(), other.bytes.clone());
                continue;
            }
            if !one.bytes.is_empty() {
                moves.spans.entry(one.bytes.clone()).or_insert(other.bytes.clone());
            }
            match (one.kind, other.kind) {
                (PartKind::Record(_), kind) if kind == one.kind => {
                    let others: Vec<usize> = new.inside(b).collect();
                    let mut others = &others[..];
                    for part in old.inside(a) {
                        let field = old.parts[part].field;
                        let found = others.iter().position(|it| new.parts[*it].field == field);
                        if let Some(found) = found {
                            pairs.push((part, others[found]));
                            others = &others[found + 1..];
                        }
                    }
                }
                (PartKind::List, PartKind::List) => {
                    let ours: Vec<_> = old.elements(a, before).collect();
                    let theirs: Vec<_> = new.elements(b, after).collect();
                    pair(&ours, &theirs, &mut pairs);
                }
                _ => match changed {
                    // In front of what is changed and after it all bytes are as they were.
                    Some(run)
                        if one.bytes.start <= run.old.start && run.old.end <= one.bytes.end =>
                    {
                        let (at, to) = (one.bytes.clone(), other.bytes.clone());
                        let new = to.start + (run.old.start - at.start);
                        moves.add(at.start..run.old.start, to.start..new);
                        moves.add(run.old.clone(), new..new + run.new.len());
                        moves.add(run.old.end..at.end, new + run.new.len()..to.end);
                    }
                    _ => moves.bytes((one.bytes.clone(), before), (other.bytes.clone(), after)),
                },
            }
        }
        moves.runs.sort_by_key(|run| run.old.start);
        moves
    }

    fn add(&mut self, old: Range<usize>, new: Range<usize>) {
        if !old.is_empty() {
            self.runs.push(Run { old, new });
        }
    }

    /// Adds bytes of which those in front and those behind are the same.
    fn bytes(&mut self, (old, before): (Range<usize>, &[u8]), (new, after): (Range<usize>, &[u8])) {
        if old.len() == new.len() {
            return self.add(old, new);
        }
        let (one, other) = (&before[old.clone()], &after[new.clone()]);
        let least = one.len().min(other.len());
        let same = |mut pairs: &mut dyn Iterator<Item = (&u8, &u8)>| {
            (&mut pairs).take_while(|(one, other)| one == other).count()
        };
        let front = same(&mut one.iter().zip(other));
        let behind = same(&mut one.iter().rev().zip(other.iter().rev())).min(least - front);
        self.add(old.start..old.start + front, new.start..new.start + front);
        self.add(old.start + front..old.end - behind, new.start + front..new.end - behind);
        self.add(old.end - behind..old.end, new.end - behind..new.end);
    }

    /// Returns where a record starts that started here.
    fn record(&self, record: Option<&'static Record>, start: usize) -> Option<usize> {
        let known = record.and_then(|it| self.records.get(&(std::ptr::from_ref(it), start)));
        known.copied().or_else(|| self.start(start))
    }

    fn start(&self, at: usize) -> Option<usize> {
        if at >= self.ends.0 {
            return Some(at - self.ends.0 + self.ends.1);
        }
        let run = &self.runs[..self.runs.partition_point(|run| run.old.start <= at)];
        let run = run.last().filter(|run| at < run.old.end)?;
        let is_same = run.old.len() == run.new.len() || at == run.old.start;
        is_same.then(|| run.new.start + (at - run.old.start))
    }

    fn end(&self, at: usize) -> Option<usize> {
        if at > self.ends.0 {
            return Some(at - self.ends.0 + self.ends.1);
        }
        let run = &self.runs[..self.runs.partition_point(|run| run.old.start < at)];
        let run = run.last().filter(|run| at <= run.old.end)?;
        let is_same = run.old.len() == run.new.len() || at == run.old.end;
        is_same.then(|| run.new.end - (run.old.end - at))
    }

    /// Returns the bytes that these bytes of a view are now.
    fn range(&self, view: &View, old: Range<usize>) -> Option<Range<usize>> {
        if let Some(span) = self.spans.get(&old) {
            return Some(span.clone());
        }
        let start =
            self.start(old.start).or_else(|| self.end(old.start).filter(|_| old.is_empty()))?;
        let end = match view.bytes {
            ViewBytes::Count(_) if !old.is_empty() => self.end(old.end)?,
            ViewBytes::Rest => self.ends.1 + old.end.saturating_sub(self.ends.0),
            _ => start + old.len(),
        };
        (start <= end).then_some(start..end)
    }
}

/// An element of a list.
#[derive(Clone, Copy)]
struct Element<'b> {
    part: usize,
    bytes: &'b [u8],
}

/// Pairs the elements of two lists: those in front and behind that are the same, then others that are the same, and
/// those that are left, if they are as many.
fn pair(ours: &[Element<'_>], theirs: &[Element<'_>], pairs: &mut Vec<(usize, usize)>) {
    let same = |pairs: &mut dyn Iterator<Item = (&Element<'_>, &Element<'_>)>| {
        pairs.take_while(|(one, other)| one.bytes == other.bytes).count()
    };
    let front = same(&mut ours.iter().zip(theirs));
    let (more, others) = (&ours[front..], &theirs[front..]);
    let behind = same(&mut more.iter().rev().zip(others.iter().rev()));
    let ends = more.iter().rev().zip(others.iter().rev()).take(behind);
    let all = ours.iter().zip(theirs).take(front).chain(ends);
    pairs.extend(all.map(|(one, other)| (one.part, other.part)));
    let (more, others) = (&more[..more.len() - behind], &others[..others.len() - behind]);
    let mut by_bytes: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
    for other in others {
        by_bytes.entry(other.bytes).or_default().push_back(other.part);
    }
    let (mut left, mut taken) = (Vec::new(), HashSet::new());
    for one in more {
        match by_bytes.get_mut(one.bytes).and_then(VecDeque::pop_front) {
            Some(other) => {
                taken.insert(other);
                pairs.push((one.part, other));
            }
            None => left.push(one.part),
        }
    }
    let others = others.iter().map(|it| it.part).filter(|it| !taken.contains(it));
    let others: Vec<usize> = others.collect();
    if left.len() == others.len() {
        pairs.extend(left.into_iter().zip(others));
    }
}
