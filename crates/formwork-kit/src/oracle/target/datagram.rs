//! Decoders that are reached through a UDP port.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use super::{Limits, Outcome, Target, over};
use crate::oracle::protocol::{Answer, read_answer};

/// A server that gets a packet in each datagram and sends an answer in each. Answers do not say to what,
/// so there is one packet on its way at a time.
pub(super) struct Datagrams {
    address: SocketAddr,
    socket: UdpSocket,
    limits: Limits,
    piece: Vec<u8>,
}

/// The reply to one datagram.
enum Reply {
    Answer(Outcome),
    Nothing,
    /// Nobody listens.
    Refused,
}

impl Datagrams {
    /// The longest packet that fits into a datagram.
    const LONGEST: usize = 65_507;
    /// The shortest time to wait for a datagram; a socket takes none at all for no limit.
    const SHORTEST: Duration = Duration::from_millis(1);
    /// How often a server that is not there is looked for.
    const RETRY: Duration = Duration::from_millis(20);

    pub(super) fn open(address: &str, limits: Limits) -> io::Result<Self> {
        let address = address
            .to_socket_addrs()?
            .next()
            .ok_or_else(|| io::Error::from(ErrorKind::AddrNotAvailable))?;
        let socket = socket(address)?;
        Ok(Self { address, socket, limits, piece: vec![0; 1 << 16] })
    }

    fn case(&mut self, packet: &[u8]) -> io::Result<Outcome> {
        if packet.len() > Self::LONGEST {
            let what = format!("{} bytes, which no datagram holds", packet.len());
            return Ok(Outcome::Answered(Answer::Skipped { what }));
        }
        let started = Instant::now();
        // A datagram may get lost; two are no accident.
        let mut asked = false;
        loop {
            if self.limits.is_over() {
                return Err(over());
            }
            let patience = self.limits.left(self.limits.time).max(Self::SHORTEST);
            self.socket.set_read_timeout(Some(patience))?;
            match self.ask(packet)? {
                Reply::Answer(outcome) => return Ok(outcome),
                Reply::Nothing if self.limits.is_over() => return Err(over()),
                Reply::Nothing if asked => {
                    return Ok(Outcome::Hung { limit: self.limits.time });
                }
                Reply::Nothing => asked = true,
                Reply::Refused if asked => {
                    let status = "the port is closed".to_owned();
                    return Ok(Outcome::Crashed { status, stderr: String::new() });
                }
                // It did not get this packet, so it went before, and may be coming back.
                Reply::Refused if started.elapsed() < self.limits.start => {
                    thread::sleep(Self::RETRY);
                }
                Reply::Refused => {
                    let message = format!("nobody listens on udp://{}", self.address);
                    return Err(io::Error::new(ErrorKind::ConnectionRefused, message));
                }
            }
        }
    }

    fn ask(&mut self, packet: &[u8]) -> io::Result<Reply> {
        let received = self.socket.send(packet).and_then(|_| self.socket.recv(&mut self.piece));
        let outcome = match received {
            Ok(count) => {
                let bytes = self.piece.get(..count).unwrap_or_default();
                match read_answer(bytes) {
                    Ok(Some((answer, length))) if length == count => Outcome::Answered(answer),
                    Ok(Some((_, length))) => {
                        let found =
                            format!("a datagram of {count} bytes with an answer of {length}");
                        Outcome::OutOfTurn { found }
                    }
                    Ok(None) => {
                        let found = format!("a datagram of {count} bytes, too few for an answer");
                        Outcome::OutOfTurn { found }
                    }
                    Err(error) => Outcome::OutOfTurn { found: error.to_string() },
                }
            }
            Err(error) => {
                // What still comes to the old port is not for the next packet.
                self.socket = socket(self.address)?;
                return match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => Ok(Reply::Nothing),
                    ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset => Ok(Reply::Refused),
                    _ => Err(error),
                };
            }
        };
        Ok(Reply::Answer(outcome))
    }
}

/// Returns a socket on a free port.
fn socket(address: SocketAddr) -> io::Result<UdpSocket> {
    let any = match address {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    connected(address, || UdpSocket::bind::<SocketAddr>(any))
}

/// Returns a socket that is connected to this address and not to itself. A server that ended frees its port, which the
/// next socket may get.
fn connected(
    address: SocketAddr,
    bind: impl Fn() -> io::Result<UdpSocket>,
) -> io::Result<UdpSocket> {
    let mut socket = bind()?;
    if socket.local_addr()?.port() == address.port() {
        // The port is taken as long as the first socket is there.
        socket = bind()?;
    }
    socket.connect(address)?;
    Ok(socket)
}

impl Target for Datagrams {
    fn run(&mut self, packets: &[&[u8]], outcomes: &mut Vec<Outcome>) -> io::Result<()> {
        for packet in packets {
            let outcome = self.case(packet)?;
            outcomes.push(outcome);
        }
        Ok(())
    }

    /// A server cannot be started anew from here; answers to what was asked before are not listened to
    /// any more.
    fn restart(&mut self) -> io::Result<()> {
        self.socket = socket(self.address)?;
        Ok(())
    }

    fn until(&mut self, until: Option<Instant>) {
        self.limits.until = until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_does_not_speak_to_itself() {
        let gone = UdpSocket::bind("127.0.0.1:0").expect("a port is free");
        let address = gone.local_addr().expect("it is bound");
        let left = std::cell::Cell::new(Some(gone));
        let bind = || left.take().map_or_else(|| UdpSocket::bind("127.0.0.1:0"), Ok);
        let socket = connected(address, bind).expect("a port is free");
        assert_ne!(socket.local_addr().expect("it is bound"), address);
        assert_eq!(socket.peer_addr().expect("it is connected"), address);
    }
}
