//! Files of values, whatever wraps the values: [`open`] detects the format of a file, and [`ValueFile::to_vec`] writes
//! it back the same way.
//!
//! ```
//! use formwork_godot::wrapper::{Compression, compress};
//!
//! // What Godot 3 writes for {"hp": 7} with `open_compressed` and `store_var`.
//! let frame = [
//!     28, 0, 0, 0, 18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
//! ];
//! let bytes = compress(&frame, Compression::Zstd)?;
//!
//! let mut file = formwork_godot::open(&bytes)?;
//! assert_eq!(file.dialect(), formwork_variant::Dialect::GODOT3);
//! assert_eq!(file.value()["hp"], 7);
//! // Nothing was changed yet, so these are the same bytes.
//! assert_eq!(file.to_vec()?, bytes);
//!
//! file.value_mut()["hp"] = 100.into();
//! let bytes = file.to_vec()?;
//! assert_eq!(formwork_godot::open(&bytes)?.value()["hp"], 100);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # What is detected
//!
//! * The layers around the content: compressed files (`GCPF`) are unpacked, encrypted ones (`GDEC`) opened with
//!   the [password](Opener::password) or [key](Opener::key);
//! * dialect, precision and framing, by the rules of [`detect`], unless they are
//!   [given](Opener::dialect);
//! * compressed data without the engine's frame (`PackedByteArray.compress`), if values are in it;
//! * a header that the game wrote before the values, a magic word or a version, if it is found
//!   ([`detect::behind_header`]) or [given](Opener::header). It is kept, and a length or
//!   checksum in it follows the new content ([`Wrapping::header_of`](crate::wrapper::Wrapping::header_of));
//! * other data after the values ([`Detector::before_data`]), which is kept.
//!
//! A file of settings (`project.binary`) is one value, a Dictionary: see [`settings`].
//!
//! A file is opened whole or not at all; [`Opener::recover`] reads what is left of a damaged one. [`ValueFile::convert`]
//! makes it a file of another engine. (`formwork_alb1` reads ALB1 files.)
//!
//! # What is written back
//!
//! If no value changed, the bytes of the file, each of them. Otherwise unchanged values keep their bytes, including
//! everything that the engine left in them, and including those inside a changed value. Changed values are written as
//! the engine would, in the framing, after the header and in the layers of the old file. The new file is read again
//! before it is returned. (Compressed files unpack to the same bytes, but are packed by other libraries. Encrypted
//! files of Godot 4 have another initialization vector.)

mod behind;
mod convert;
mod guess;
mod recover;
pub mod rule;

pub use behind::{Behind, behind_header, end_text_by_length};
pub use guess::{Between, Guess, Known, Reading};
pub use recover::{CHANCE, RecoveredFile, before_gaps, recover_content};

use std::borrow::Cow;
use std::cell::LazyCell;
use std::marker::PhantomData;
use std::ops::Range;

use bytes::Bytes;

use crate::Framing;
use crate::detect::{self, Detector};
use crate::settings::{self, Settings};
use crate::wrapper::{Key, Layer, MAX_LAYERS, Stream, Unwrapped};
use formwork::{Error, Path, PathSegment, Result};
use formwork_edit::{ValuePath, as_the_engine, remove, splice};
use formwork_records::limits::Limits;
use formwork_variant::codec::{Decoder, Encoder, Strictness, Warning};
use formwork_variant::dialect::Dialect;
use formwork_variant::frame;
use formwork_variant::frame::Frames;
use formwork_variant::{Real, Variant};

/// Opens a file, whatever wraps its values. See [the module](self).
///
/// Values have single precision, and the limits are the default ones; [`Opener`] can change both, and takes a password.
///
/// # Errors
///
/// Returns an error if the file does not hold values of an engine, is damaged, cut or encrypted, or holds values that
/// mean different things to several engines. In the last case [`Opener::dialect`] decides.
pub fn open<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Result<ValueFile> {
    Opener::new().open(bytes)
}

