//! Cases made ahead, in a thread of their own.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Scope;

use crate::case::{Case, Cases, Profile};

/// Batches that wait at most.
const AHEAD: usize = 4;

/// Makes cases. Ends when it is dropped.
pub(super) struct Producer {
    made: Receiver<Vec<Case>>,
    used: Sender<Vec<Case>>,
}

/// Makes the cases of these numbers, in batches.
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
    send: &SyncSender<Vec<Case>>,
    back: &Receiver<Vec<Case>>,
) {
    while !numbers.is_empty() {
        let mut made: Vec<Case> = back.try_recv().unwrap_or_default();
        let size =
            usize::try_from(numbers.end - numbers.start).map_or(batch, |left| left.min(batch));
        made.truncate(size);
        made.resize_with(size, empty);
        for (case, number) in made.iter_mut().zip(numbers.by_ref()) {
            cases.case_into(number, case);
        }
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
    pub(super) fn next(&mut self) -> Option<Vec<Case>> {
        self.made.recv().ok()
    }

    /// Gives a batch back, so that its memory is used again.
    pub(super) fn give_back(&mut self, batch: Vec<Case>) {
        // The other end may have made its last.
        let _ = self.used.send(batch);
    }
}
