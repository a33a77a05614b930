//! Frames and values of asynchronous streams.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use super::{ByteOrder, Front, HEAD, cut, front, head, path};
use crate::codec::{Decoder, Encoder};
use crate::{Real, Variant};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// The index and offset of the next frame.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    index: u64,
    offset: u64,
}

impl Place {
    /// Steps over a frame with a packet of `packet` bytes.
    fn step(&mut self, packet: usize) {
        self.index += 1;
        self.offset += (HEAD + packet) as u64;
    }
}

/// Packets after their lengths, as a codec for tokio-util's `FramedRead`, `FramedWrite` and `Framed`: the format of
/// values in StreamPeers and of a PacketPeerStream.
///
/// A faulty length ends the stream with an error, because the start of the next frame is unknown; an end inside a
/// frame does so, too. The codec never reserves memory; tokio-util's buffer grows as bytes arrive.
#[derive(Clone, Debug)]
pub struct FrameCodec {
    order: ByteOrder,
    limits: Limits,
    read: Place,
    written: Place,
}

impl FrameCodec {
    /// A codec with the default limits.
    #[must_use]
    pub fn new(order: ByteOrder) -> Self {
        let (read, written) = (Place::default(), Place::default());
        Self { order, limits: Limits::default(), read, written }
    }

    /// Chooses the limits: a frame whose length announces more than [`Limits::packet_bytes`] is
    /// refused.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Writes a packet after its length.
    fn put(&mut self, packet: &[u8], to: &mut BytesMut) -> Result<()> {
        let Place { index, offset } = self.written;
        let head = head(packet.len(), self.order)
            .map_err(|error| error.shifted(offset).under(path(index)))?;
        to.extend_from_slice(&head);
        to.extend_from_slice(packet);
        self.written.step(packet.len());
        Ok(())
    }
}

impl tokio_util::codec::Decoder for FrameCodec {
    type Item = Bytes;
    type Error = Error;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Bytes>> {
        let Place { index, offset } = self.read;
        let front = front(from, self.order, &self.limits, offset);
        let Front::Whole(length) = front.map_err(|error| error.under(path(index)))? else {
            return Ok(None);
        };
        from.advance(HEAD);
        self.read.step(length);
        Ok(Some(from.split_to(length).freeze()))
    }

    fn decode_eof(&mut self, from: &mut BytesMut) -> Result<Option<Bytes>> {
        let frame = self.decode(from)?;
        if frame.is_none() && !from.is_empty() {
            let Place { index, offset } = self.read;
            if let Front::Cut { needed, expected } = front(from, self.order, &self.limits, offset)?
            {
                return Err(cut(offset, from.len(), needed, expected).under(path(index)));
            }
        }
        Ok(frame)
    }
}

/// Takes packets in any form.
impl<P: AsRef<[u8]>> tokio_util::codec::Encoder<P> for FrameCodec {
    type Error = Error;

    fn encode(&mut self, packet: P, to: &mut BytesMut) -> Result<()> {
        self.put(packet.as_ref(), to)
    }
}

/// Values after their lengths, as a codec for tokio-util's `FramedRead`, `FramedWrite` and `Framed`: the format of
/// StreamPeers and of a PacketPeerStream.
///
/// Each item is a result: a packet that is no value is an item with the error, and the stream continues after it.
/// Only an error of [`FrameCodec`] ends it.
///
/// ```
/// use formwork_variant::frame::{ByteOrder, VariantCodec};
/// use formwork_variant::{Decoder, Dialect, Encoder, Variant};
/// use futures_util::{SinkExt, StreamExt};
/// use tokio_util::codec::Framed;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let dialect = Dialect::GODOT4;
/// let codec = || VariantCodec::new(Decoder::new(dialect), Encoder::new(dialect), ByteOrder::Little);
/// let (here, there) = tokio::io::duplex(64);
/// let (mut here, mut there) = (Framed::new(here, codec()), Framed::new(there, codec()));
///
/// here.send(Variant::from("lamp")).await?;
/// drop(here);
/// while let Some(value) = there.next().await {
///     match value? {
///         Ok(value) => assert_eq!(value, "lamp"),
///         Err(error) => eprintln!("not a value: {error}"),
///     }
/// }
/// # Ok::<(), formwork::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct VariantCodec<R: Real = f32> {
    frames: FrameCodec,
    decoder: Decoder<R>,
    encoder: Encoder<R>,
    /// The packet being written; the allocation is kept for the next one.
    packet: Vec<u8>,
}

