//! The server of `godot_server` with tokio: serves any number of games at once, until it is interrupted.
//!
//! ```text
//! cargo run -p formwork-examples --example async_server -- --format godot3
//! godot3-server --path examples/godot_client/godot3          (in other terminals)
//! ```

use std::error::Error;

use formwork_variant::Variant;
use formwork_variant::frame::{ByteOrder, VariantCodec};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;

mod exchange;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = exchange::Arguments::of_the_program()?;
    let codec = VariantCodec::new(arguments.decoder(), arguments.encoder(), ByteOrder::Little);
    let listener = TcpListener::bind(&arguments.address).await?;
    println!("listening on {} for {}", listener.local_addr()?, arguments.dialect);
    loop {
        let (stream, game) = listener.accept().await?;
        println!("{game} is here");
        let exchange = exchange(Framed::new(stream, codec.clone()), arguments.dialect);
        tokio::spawn(async move {
            match exchange.await {
                Ok(()) => println!("{game} has left"),
                Err(error) => eprintln!("{game}: {error}"),
            }
        });
    }
}

async fn exchange(
    mut game: Framed<TcpStream, VariantCodec>,
    dialect: formwork_variant::Dialect,
) -> formwork_variant::Result<()> {
    game.send(Variant::from("hello from formwork")).await?;
    while let Some(value) = game.next().await {
        // The outer error comes from the stream and ends it. The inner error concerns one packet.
        match value? {
            Ok(value) => {
                println!("got {}", value.display(dialect));
                game.send(exchange::answer(value)).await?;
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    Ok(())
}
