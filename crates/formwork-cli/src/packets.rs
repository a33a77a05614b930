//! Packets of values, with their dialect and framing.

use super::framing::FramingName;
use formwork::document::Document;
use formwork_godot::Opener;
use formwork_godot::document::{SaveFormat, rule};
use formwork_godot::settings::{self, ReadSettings, Settings};
use formwork_variant::frame::Frames;
use formwork_variant::{Decoder, Dialect, Error, Strictness};
use formwork_variant::{Real, Variant};

use super::failure::Failure;
use super::format::{LimitOptions, by_precision};
use super::guess::{self, Guess};
use super::number::no_number;
use super::progress;
use super::quantity::counted;
use super::recover::way_to_recover;
use super::remark;
use super::source::Source;

/// The values of an input.
#[derive(Debug)]
pub(crate) struct Values<R: Real> {
    pub(crate) values: Vec<Variant<R>>,
    /// Number of bytes after the values in their frames, which engines ignore.
    pub(crate) unread: u64,
    /// The fault that ends the dictionary of a settings file early.
    pub(crate) fault: Option<Error>,
}

impl<R: Real> Values<R> {
    /// Returns the remark about the bytes that were not read.
    pub(crate) fn unread(&self, name: &str) -> Option<String> {
        let unread = self.unread;
        if let Some(fault) = &self.fault {
            let unread = counted(unread, "byte");
            return Some(format!("{name}: {unread} of the file were not read: {fault}"));
        }
        (unread > 0).then(|| {
            format!(
                "{name}: {} after the values in their frames were not read ('formwork dump' shows \
                 them)",
                counted(unread, "byte")
            )
        })
    }
}

/// Packets, and the options for reading them.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) dialect: Dialect,
    pub(crate) framing: FramingName,
    /// Other dialects and framings that give the same values.
    pub(crate) alike: Vec<(Dialect, FramingName)>,
    /// Whether detection found that a part of the file cannot be read.
    is_partial: bool,
    pub(crate) limits: LimitOptions,
}

impl Input {
    /// Returns the offset and the bytes of the only packet. Returns none where there are several
    /// packets, or settings, or where the file is damaged.
    pub(crate) fn only_packet(&self) -> Option<(u64, &[u8])> {
        if self.framing == FramingName::Settings {
            return None;
        }
        let mut packets = Vec::new();
        let split = self.packets(|packet, start| {
            packets.push((start, packet.len()));
            Ok(packet.len())
        });
        let (Ok(()), [(start, length)]) = (split, packets.as_slice()) else { return None };
        let behind = self.source.bytes().get(usize::try_from(*start).ok()?..)?;
        Some((*start, behind.get(..*length)?))
    }

    /// Makes an input from a guess.
    pub(crate) fn settled(
        guess: Guess,
        source: Source,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        let alike = guess.alike().iter().map(|it| (it.dialect, FramingName::of(it.framing)));
        let alike = alike.collect();
        let is_partial = matches!(&guess, Guess::Partial(reading) if reading.known.is_none());
        let (dialect, framing) = guess::settled(guess, &source)?;
        if let Some(told) = source.told_behind() {
            remark(&format!("{}: {told}", source.name));
        }
        Ok(Self { source, dialect, framing, alike, is_partial, limits })
    }

    /// Makes an input of known dialect and framing.
    pub(crate) const fn known(
        source: Source,
        dialect: Dialect,
        framing: FramingName,
        limits: LimitOptions,
    ) -> Self {
        Self { source, dialect, framing, alike: Vec::new(), is_partial: false, limits }
    }

    /// Returns a decoder for the input. It reads objects in full form: as data they are harmless.
    pub(crate) fn decoder<R: Real>(&self, strictness: Strictness) -> Decoder<R> {
        Decoder::new(self.dialect)
            .in_precision()
            .strictness(strictness)
            .limits(self.limits.limits())
            .allow_objects(true)
    }

    /// Reads the values of the input.
    pub(crate) fn values<R: Real>(&self, strictness: Strictness) -> Result<Values<R>, Failure> {
        let decoder = self.decoder(strictness);
        let is_seen = progress::is_shown();
        let read =
            self.read_values(&if is_seen { decoder.progress(progress::more) } else { decoder });
        read.map_err(|error| self.damaged(error.shifted(self.source.skipped() as u64)))
    }

    /// Opens the values in this dialect and framing as a document, of all values or of one.
    pub(crate) fn document_as(
        &self,
        (dialect, framing): (Dialect, FramingName),
        index: Option<i64>,
        limits: LimitOptions,
    ) -> Result<Box<dyn Document>, Failure> {
        let opener = Opener::new().dialect(dialect).framing(framing.framing());
        let format = SaveFormat::new(opener.limits(limits.limits())).choosing(index);
        let skipped = self.source.skipped() as u64;
        let opened = format.open_shared(self.source.file.shared_content());
        opened.map_err(|error| match (error.rule(), index) {
            (rule::NUMBER, Some(index)) => {
                // (As many values as the words say.)
                let words = error.expected().split(' ').find_map(|word| word.parse().ok());
                no_number(&self.source.name, index, words.unwrap_or_default())
            }
            _ => self.damaged(error.shifted(skipped)),
        })
    }

