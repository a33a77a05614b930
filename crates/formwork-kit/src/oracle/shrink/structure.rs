//! Smaller packets by what is in them: without an element, with a part of a value in place of the
//! whole, with shorter texts, lower numbers. What is broken in a packet stays broken, as the
//! [tree](crate::tree) has it.

use crate::Format;

use super::attempts::Attempts;
use crate::tree::Tree;

/// Tries smaller packets until none is better; whether one was.
pub(super) fn reduce(attempts: &mut Attempts<'_>, format: Format) -> bool {
    let mut any = false;
    // What saves more was refused, most likely for what is still there: it is tried again only when
    // nothing else helps.
    let mut most = usize::MAX;
    while attempts.goes_on() {
        let tree = Tree::of(attempts.best(), format);
        let mut reductions = tree.reductions().saving_at_most(most);
        let mut better = None;
        while attempts.goes_on()
            && better.is_none()
            && let Some(packet) = reductions.next()
        {
            better = attempts.is_better(packet).then(|| reductions.saved());
        }
        match better {
            Some(saved) => (any, most) = (true, saved),
            None if most == usize::MAX => {
                if !reduce_pairs(attempts, &tree) {
                    break;
                }
                any = true;
            }
            None => most = usize::MAX,
        }
    }
    any
}

/// Tries packets in which two equal values become smaller at once, until one is better; whether one was.
fn reduce_pairs(attempts: &mut Attempts<'_>, tree: &Tree) -> bool {
    for packet in tree.paired_reductions() {
        if !attempts.goes_on() {
            return false;
        }
        if attempts.is_better(packet) {
            return true;
        }
    }
    false
}
