//! Speaks to a running game over TCP: `StreamPeerTCP.put_var` and `get_var`, or a PacketPeerStream.
//!
//! ```text
//! cargo run -p formwork-examples --example godot_server -- --format godot3
//! godot3-server --path examples/godot_client/godot3          (in a second terminal)
//! ```
//!
//! For Godot 4: `--format godot4`, and `godot --headless --path examples/godot_client/godot4`.
//! Ends when the first game leaves.

use std::error::Error;
use std::net::TcpListener;

use formwork_variant::ErrorKind;
use formwork_variant::frame::{ByteOrder, FrameReader, FrameWriter};

mod exchange;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = exchange::Arguments::of_the_program()?;
    let (decoder, encoder) = (arguments.decoder(), arguments.encoder());
    let listener = TcpListener::bind(&arguments.address)?;
    println!("listening on {} for {}", listener.local_addr()?, arguments.dialect);

    let (stream, game) = listener.accept()?;
    println!("{game} is here");
    let mut reader =
        FrameReader::new(stream.try_clone()?, ByteOrder::Little).limits(*decoder.size_limits());
    let mut writer = FrameWriter::new(stream, ByteOrder::Little);
    writer.write_value(&"hello from formwork".into(), &encoder)?;

    loop {
        // A packet that holds no value is skipped. A broken frame is followed by `None`, which ends the loop.
        // A broken connection ends the program.
        let value = match reader.next_value(&decoder) {
            Ok(Some(value)) => value,
            Ok(None) => break,
            Err(error) if error.kind() == ErrorKind::Io => return Err(error.into()),
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        println!("got {}", value.display(arguments.dialect));
        writer.write_value(&exchange::answer(value), &encoder)?;
    }
    println!("{game} has left");
    Ok(())
}
