//! Makes cases ahead of their use, in a separate thread.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Scope;

use crate::case::{Case, Cases, Profile, Repeats};

/// Batches that wait at most.
const AHEAD: usize = 4;

/// Makes cases. Ends when it is dropped.
pub(super) struct Producer {
    made: Receiver<Batch>,
    used: Sender<Batch>,
}

/// Cases made ahead, and how many were left out.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) cases: Vec<Case>,
    /// Cases left out because they repeat one before them.
    pub(super) repeated: u64,
    /// The number of the case that comes next.
    pub(super) next: u64,
}

/// Makes the cases of these numbers, in batches, but for those that repeat one before.
pub(super) fn start<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    cases: &'env Cases,
    numbers: Range<u64>,
    batch: usize,
) -> Producer {
    let (send, made) = sync_channel(AHEAD);
    let (used, back) = channel();
    scope.spawn(move || make(cases, numbers, batch, &send, &back));
    Producer { made, used }
}

fn make(
    cases: &Cases,
    mut numbers: Range<u64>,
    batch: usize,
    send: &SyncSender<Batch>,
    back: &Receiver<Batch>,
) {
    let mut repeats = Repeats::before(cases, numbers.start);
    while !numbers.is_empty() {
        let mut made = back.try_recv().unwrap_or_default();
        (made.repeated, made.next) = (0, numbers.start);
        let mut size = 0;
        while size < batch
            && let Some(number) = numbers.next()
        {
            if made.cases.len() == size {
                made.cases.push(empty());
            }
            let Some(case) = made.cases.get_mut(size) else { break };
            cases.case_into(number, case);
            made.next = number + 1;
            if repeats.is_one(case) {
                made.repeated += 1;
            } else {
                size += 1;
            }
        }
        made.cases.truncate(size);
        if send.send(made).is_err() {
            // Nobody wants more.
            return;
        }
    }
}

const fn empty() -> Case {
    Case {
        number: 0,
        profile: Profile::Valid,
        subject: "",
        bytes: Vec::new(),
        broken: None,
        pair: None,
    }
}

impl Producer {
    /// The next batch; [`None`] where there is no more.
    pub(super) fn next(&mut self) -> Option<Batch> {
        self.made.recv().ok()
    }

    /// Gives a batch back, so that its memory is used again.
    pub(super) fn give_back(&mut self, batch: Batch) {
        // The other end may have made its last.
        let _ = self.used.send(batch);
    }
}