/// Opens files, given the known parts of their format.
///
/// ```
/// use formwork_godot::wrapper::{Cipher, Key, encrypt};
/// use formwork_godot::Framing;
/// use formwork_variant::Dialect;
/// use formwork_godot::Opener;
///
/// // Four real numbers: a Plane in Godot 4, a Color in Godot 3.
/// let packet = [14, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63];
/// assert_eq!(formwork_godot::open(&packet).unwrap_err().rule().name(), "file.certain");
///
/// let file = encrypt(&packet, Cipher::Cfb, &Key::from_password("correct horse"))?;
/// let file = Opener::new()
///     .dialect(Dialect::GODOT4)
///     .framing(Framing::Bare)
///     .password("correct horse")
///     .open(&file)?;
/// assert_eq!(file.value().to_string(), "Plane(1, 0, 0, 1)");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opener<R: Real = f32> {
    dialect: Option<Dialect>,
    framing: Option<Framing>,
    header: Option<u64>,
    key: Option<Key>,
    limits: Limits,
    precision: PhantomData<fn() -> R>,
}

impl Opener {
    /// Makes an opener with the default limits to which nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        let (dialect, framing, header, key) = (None, None, None, None);
        let limits = Limits::new();
        Self { dialect, framing, header, key, limits, precision: PhantomData }
    }
}

impl Default for Opener {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Real> Opener<R> {
    /// Makes values of double precision, which hold those of any build.
    #[must_use]
    pub fn double(self) -> Opener<f64> {
        self.in_precision()
    }

    /// Makes values of another precision instead, for code that is generic over it.
    #[must_use]
    pub fn in_precision<S: Real>(self) -> Opener<S> {
        let Self { dialect, framing, header, key, limits, .. } = self;
        Opener { dialect, framing, header, key, limits, precision: PhantomData }
    }

    /// Names the engine that wrote the file.
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Names the framing of the values. (A bare value and a sequence of bare values count as one framing.)
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.framing = Some(framing);
        self
    }

    /// Sets the length of the header that the game wrote at the start of the file; 0 for none. In a compressed or
    /// encrypted file, the header is at the start of the content, unless the wrapper itself comes after a header.
    #[must_use]
    pub const fn header(mut self, bytes: u64) -> Self {
        self.header = Some(bytes);
        self
    }

    /// Gives the password of an encrypted file.
    #[must_use]
    pub fn password(self, password: &str) -> Self {
        self.key(Key::from_password(password))
    }

