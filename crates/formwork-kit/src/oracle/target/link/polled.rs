//! Both directions in the thread of the conversation: a packet and its answer wake nobody but the decoder.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::{Arrived, PIECE};

/// Bytes to and from a decoder, which are moved while bytes are waited for.
pub(in super::super) struct Link {
    to: Option<File>,
    unsent: VecDeque<u8>,
    /// Whether the input ends after the unsent bytes.
    is_closed: bool,
    from: File,
    piece: Vec<u8>,
}

impl Link {
    pub(in super::super) fn new(input: impl Into<OwnedFd>, output: impl Into<OwnedFd>) -> Self {
        let to = File::from(input.into());
        // If this fails the stream is unusable, and the first write reports it.
        let _ = ioctl_fionbio(&to, true);
        Self { to: Some(to), is_closed: false, ..Self::listening(output) }
    }

    /// A link to a decoder that has no input.
    pub(in super::super) fn listening(output: impl Into<OwnedFd>) -> Self {
        Self {
            to: None,
            unsent: VecDeque::new(),
            is_closed: true,
            from: File::from(output.into()),
            piece: vec![0; PIECE],
        }
    }

    /// Sends bytes. Where they do not arrive, the other direction ends too, or nothing comes in time.
    pub(in super::super) fn send(&mut self, bytes: Vec<u8>) {
        if self.unsent.is_empty() {
            self.unsent = bytes.into();
        } else {
            self.unsent.extend(bytes);
        }
        self.write();
    }

    /// Ends the decoder's input after the bytes that were sent.
    pub(in super::super) fn close(&mut self) {
        self.is_closed = true;
        self.write();
    }

    /// Writes as much as is taken at once.
    fn write(&mut self) {
        while let Some(to) = &mut self.to {
            let bytes = self.unsent.as_slices().0;
            if bytes.is_empty() {
                if self.is_closed {
                    self.to = None;
                }
                return;
            }
            match to.write(bytes) {
                Ok(count) => {
                    self.unsent.drain(..count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.to = None,
            }
        }
        self.unsent.clear();
    }

    /// Waits so long for bytes at most.
    pub(in super::super) fn receive(&mut self, patience: Duration) -> Arrived {
        // No clock reaches the end of what is too long.
        let deadline = Instant::now().checked_add(patience);
        loop {
            let left = deadline
                .map_or(patience, |deadline| deadline.saturating_duration_since(Instant::now()));
            let (arrived, taken) = match self.wait(left) {
                Ok(ready) => ready,
                Err(Errno::INTR) => continue,
                Err(_) => return Arrived::End,
            };
            if taken {
                self.write();
            }
            if arrived {
                match self.from.read(&mut self.piece) {
                    Ok(0) => return Arrived::End,
                    Ok(count) => {
                        let bytes = self.piece.get(..count).unwrap_or_default().to_vec();
                        return Arrived::Bytes(bytes);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => return Arrived::End,
                }
            } else if !taken && left.is_zero() {
                return Arrived::Nothing;
            }
        }
    }

    /// Waits so long for something to read, or for room for what is unsent; which of them is there.
    fn wait(&self, patience: Duration) -> Result<(bool, bool), Errno> {
        // What is too long for the system is no end.
        let patience = Timespec::try_from(patience).ok();
        let from = PollFd::new(&self.from, PollFlags::IN);
        let is_there = |stream: &PollFd<'_>| !stream.revents().is_empty();
        match self.to.as_ref().filter(|_| !self.unsent.is_empty()) {
            Some(to) => {
                let mut streams = [from, PollFd::new(to, PollFlags::OUT)];
                poll(&mut streams, patience.as_ref())?;
                Ok((is_there(&streams[0]), is_there(&streams[1])))
            }
            None => {
                let mut streams = [from];
                poll(&mut streams, patience.as_ref())?;
                Ok((is_there(&streams[0]), false))
            }
        }
    }
}