    /// Prints a remark if the engine ignores bytes, and returns whether it does.
    pub(crate) fn said_unread(&self) -> Result<bool, Failure> {
        by_precision!(self.dialect, R => {
            let read: Values<R> = match self.framing.order() {
                Some(_) => {
                    let (mut unread, decoder) = (0, self.decoder::<R>(Strictness::Engine));
                    let walked = self.packets(|packet, _| {
                        let length = decoder.walk(packet).finish()?;
                        unread += packet.len().saturating_sub(length) as u64;
                        Ok(length)
                    });
                    // A fault is told where the values are read.
                    let unread = walked.map_or(0, |()| unread);
                    Values { values: Vec::new(), unread, fault: None }
                }
                None if self.framing == FramingName::Settings => self.values(Strictness::Engine)?,
                None => return Ok(false),
            };
            let unread = read.unread(&self.source.name);
            unread.iter().for_each(|unread| remark(unread));
            Ok(unread.is_some())
        })
    }

    fn read_values<R: Real>(&self, decoder: &Decoder<R>) -> Result<Values<R>, Error> {
        let bytes = self.source.content();
        if self.framing == FramingName::Settings {
            let ReadSettings { value, unread, fault, .. } = settings::read(bytes, decoder)?;
            let base = self.source.skipped() as u64;
            let fault = fault.map(|fault| fault.shifted(base));
            return Ok(Values { values: vec![value], unread, fault });
        }
        let mut read = Values { values: Vec::new(), unread: 0, fault: None };
        let Some(order) = self.framing.order() else {
            read.values = decoder.values(bytes).collect::<Result<_, Error>>()?;
            return Ok(read);
        };
        for frame in Frames::new(bytes, order).limits(self.limits.limits()) {
            let frame = frame?;
            match decoder.decode_prefix(frame.packet) {
                Ok((value, length)) if length == frame.packet.len() => read.values.push(value),
                // Engines ignore the bytes after the value; canonical strictness refuses them.
                Ok((_, length)) => {
                    read.values.push(decoder.decode_frame(&frame)?);
                    read.unread += (frame.packet.len() - length) as u64;
                }
                // `decode_frame` adds the number of the frame to the error.
                Err(error) => {
                    decoder.decode_frame(&frame)?;
                    return Err(error);
                }
            }
        }
        Ok(read)
    }

    /// Calls `visit` with each packet and its offset; `visit` returns the length of the packet.
    /// Each setting has a separate packet.
    ///
    /// In a framing without lengths, `visit` gets all remaining bytes.
    pub(crate) fn packets(
        &self,
        mut visit: impl FnMut(&[u8], u64) -> Result<usize, Error>,
    ) -> Result<(), Error> {
        let bytes = self.source.content();
        let skipped = self.source.skipped() as u64;
        if let Some(order) = self.framing.order() {
            for frame in Frames::new(bytes, order).limits(self.limits.limits()) {
                let frame = frame.map_err(|error| error.shifted(skipped))?;
                visit(frame.packet, skipped + frame.offset)?;
            }
            return Ok(());
        }
        if self.framing == FramingName::Settings {
            let settings = Settings::new(bytes).map_err(|error| error.shifted(skipped))?;
            for setting in settings.limits(self.limits.limits()) {
                let setting = setting.map_err(|error| error.closed().shifted(skipped))?;
                visit(setting.packet, skipped + setting.offset)?;
            }
            return Ok(());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let taken = visit(rest, skipped + (bytes.len() - rest.len()) as u64)?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        Ok(())
    }

    /// Makes the failure for a fault in the input's bytes, with a hint where a part of them can be read.
    pub(crate) fn damaged(&self, error: Error) -> Failure {
        let failure = self.failure(error);
        let has_hint = self.is_partial && failure.is_damage();
        if has_hint { failure.hint(way_to_recover(&self.source)) } else { failure }
    }

    /// Makes the failure for a fault in the input's bytes.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        let keys = self.keys(&error);
        Failure::in_source(&self.source, error).in_keys(keys)
    }

    /// Returns the place of a fault in the input's bytes, as keys.
    pub(crate) fn keys(&self, error: &Error) -> String {
        let base = self.source.skipped() as u64;
        by_precision!(self.dialect, R => {
            let decoder = self.decoder::<R>(Strictness::Engine);
            let bytes = self.source.content();
            let lost = match (self.framing, self.framing.order()) {
                (FramingName::Settings, _) => settings::recover(bytes, &decoder).lost,
                (_, Some(order)) => decoder.recover_frames(bytes, order, &[]).lost,
                (_, None) => decoder.recover(bytes).lost,
            };
            let here = lost.into_iter().find(|lost| lost.error.offset() + base == error.offset());
            here.map(|lost| lost.place).unwrap_or_default()
        })
    }
}