    /// Gives the key of an encrypted file.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`open`]. Offsets count in the content of the layers.
    pub fn open<'a>(self, bytes: impl Into<Cow<'a, [u8]>>) -> Result<ValueFile<R>> {
        self.opened(bytes.into().into_owned().into(), read)
    }

    /// Opens a file as [`open`](Self::open) does, but does not make its values, where its packets can be told apart without
    /// that.
    #[cfg(feature = "document")]
    pub(crate) fn split(self, bytes: Bytes) -> Result<ValueFile<R>> {
        self.opened(bytes, split)
    }

    fn opened(
        self,
        bytes: Bytes,
        read: impl Fn(&Decoder<R>, &[u8], Framing) -> Result<Packets<R>>,
    ) -> Result<ValueFile<R>> {
        let mut unwrapped = Unwrapped::of(bytes).header(self.header.unwrap_or_default());
        let original = unwrapped.shared();
        take_out_all(&mut unwrapped, self.key.as_ref(), &self.limits)?;
        let wrapped = (!unwrapped.layers().is_empty()).then_some(original);
        let (dialect, framing) = self.settle(&mut unwrapped)?;
        let decoder = Decoder::new(dialect).in_precision().limits(self.limits).allow_objects(true);
        let base = unwrapped.skipped() as u64;
        let mut found = read(&decoder, unwrapped.content(), framing);
        if found.is_err()
            && let (Some(dialect), Some(framing)) = (self.dialect, self.framing)
        {
            // Other data may be after the values.
            let detector = Detector::new().family(dialect.family()).framing(framing);
            if let Some(before) = detector.before_data(unwrapped.content()) {
                unwrapped.leave_behind(usize::try_from(before.length).unwrap_or(usize::MAX));
                found = read(&decoder, unwrapped.content(), framing);
            }
        }
        let Packets { values, ranges: packets, folded, fault } =
            found.map_err(|error| error.shifted(base))?;
        let framing = match framing {
            Framing::Bare if values.len() > 1 => Framing::BareSequence,
            framing => framing,
        };
        let key = self.key;
        Ok(ValueFile { wrapped, unwrapped, decoder, framing, packets, folded, fault, values, key })
    }

    /// Detects the unknown parts, and passes over a header that is found.
    fn settle(&self, file: &mut Unwrapped) -> Result<(Dialect, Framing)> {
        if let (Some(dialect), Some(framing)) = (self.dialect, self.framing) {
            return Ok((dialect, framing));
        }
        let (known, skipped) = (self.known(), file.skipped() as u64);
        let readings = match known.guess(file) {
            Guess::Known(dialect, framing) => return Ok((dialect, framing)),
            // Reading reports the fault and its place.
            Guess::One(reading) | Guess::Partial(reading) => vec![reading],
            Guess::Alike(readings) => readings,
            Guess::Behind(between, readings) if self.header.is_none() => {
                let layers = std::mem::replace(file, Unwrapped::new(Vec::new()));
                *file = layers.header(between.offset - skipped);
                file.pass_header();
                let values = (file.content().len() as u64).saturating_sub(between.behind);
                file.leave_behind(usize::try_from(values).unwrap_or(usize::MAX));
                if !between.is_certain && readings.len() > 1 {
                    return Err(uncertain(&readings));
                }
                readings
            }
            Guess::Ambiguous(readings) => return Err(uncertain(&readings)),
            Guess::Behind(..) => Vec::new(),
            Guess::Nothing(other) => {
                let found = other.map_or_else(|| "something else".to_owned(), |it| it.to_string());
                return Err(Error::new(rule::VALUES, 0, "values of an engine", found));
            }
        };
        let first = readings.first().map(|it| (it.dialect, it.framing));
        first.ok_or_else(|| Error::new(rule::VALUES, 0, "values of an engine", "something else"))
    }

    fn known(&self) -> Known {
        Known { dialect: self.dialect, framing: self.framing, pack: None }
    }
}

/// Returns the error of a file with several readings, which give different values.
fn uncertain(readings: &[Reading]) -> Error {
    let names = readings.iter().map(|it| format!("{} in {}", it.dialect, it.framing));
    let found = names.collect::<Vec<_>>().join(", or ");
    Error::new(rule::CERTAIN, 0, "values of one meaning", found)
}

/// Access for the formats of documents.
#[cfg(feature = "document")]
impl<R: Real> Opener<R> {
    pub(crate) const fn known_dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    pub(crate) const fn known_framing(&self) -> Option<Framing> {
        self.framing
    }

    pub(crate) const fn known_limits(&self) -> Limits {
        self.limits
    }

    /// Returns the content of a file out of the layers that can be taken off.
    pub(crate) fn unwrapped(&self, bytes: &[u8]) -> Unwrapped {
        let mut unwrapped = Unwrapped::new(bytes).header(self.header.unwrap_or_default());
        // Rows of a damaged layer are those of its bytes.
        let _ = take_out_all(&mut unwrapped, self.key.as_ref(), &self.limits);
        unwrapped
    }
}

/// Removes all layers of a file, and passes over its header: also compressed data without the engine's frame, if values or
/// text are in it ([`take_out_stream`]).
///
/// # Errors
///
/// As [`Unwrapped::take_out_all`].
pub fn take_out_all(file: &mut Unwrapped, key: Option<&Key>, limits: &Limits) -> Result<()> {
    file.take_out_all(key, limits)?;
    take_out_stream(file, limits);
    Ok(())
}

