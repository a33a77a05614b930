//! Finds the objects of a list among those of a layer.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use formwork_alb1::tree::Object;

use super::{Line, Placement};

/// An object of the list.
pub(super) struct Wanted<'l> {
    pub(super) line: &'l Line<'l>,
    /// The hash of its template.
    pub(super) hash: u32,
    /// Its position among the objects of the layer.
    pub(super) found: Option<usize>,
}

/// An object of the layer.
pub(super) struct There {
    /// The hash of its template.
    pub(super) hash: u32,
    pub(super) object: Object,
    /// Whether the import's filter selects it, so that it may be changed or deleted.
    pub(super) selected: bool,
}

/// Finds the objects of the list among those of the layer: first objects that are the same in all data of the list,
/// then by id, then by place; the first of several. Objects that are not selected are found, too: a line that belongs
/// to one is ignored, whatever place it has.
pub(super) fn find_again(wanted: &mut [Wanted<'_>], there: &[There]) {
    let mut open = vec![true; there.len()];
    let six = |object: &Object| Placement::from(*object).six_decimals();
    let place = |[x, y, ..]: [_; 7]| [x, y];
    let mut find = Search { wanted, there, open: &mut open };
    find.by(
        |it| Some((it.line.entry.id?, it.line.entry.placement.six_decimals())),
        |object| (object.id, six(object)),
    );
    find.by(|it| it.line.entry.id, |object| object.id);
    find.by(|it| Some(it.line.entry.placement.six_decimals()), six);
    find.by(|it| Some(place(it.line.entry.placement.six_decimals())), |object| place(six(object)));
}

struct Search<'s, 'l> {
    wanted: &'s mut [Wanted<'l>],
    there: &'s [There],
    /// Whether each object of `there` is not found yet.
    open: &'s mut [bool],
}

/// The end of a chain.
const END: u32 = u32::MAX;

impl Search<'_, '_> {
    /// Finds objects with the same template and the same key.
    fn by<K: Hash + Eq>(
        &mut self,
        key_of_wanted: impl Fn(&Wanted<'_>) -> Option<K>,
        key_of_object: impl Fn(&Object) -> K,
    ) {
        let missing = |it: &Wanted<'_>| it.found.is_none() && key_of_wanted(it).is_some();
        if !self.wanted.iter().any(missing) {
            return;
        }
        // Keys are large, and there may be millions: only their hashes are kept, each with the first
        // of a chain of positions.
        let mut first: HashMap<u64, u32> = HashMap::new();
        let mut next = vec![END; self.there.len()];
        for (position, it) in self.there.iter().enumerate().rev() {
            let Ok(number) = u32::try_from(position) else { continue };
            if !self.open.get(position).is_some_and(|open| *open) {
                continue;
            }
            let behind = first.insert(hash_of(it.hash, &key_of_object(&it.object)), number);
            if let (Some(slot), Some(behind)) = (next.get_mut(position), behind) {
                *slot = behind;
            }
        }
        for it in self.wanted.iter_mut().filter(|it| it.found.is_none()) {
            let Some(key) = key_of_wanted(it) else { continue };
            let Some(head) = first.get_mut(&hash_of(it.hash, &key)) else { continue };
            let position = *head as usize;
            let Some(candidate) = self.there.get(position) else { continue };
            // Another key with the same hash of 64 bits is too rare to search on.
            if candidate.hash != it.hash || key_of_object(&candidate.object) != key {
                continue;
            }
            it.found = Some(position);
            *head = next.get(position).copied().unwrap_or(END);
            if let Some(open) = self.open.get_mut(position) {
                *open = false;
            }
        }
    }
}

/// Returns a hash that is the same in every run.
fn hash_of(template: u32, key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    template.hash(&mut hasher);
    key.hash(&mut hasher);
    hasher.finish()
}