impl<R: Real> VariantCodec<R> {
    /// A codec with the decoder's limits.
    #[must_use]
    pub fn new(decoder: Decoder<R>, encoder: Encoder<R>, order: ByteOrder) -> Self {
        let frames = FrameCodec::new(order).limits(*decoder.size_limits());
        Self { frames, decoder, encoder, packet: Vec::new() }
    }
}

impl<R: Real> tokio_util::codec::Decoder for VariantCodec<R> {
    type Item = Result<Variant<R>>;
    type Error = Error;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Self::Item>> {
        let Place { index, offset } = self.frames.read;
        let packet = self.frames.decode(from)?;
        Ok(packet.map(|packet| self.value(&packet, index, offset)))
    }

    fn decode_eof(&mut self, from: &mut BytesMut) -> Result<Option<Self::Item>> {
        let Place { index, offset } = self.frames.read;
        let packet = self.frames.decode_eof(from)?;
        Ok(packet.map(|packet| self.value(&packet, index, offset)))
    }
}

impl<R: Real> VariantCodec<R> {
    /// The value of the frame that starts at `offset`.
    fn value(&self, packet: &[u8], index: u64, offset: u64) -> Result<Variant<R>> {
        let value = self.decoder.decode_packet(packet, offset + HEAD as u64);
        value.map_err(|error| error.under(path(index)))
    }
}

/// A value that cannot be expressed is refused before any of it is written; the next one may follow.
impl<R: Real> tokio_util::codec::Encoder<&Variant<R>> for VariantCodec<R> {
    type Error = Error;

    fn encode(&mut self, value: &Variant<R>, to: &mut BytesMut) -> Result<()> {
        let Place { index, offset } = self.frames.written;
        self.packet.clear();
        self.encoder
            .encode_into(value, &mut self.packet)
            .map_err(|error| error.shifted(offset + HEAD as u64).under(path(index)))?;
        self.frames.put(&self.packet, to)
    }
}

impl<R: Real> tokio_util::codec::Encoder<Variant<R>> for VariantCodec<R> {
    type Error = Error;

    fn encode(&mut self, value: Variant<R>, to: &mut BytesMut) -> Result<()> {
        tokio_util::codec::Encoder::<&Variant<R>>::encode(self, &value, to)
    }
}

/// One value per datagram, without a length: the format of a PacketPeerUDP. For tokio-util's `UdpFramed` (its
/// feature `net`).
///
/// Each item is a result, as in [`VariantCodec`]: a datagram that is no value is an item with the error, and the
/// next one is read. An empty datagram is skipped.
#[derive(Clone, Debug)]
pub struct DatagramCodec<R: Real = f32> {
    decoder: Decoder<R>,
    encoder: Encoder<R>,
}

impl<R: Real> DatagramCodec<R> {
    /// A codec of one value a datagram.
    #[must_use]
    pub const fn new(decoder: Decoder<R>, encoder: Encoder<R>) -> Self {
        Self { decoder, encoder }
    }
}

impl<R: Real> tokio_util::codec::Decoder for DatagramCodec<R> {
    type Item = Result<Variant<R>>;
    type Error = Error;

    fn decode(&mut self, from: &mut BytesMut) -> Result<Option<Self::Item>> {
        if from.is_empty() {
            return Ok(None);
        }
        let packet = from.split();
        Ok(Some(self.decoder.decode_packet(&packet, 0)))
    }
}

impl<R: Real> tokio_util::codec::Encoder<&Variant<R>> for DatagramCodec<R> {
    type Error = Error;

    fn encode(&mut self, value: &Variant<R>, to: &mut BytesMut) -> Result<()> {
        to.put_slice(&self.encoder.encode(value)?);
        Ok(())
    }
}

impl<R: Real> tokio_util::codec::Encoder<Variant<R>> for DatagramCodec<R> {
    type Error = Error;

    fn encode(&mut self, value: Variant<R>, to: &mut BytesMut) -> Result<()> {
        tokio_util::codec::Encoder::<&Variant<R>>::encode(self, &value, to)
    }
}