/// Unpacks a content that is compressed data without the engine's frame, and returns that layer; [`None`] if it is
/// anything else, is damaged, or holds neither values nor text.
///
/// FastLZ and Deflate have no mark. A content is taken for them if all of it unpacks to values or text, and if it is no
/// such thing itself.
pub fn take_out_stream(file: &mut Unwrapped, limits: &Limits) -> Option<Layer> {
    if file.layers().len() == MAX_LAYERS {
        return None;
    }
    let content = file.content();
    // Asked once, and only if the start can be unpacked: most files are no such data, and FastLZ needs room for several
    // times the file.
    let is_packed = LazyCell::new(|| !detect::is_content(content, false));
    let tried = Stream::tried(content).into_iter();
    let (stream, inner) = tried
        .filter(|stream| stream.is_marked() || stream.begins(content) && *is_packed)
        .filter_map(|stream| Some((stream, stream.unpacked(content, limits)?)))
        .find(|(stream, inner)| detect::is_content(inner, !stream.is_marked()))?;
    let layer = Layer::Stream(stream);
    file.replace(layer, inner);
    Some(layer)
}

/// Returns an error for the first layer, from the outside in, that the engine of the values does not open. Another
/// program put them there.
#[must_use]
pub fn unread_layer(layers: &[Layer], dialect: Dialect) -> Option<Error> {
    let unread = layers.iter().find(|layer| !layer.is_read_by(dialect))?;
    let expected = format!("a file that {dialect} opens");
    Some(Error::new(rule::LAYER, 0, expected, format!("{unread} around its values")).nowhere())
}

/// The values of a file, and their packets.
struct Packets<R: Real> {
    values: Vec<Variant<R>>,
    /// The ranges of the packets in the content.
    ranges: Vec<Range<usize>>,
    /// The packet of the Dictionary made of a file of settings. The range is then in this packet.
    folded: Vec<u8>,
    /// The part of a file of settings that the Dictionary does not hold, as an error.
    fault: Option<Error>,
}

/// Reads the values, and finds the ranges of their packets in the content.
fn read<R: Real>(decoder: &Decoder<R>, content: &[u8], framing: Framing) -> Result<Packets<R>> {
    let (mut values, mut packets) = (Vec::new(), Vec::new());
    match framing {
        Framing::Settings => {
            let read = settings::read(content, decoder)?;
            let folded = match read.fault {
                None => settings::to_packet(content, decoder)?,
                Some(_) => Vec::new(),
            };
            let whole = 0..folded.len();
            let (values, ranges) = (vec![read.value], vec![whole]);
            return Ok(Packets { values, ranges, folded, fault: read.fault });
        }
        Framing::Frames(order) => {
            for frame in Frames::new(content, order).limits(*decoder.size_limits()) {
                let frame = frame?;
                values.push(decoder.decode_frame(&frame)?);
                let start = frame.offset as usize;
                packets.push(start..start + frame.packet.len());
            }
        }
        Framing::Bare | Framing::BareSequence => {
            let mut read = decoder.values(content);
            let mut start = 0;
            while let Some(value) = read.next() {
                values.push(value?);
                packets.push(start..read.offset());
                start = read.offset();
            }
        }
    }
    Ok(Packets { values, ranges: packets, folded: Vec::new(), fault: None })
}

