//! The end of what a process prints.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Reads a stream to its end, so that the process never waits for it, and keeps the last of it.
pub(super) struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when the stream has ended.
    ended: Receiver<()>,
}

impl Tail {
    /// Bytes that are kept.
    const KEPT: usize = 4096;
    /// How long to wait for the rest of what a process printed that has ended. Something else may hold
    /// the stream open.
    const PATIENCE: Duration = Duration::from_millis(200);

    pub(super) fn of(mut stream: impl Read + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let (open, ended) = mpsc::channel();
        let keeping = Arc::clone(&kept);
        thread::spawn(move || {
            let _open: mpsc::Sender<()> = open;
            let mut piece = [0; 8192];
            while let Ok(count @ 1..) = stream.read(&mut piece) {
                let mut kept = keeping.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(piece.iter().take(count));
                let surplus = kept.len().saturating_sub(Self::KEPT);
                kept.drain(..surplus);
            }
        });
        Self { kept, ended }
    }

    /// Returns the last part of the stream of a process that has ended.
    pub(super) fn text(&self) -> String {
        let _ = self.ended.recv_timeout(Self::PATIENCE);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
