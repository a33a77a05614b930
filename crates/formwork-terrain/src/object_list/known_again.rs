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
/// then by template and id, by id and place, and by template and place; the first of several. Objects that are not
/// selected are found, too: a line that belongs to one is ignored, whatever place it has.
pub(super) fn find_again(wanted: &mut [Wanted<'_>], there: &[There]) {
    let mut open = vec![true; there.len()];
    let six = |it: &There| Placement::from(it.object).six_decimals();
    let wanted_six = |it: &Wanted<'_>| it.line.entry.placement.six_decimals();
    let place = |[x, y, ..]: [_; 7]| [x, y];
    let mut find = Search { wanted, there, open: &mut open };
    find.by(
        |it| Some((it.hash, it.line.entry.id?, wanted_six(it))),
        |it| Some((it.hash, it.object.id, six(it))),
    );
    find.by(|it| Some((it.hash, it.line.entry.id?)), |it| Some((it.hash, it.object.id)));
    // The list gives these objects another template. In a list of another layer, an id alone says nothing.
    find.by(
        |it| Some((it.line.entry.id?, place(wanted_six(it)))),
        |it| Some((it.object.id, place(six(it)))),
    );
    find.by(|it| Some((it.hash, wanted_six(it))), |it| Some((it.hash, six(it))));
    find.by(|it| Some((it.hash, place(wanted_six(it)))), |it| Some((it.hash, place(six(it)))));
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
    /// Finds objects with the same key.
    fn by<K: Hash + Eq>(
        &mut self,
        key_of_wanted: impl Fn(&Wanted<'_>) -> Option<K>,
        key_of_object: impl Fn(&There) -> Option<K>,
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
            let Some(key) = key_of_object(it) else { continue };
            let behind = first.insert(hash_of(&key), number);
            if let (Some(slot), Some(behind)) = (next.get_mut(position), behind) {
                *slot = behind;
            }
        }
        for it in self.wanted.iter_mut().filter(|it| it.found.is_none()) {
            let Some(key) = key_of_wanted(it) else { continue };
            let Some(head) = first.get_mut(&hash_of(&key)) else { continue };
            let position = *head as usize;
            let Some(candidate) = self.there.get(position) else { continue };
            // Another key with the same hash of 64 bits is too rare to search on.
            if key_of_object(candidate) != Some(key) {
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
fn hash_of(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