/// Finds the packets of a file, and makes no values: of one packet, or of packets in frames. Other files are read.
#[cfg(feature = "document")]
fn split<R: Real>(decoder: &Decoder<R>, content: &[u8], framing: Framing) -> Result<Packets<R>> {
    let mut ranges = Vec::new();
    let is_whole =
        |packet: &[u8]| decoder.walk(packet).finish().is_ok_and(|length| length == packet.len());
    let is_split = match framing {
        Framing::Bare | Framing::BareSequence if is_whole(content) => {
            ranges.push(0..content.len());
            true
        }
        Framing::Frames(order) => {
            let mut frames = Frames::new(content, order).limits(*decoder.size_limits());
            frames.all(|frame| {
                let Ok(frame) = frame else { return false };
                let start = frame.offset as usize;
                ranges.push(start..start + frame.packet.len());
                is_whole(frame.packet)
            })
        }
        Framing::Bare | Framing::BareSequence | Framing::Settings => false,
    };
    match is_split {
        true => Ok(Packets { values: Vec::new(), ranges, folded: Vec::new(), fault: None }),
        false => read(decoder, content, framing),
    }
}

/// An opened file: its values, and everything that wraps them.
///
/// Made by [`open`] and [`Opener::open`].
#[derive(Clone, Debug)]
pub struct ValueFile<R: Real = f32> {
    /// The file as it was, if layers were removed. Otherwise [`unwrapped`](Self::unwrapped) has these bytes.
    wrapped: Option<Bytes>,
    unwrapped: Unwrapped,
    decoder: Decoder<R>,
    framing: Framing,
    /// The ranges of the packets in the content, or in [`folded`](Self::folded) if that is not empty.
    packets: Vec<Range<usize>>,
    /// The packet of the Dictionary made of a file of settings.
    folded: Vec<u8>,
    /// The part of a file of settings that the Dictionary does not hold, as an error.
    fault: Option<Error>,
    values: Vec<Variant<R>>,
    key: Option<Key>,
}

