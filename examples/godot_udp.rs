//! Speaks to a running game over UDP: `PacketPeerUDP.put_var` and `get_var`. A datagram is a packet without a
//! length.
//!
//! ```text
//! cargo run -p formwork-examples --example godot_udp -- --format godot3
//! godot3-server --path examples/godot_client/godot3 --udp    (in a second terminal)
//! ```
//!
//! For Godot 4: `--format godot4`, and `godot --headless --path examples/godot_client/godot4 -- --udp`.
//! Ends when a game sends "bye".

use std::error::Error;
use std::net::UdpSocket;

mod exchange;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = exchange::Arguments::of_the_program()?;
    let (decoder, encoder) = (arguments.decoder(), arguments.encoder());
    let socket = UdpSocket::bind(&arguments.address)?;
    println!("listening on {} for {}", socket.local_addr()?, arguments.dialect);

    // The size of the largest datagram.
    let mut datagram = [0; 65_536];
    loop {
        let (length, game) = socket.recv_from(&mut datagram)?;
        let value = match decoder.decode(&datagram[..length]) {
            Ok(value) => value,
            Err(error) => {
                eprintln!("{game}: {error}");
                continue;
            }
        };
        println!("{game}: {}", value.display(arguments.dialect));
        let bye = value == "bye";
        socket.send_to(&encoder.encode(&exchange::answer(value))?, game)?;
        if bye {
            return Ok(());
        }
    }
}
