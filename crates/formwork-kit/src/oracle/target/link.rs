//! The two directions of a conversation with a decoder, neither of which waits for the other: a thread for each.

use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

/// The result of waiting for bytes.
pub(super) enum Arrived {
    Bytes(Vec<u8>),
    Nothing,
    /// Nothing can arrive any more.
    End,
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// Bytes to and from a decoder. A thread writes and another one reads, so that it does not matter whether
/// the decoder reads and answers by turns. Both end when the streams do.
pub(super) struct Link {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Vec<u8>>,
}

impl Link {
    /// Pieces that wait to be taken before reading stops: a decoder that never stops talking fills this
    /// and no more.
    const PIECES: usize = 64;

    pub(super) fn new(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
    ) -> Self {
        let (to, sent) = mpsc::channel();
        thread::spawn(move || write_all(input, &sent));
        Self { to: Some(to), ..Self::listening(output) }
    }

    /// A link to a decoder that has no input.
    pub(super) fn listening(output: impl Read + Send + 'static) -> Self {
        let (received, from) = mpsc::sync_channel(Self::PIECES);
        thread::spawn(move || read_all(output, &received));
        Self { to: None, from }
    }

    /// Sends bytes. Where they do not arrive, the other direction ends too, or nothing comes in time.
    pub(super) fn send(&mut self, bytes: Vec<u8>) {
        if let Some(to) = &self.to {
            let _ = to.send(bytes);
        }
    }

    /// Ends the decoder's input after the bytes that were sent.
    pub(super) fn close(&mut self) {
        self.to = None;
    }

    /// Waits so long for bytes at most.
    pub(super) fn receive(&mut self, patience: Duration) -> Arrived {
        match self.from.recv_timeout(patience) {
            Ok(bytes) => Arrived::Bytes(bytes),
            Err(RecvTimeoutError::Timeout) => Arrived::Nothing,
            Err(RecvTimeoutError::Disconnected) => Arrived::End,
        }
    }
}

fn write_all(mut input: impl Write, sent: &Receiver<Vec<u8>>) {
    for bytes in sent {
        if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut output: impl Read, received: &SyncSender<Vec<u8>>) {
    let mut piece = vec![0; PIECE];
    loop {
        match output.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => {
                let bytes = piece.get(..count).unwrap_or_default().to_vec();
                if received.send(bytes).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_time_that_no_clock_reaches_is_no_limit() {
        let (output, mut decoder) = io::pipe().expect("a pipe");
        decoder.write_all(b"answer").expect("there is room");
        let mut link = Link::listening(output);
        assert!(matches!(link.receive(Duration::MAX), Arrived::Bytes(bytes) if bytes == b"answer"));
    }
}