impl<R: Real> ValueFile<R> {
    /// Returns the dialect of the values.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.decoder.dialect()
    }

    /// Returns the framing of the values in the file.
    #[must_use]
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// Returns the layers around the content, the outermost first; empty for a file that is neither compressed nor
    /// encrypted.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        self.unwrapped.layers()
    }

    /// Returns the header that the game wrote before the values or before a layer; empty if there is none.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        self.unwrapped.passed_header().map_or(&[], |(_, bytes)| bytes)
    }

    /// Returns the data after the values, which is no value; empty if there is none.
    #[must_use]
    pub fn behind(&self) -> &[u8] {
        self.unwrapped.behind()
    }

    /// Returns the values, in their order.
    #[must_use]
    pub fn values(&self) -> &[Variant<R>] {
        &self.values
    }

    /// Returns the values, to change them or their number.
    #[must_use]
    pub const fn values_mut(&mut self) -> &mut Vec<Variant<R>> {
        &mut self.values
    }

    /// Returns the first value, the only one in most files; null if there is none.
    #[must_use]
    pub fn value(&self) -> &Variant<R> {
        self.values.first().unwrap_or(const { &Variant::Nil })
    }

    /// Returns the first value, to change it; null is added if there is none.
    #[must_use]
    pub fn value_mut(&mut self) -> &mut Variant<R> {
        if self.values.is_empty() {
            self.values.push(Variant::Nil);
        }
        &mut self.values[0]
    }

    /// Returns the value at a path, such as `player/bag/1`. If there are several values, the first step is the number
    /// of one.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing is at the path; see [`ValuePath::find`].
    pub fn get(&self, path: &str) -> Result<&Variant<R>> {
        let (index, place) = ValuePath::new(path).find_in(&self.values, self.dialect())?;
        Ok(place.get(&self.values[index]).unwrap_or(const { &Variant::Nil }))
    }

    /// Changes the value at a path, and returns the old value.
    ///
    /// ```
    /// let packet = formwork_variant::to_vec(&formwork_variant::variant!({ "gold": 1, "bag": ["lamp"] }), formwork_variant::Dialect::GODOT4)?;
    /// let mut file = formwork_godot::open(packet)?;
    /// assert_eq!(file.set("gold", 9999)?, 1);
    /// file.insert("bag/+", "sword")?;
    /// assert_eq!(file.remove("bag/0")?, "lamp");
    /// assert_eq!(file.value(), &formwork_variant::variant!({ "gold": 9999, "bag": ["sword"] }));
    ///
    /// let error = file.set("glod", 5).unwrap_err();
    /// assert_eq!((error.expected(), error.found()), ("gold", "glod in a Dictionary of 2 entries"));
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if nothing is at the path; see [`ValuePath::find`].
    pub fn set(&mut self, path: &str, value: impl Into<Variant<R>>) -> Result<Variant<R>> {
        let (index, place) = ValuePath::new(path).find_in(&self.values, self.dialect())?;
        let old = place.get_mut(&mut self.values[index]);
        Ok(old.map(|old| std::mem::replace(old, value.into())).unwrap_or_default())
    }

    /// Adds an entry to a dictionary (`player/name`), or an element to an array (`bag/+`, `bag/+0`). If the path has a
    /// value already, changes it and returns the old one.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing at the path can hold the entry.
    pub fn insert(
        &mut self,
        path: &str,
        value: impl Into<Variant<R>>,
    ) -> Result<Option<Variant<R>>> {
        let (index, target) = ValuePath::new(path).find_or_new(&self.values, self.dialect())?;
        Ok(target.put(&mut self.values[index], value.into()))
    }

    /// Removes an entry of a dictionary, an element of an array, or one of several values, and returns its value.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing is at the path, or if the value cannot be removed: a key, or the only value.
    pub fn remove(&mut self, path: &str) -> Result<Variant<R>> {
        let (index, place) = ValuePath::new(path).find_in(&self.values, self.dialect())?;
        remove(&mut self.values, index, &place)
    }

    /// Returns the values alone.
    #[must_use]
    pub fn into_values(self) -> Vec<Variant<R>> {
        self.values
    }

    /// Returns the file out of its layers.
    #[must_use]
    pub const fn unwrapped(&self) -> &Unwrapped {
        &self.unwrapped
    }

    /// Returns the number of values, of which [`split`](Opener::split) may have made none.
    #[cfg(feature = "document")]
    pub(crate) fn count(&self) -> usize {
        self.packets.len().max(self.values.len())
    }

    /// Reads the values of the file where these are its bytes now.
    #[cfg(feature = "document")]
    pub(crate) fn read(&self, bytes: &Bytes) -> Result<Vec<Variant<R>>> {
        let unwrapped = self.unwrapped_of(bytes)?;
        Ok(read(&self.decoder, unwrapped.content(), self.framing)?.values)
    }

    /// Returns the fault that ends the values of a file of settings early.
    #[cfg(feature = "document")]
    pub(crate) const fn fault(&self) -> Option<&Error> {
        self.fault.as_ref()
    }

    #[cfg(feature = "document")]
    pub(crate) const fn known_key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    #[cfg(feature = "document")]
    pub(crate) fn known_limits(&self) -> Limits {
        *self.decoder.size_limits()
    }

    /// Returns the content of the file out of its layers, where these are its bytes now.
    #[cfg(feature = "document")]
    pub(crate) fn unwrapped_of(&self, bytes: &Bytes) -> Result<Unwrapped> {
        if self.wrapped.as_deref().unwrap_or(self.unwrapped.bytes()) == &**bytes {
            return Ok(self.unwrapped.clone());
        }
        let mut now = Unwrapped::of(bytes.clone()).header(self.header().len() as u64);
        take_out_all(&mut now, self.key.as_ref(), self.decoder.size_limits())?;
        Ok(now)
    }

    /// The number of warnings that are listed separately.
    pub const MOST_WARNINGS: usize = 1000;

    /// Returns an error for each place of the opened file that the engine accepts and would not write, and for a layer
    /// that it does not open. Offsets count in the content of the layers.
    ///
    /// Lists at most [`MOST_WARNINGS`](Self::MOST_WARNINGS): if there are more, the last one says how many.
    #[must_use]
    pub fn warnings(&self) -> Vec<Error> {
        let (content, base) = (self.unwrapped.content(), self.unwrapped.skipped() as u64);
        let (mut all, mut last, mut more) = (Vec::new(), None, 0_u64);
        all.extend(unread_layer(self.layers(), self.dialect()));
        let error = |rule, offset, path, found: String| {
            Error::new(rule, offset, "what the engine writes", found).under(path)
        };
        let mut see = |packet: &[u8], start: u64, around: Path| {
            let mut found = Vec::new();
            // The packet was read when the file was opened.
            let _ = self.decoder.walk_with_warnings(packet, &mut found).finish();
            for Warning { rule, offset, path, .. } in found {
                let offset = base + start + offset;
                if all.len() + 1 < Self::MOST_WARNINGS {
                    let path = path.under(around.clone());
                    all.push(error(rule, offset, path, "other bytes".to_owned()));
                } else if last.is_none() {
                    last = Some((rule, offset, path.under(around.clone())));
                } else {
                    more += 1;
                }
            }
        };
        if self.framing == Framing::Settings {
            for setting in Settings::new(content).into_iter().flatten().flatten() {
                let name = PathSegment::Name(setting.name.to_owned().into());
                see(setting.packet, setting.offset, Path::from(vec![name]));
            }
        } else {
            for (index, range) in self.packets.iter().enumerate() {
                let packet = content.get(range.clone()).unwrap_or_default();
                see(packet, range.start as u64, self.place(index));
            }
        }
        all.extend(last.map(|(rule, offset, path)| {
            let found = match more {
                0 => "other bytes".to_owned(),
                more => format!("other bytes, as in {more} places after it"),
            };
            error(rule, offset, path, found)
        }));
        all
    }

    /// Returns the encoder with which [`to_vec`](Self::to_vec) writes changed values. It can be configured further and
    /// passed to [`encode`](Self::encode): `file.encode(&file.encoder().rounding(true))`.
    #[must_use]
    pub fn encoder(&self) -> Encoder<R> {
        Encoder::new(self.dialect()).in_precision().limits(*self.decoder.size_limits())
    }

    /// Returns the file with the current values; [the module](self) describes which bytes are kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the dialect cannot express a value. If something changed, also if no engine writes a layer
    /// ([Brotli](crate::wrapper::Compression::Brotli)), or if a file of settings has something that its Dictionary does
    /// not hold, such as a duplicate name.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.encode(&self.encoder())
    }

    /// Returns the file as [`to_vec`](Self::to_vec) does, with changed values written by this encoder.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](Self::to_vec).
    pub fn encode(&self, encoder: &Encoder<R>) -> Result<Vec<u8>> {
        self.close(&self.content(encoder)?)
    }

    /// Returns the file as [`encode`](Self::encode) does, but keeps the bytes of no value.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](Self::to_vec).
    pub fn encode_anew(&self, encoder: &Encoder<R>) -> Result<Vec<u8>> {
        let packets = self.values.iter().map(|value| encoder.encode(value));
        let packets = packets.collect::<Result<Vec<_>>>()?;
        let content = match self.framing {
            Framing::Settings => {
                let decoder = self.decoder.strictness(Strictness::Engine);
                settings::from_packet(&packets.concat(), &decoder, Some(self.unwrapped.content()))?
            }
            framing => framing.join(self.dialect(), packets)?,
        };
        self.close(&content)
    }

    /// Returns the content of the file as [`encode`](Self::encode) writes it: the content of the layers, without a
    /// header of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the dialect cannot express a value.
    pub fn content(&self, encoder: &Encoder<R>) -> Result<Vec<u8>> {
        if let Some(fault) = &self.fault {
            let content = self.unwrapped.content();
            let read = settings::decode(content, &self.decoder);
            let is_same =
                matches!((read, &self.values[..]), (Ok(old), [new]) if old.is_identical(new));
            return if is_same { Ok(content.to_vec()) } else { Err(fault.clone()) };
        }
        let mut packets = Vec::with_capacity(self.values.len());
        for (index, value) in self.values.iter().enumerate() {
            let packet = self.packet(index, value, encoder);
            packets.push(packet.map_err(|error| error.under(self.place(index)))?);
        }
        let content = self.join(packets)?;
        if content != self.unwrapped.content() {
            self.check(&content, encoder)?;
        }
        Ok(content)
    }

    /// Returns the file with this content, after the header and in the layers. For the old content, these are the
    /// opened bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if no engine writes one of the layers.
    pub fn close(&self, content: &[u8]) -> Result<Vec<u8>> {
        if content == self.unwrapped.content() {
            return Ok(self.wrapped.as_deref().unwrap_or(self.unwrapped.bytes()).to_vec());
        }
        self.unwrapped.wrapping().close(content, self.key.as_ref())
    }

    /// Returns the packet of a value: the old packet if the value is unchanged, otherwise the old packet with the
    /// changes.
    fn packet(
        &self,
        index: usize,
        value: &Variant<R>,
        encoder: &Encoder<R>,
    ) -> Result<Cow<'_, [u8]>> {
        let range = self.packets.get(index);
        let old = range.and_then(|range| self.packet_bytes().get(range.clone()));
        let Some(old) = old else { return encoder.encode(value).map(Cow::Owned) };
        if let Some(packet) = as_the_engine(old, value, encoder) {
            return Ok(Cow::Owned(packet));
        }
        match self.decoder.decode_prefix(old) {
            Ok((known, _)) if known.is_identical(value) => Ok(Cow::Borrowed(old)),
            _ => splice(old, value, encoder).map(Cow::Owned),
        }
    }

    /// Checks that new content reads as the values to write.
    fn check(&self, content: &[u8], encoder: &Encoder<R>) -> Result<()> {
        let again = read(&self.decoder, content, self.framing)?.values;
        let mut same = again.len() == self.values.len();
        for (meant, again) in self.values.iter().zip(&again) {
            // Rounding may have changed the values to write.
            let is_meant = |packet: &[u8]| -> Result<bool> {
                Ok(self.decoder.decode_prefix(packet)?.0.is_identical(again))
            };
            same &= meant.is_identical(again) || is_meant(&encoder.encode(meant)?)?;
        }
        if same {
            return Ok(());
        }
        Err(Error::new(rule::SAME, 0, "values that read as they are written", "other values"))
    }

    /// Puts packets into content in the same framing as in this file.
    fn join(&self, packets: Vec<Cow<'_, [u8]>>) -> Result<Vec<u8>> {
        match self.framing {
            Framing::Settings if !self.folded.is_empty() => {
                let decoder = self.decoder.strictness(Strictness::Engine);
                settings::from_packet(&packets.concat(), &decoder, Some(self.unwrapped.content()))
            }
            framing => framing.join(self.dialect(), packets),
        }
    }

    /// Returns the packets as they were opened, with bytes that are in their frames after the values.
    pub fn packets(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.packet_bytes();
        self.packets.iter().filter_map(|range| bytes.get(range.clone()))
    }

    /// Returns the bytes that hold the packets: the content, or the one packet made of settings.
    fn packet_bytes(&self) -> &[u8] {
        if self.folded.is_empty() { self.unwrapped.content() } else { &self.folded }
    }

    /// Returns the path of a value.
    fn place(&self, index: usize) -> Path {
        match self.framing {
            Framing::Frames(_) => frame::path(index as u64),
            Framing::Bare | Framing::Settings if self.packets.len().max(self.values.len()) == 1 => {
                Path::default()
            }
            Framing::Bare | Framing::BareSequence | Framing::Settings => {
                Path::from(vec![PathSegment::Index(index as u64)])
            }
        }
    }
}
