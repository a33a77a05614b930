//! Reads a file of settings: one by one, and as one value.

use std::collections::HashMap;
use std::iter::FusedIterator;

use super::MAGIC;
use super::{SettingRecord, SettingsHead, WORD, path_of_name, path_of_value, rule};
use formwork::{Error, Path, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, read_record, word_at};
use formwork_variant::Decoder;
use formwork_variant::{Dictionary, Real, Variant};

/// A setting, and its position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Setting<'a> {
    /// The number of settings before it.
    pub index: u64,
    /// The offset of the length of its name, in bytes from the start of the input.
    pub start: u64,
    /// The name.
    pub name: &'a str,
    /// Whether the length of the name counts characters, as Godot up to 3.2 writes it, and the name has more bytes.
    pub counts_characters: bool,
    /// The offset of the packet.
    pub offset: u64,
    /// The packet.
    pub packet: &'a [u8],
}

impl Setting<'_> {
    /// Returns the path of its value.
    #[must_use]
    pub fn path(&self) -> Path {
        path_of_value(self.index)
    }

    /// Returns the error of a name whose length counts characters: no engine reads the rest of the file.
    #[must_use]
    pub fn fault_of_name(&self) -> Option<Error> {
        self.counts_characters.then(|| {
            let (bytes, characters) = (self.name.len(), self.name.chars().count());
            let expected =
                format!("{bytes}, the bytes of the name (engines do not read on behind it)");
            let found = format!("{characters}, its characters");
            Error::new(rule::NAME_LENGTH, self.start, expected, found)
                .under(path_of_name(self.index))
        })
    }
}

/// An iterator over the settings of a file. Ends after the first error: after a wrong length the next setting is
/// unknown.
///
/// ```
/// use formwork_godot::settings::Settings;
///
/// let file = b"ECFG\x01\0\0\0\x08\0\0\0game/max\x08\0\0\0\x02\0\0\0\x09\0\0\0";
/// let setting = Settings::new(file)?.next().unwrap()?;
/// assert_eq!((setting.name, setting.offset), ("game/max", 24));
/// assert_eq!(setting.packet, [2, 0, 0, 0, 9, 0, 0, 0]);
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    bytes: &'a [u8],
    limits: Limits,
    count: u32,
    index: u64,
    position: usize,
}

impl<'a> Settings<'a> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes do not start as a file of settings does.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut input = Cursor::new(bytes);
        let head: SettingsHead =
            read_record(&mut input).map_err(|error| error.within("settings"))?;
        if head.magic != u32::from_le_bytes(*MAGIC) {
            let (expected, found) = ("ECFG (0x47464345)", format!("{:#010x}", head.magic));
            return Err(Error::new(rule::MAGIC, 0, expected, found)
                .within("magic")
                .within("settings"));
        }
        let (limits, position) = (Limits::default(), input.position());
        Ok(Self { bytes, limits, count: head.count, index: 0, position })
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns how many settings the file announces.
    #[must_use]
    pub const fn announced(&self) -> u32 {
        self.count
    }

    /// Returns the offset of the next setting, or of the end of the last.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    fn read(&self) -> Result<Setting<'a>> {
        let Place { name, counts_characters, packet, length } =
            place(self.bytes, self.position, self.index)?;
        let (index, start, offset) = (self.index, self.position as u64, packet as u64);
        let name = text(self.bytes, name, index)?;
        if u64::from(length) > self.limits.packet_bytes {
            let expected = format!("at most {} bytes", self.limits.packet_bytes);
            let error =
                Error::new(Rule::SIZE_LIMIT, offset - WORD as u64, expected, length.to_string());
            return Err(error.within("length").under(path_of_value(index)));
        }
        let rest = self.bytes.get(packet..).unwrap_or_default();
        let Some(packet) = rest.get(..length as usize) else {
            let needed = u64::from(length) - rest.len() as u64;
            let expected = format!("a packet of {length} bytes");
            let error = Error::incomplete(offset, needed, expected, rest.len() as u64);
            return Err(error.under(path_of_value(index)));
        };
        Ok(Setting { index, start, name, counts_characters, offset, packet })
    }
}

impl<'a> Iterator for Settings<'a> {
    type Item = Result<Setting<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.index >= self.count.into() {
            return None;
        }
        let read = self.read();
        match &read {
            Ok(setting) => {
                self.position = setting.offset as usize + setting.packet.len();
                self.index += 1;
            }
            Err(_) => self.index = self.count.into(),
        }
        Some(read)
    }
}

impl FusedIterator for Settings<'_> {}

/// The positions of the parts of a setting.
pub(super) struct Place {
    pub(super) name: std::ops::Range<usize>,
    pub(super) counts_characters: bool,
    /// The offset of the packet.
    pub(super) packet: usize,
    /// The length word before the packet.
    pub(super) length: u32,
}

/// Finds the parts of the setting at `start`.
pub(super) fn place(bytes: &[u8], start: usize, index: u64) -> Result<Place> {
    let rest = bytes.get(start..).unwrap_or_default();
    let mut input = Cursor::new(rest);
    let read = read_record::<SettingRecord<'_>>(&mut input);
    let behind = |name: std::ops::Range<usize>, length, counts_characters| Place {
        packet: name.end + WORD,
        name,
        counts_characters,
        length,
    };
    let first = start + WORD;
    let by_bytes =
        read.map(|record| behind(first..first + record.name.len(), record.length, false));
    // What Godot up to 3.2 writes makes no sense in bytes: that ends within the name.
    if by_bytes.as_ref().is_ok_and(|place| makes_sense(bytes, place)) {
        return by_bytes.map_err(|error| error.shifted(start as u64));
    }
    let counted = word_at::<u32>(rest, 0).and_then(|characters| {
        let name = rest.get(WORD..)?;
        let length = length_of(name, characters as usize)?;
        let behind_name = word_at(name.get(length..)?, 0)?;
        let place = behind(first..first + length, behind_name, true);
        (length > characters as usize && makes_sense(bytes, &place)).then_some(place)
    });
    match counted {
        Some(place) => Ok(place),
        None => by_bytes.map_err(|error| error.shifted(start as u64).under(path_of_name(index))),
    }
}

/// Returns how many bytes the name of the setting has that `bytes` start with, where its length counts characters.
pub(crate) fn bytes_of_characters(bytes: &[u8]) -> Option<u64> {
    let place = place(bytes, 0, 0).ok()?;
    place.counts_characters.then_some(place.name.len() as u64)
}

/// Returns the size in bytes of the first `characters` characters of a text.
fn length_of(text: &[u8], characters: usize) -> Option<usize> {
    /// The longest supported name; longer texts are not examined.
    const LONGEST: usize = 1 << 10;
    let text = text.get(..LONGEST).unwrap_or(text);
    let valid = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&text[..error.valid_up_to()]).ok()?,
    };
    let mut ends = valid.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.nth(characters.checked_sub(1)?)
}

/// Returns whether a place is that of a setting: a name, and a packet by its header, all there.
pub(super) fn makes_sense(bytes: &[u8], place: &Place) -> bool {
    let name = bytes.get(place.name.clone()).unwrap_or_default();
    let packet = bytes.get(place.packet..).unwrap_or_default();
    let is_header = |word: u32| word.to_le_bytes()[1] == 0 && word.to_le_bytes()[0] < 64;
    std::str::from_utf8(name).is_ok_and(|name| !name.contains(char::is_control))
        && place.length as usize <= packet.len()
        && word_at(packet, 0).is_some_and(is_header)
}

/// Reads a name.
fn text(bytes: &[u8], name: std::ops::Range<usize>, index: u64) -> Result<&str> {
    let start = name.start as u64;
    let name = bytes.get(name).unwrap_or_default();
    let refuse = |at: usize, found: String| {
        let expected = "text in UTF-8 without a zero byte";
        let error = Error::new(rule::NAME, start + at as u64, expected, found);
        Err(error.under(path_of_name(index)))
    };
    match std::str::from_utf8(name) {
        Ok(text) => match text.find('\0') {
            None => Ok(text),
            Some(at) => refuse(at, "0x00".to_owned()),
        },
        Err(error) => {
            let at = error.valid_up_to();
            refuse(at, name.get(at).map_or_else(String::new, |byte| format!("{byte:#04x}")))
        }
    }
}

/// The settings of a file as one value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadSettings<R: Real = f32> {
    /// A Dictionary with the names as keys, in the order of the file.
    pub value: Variant<R>,
    /// The number of bytes that are not in the value: after a value within its length, after the last setting, and
    /// settings with a repeated name.
    pub unread: u64,
    /// The first error of those bytes, which canonical strictness returns.
    pub fault: Option<Error>,
}

/// Returns the settings of a file as one value: a Dictionary with the names as keys.
///
/// # Errors
///
/// Returns an error if the bytes are no file of settings, or if a setting has no value of the dialect. Canonical
/// strictness also refuses a file with contents that the value does not hold.
pub fn decode<R: Real>(bytes: &[u8], decoder: &Decoder<R>) -> Result<Variant<R>> {
    read(bytes, decoder).map(|read| read.value)
}

/// Reads as [`decode`] does, and returns the number of bytes that the value does not hold.
///
/// # Errors
///
/// As [`decode`].
pub fn read<R: Real>(bytes: &[u8], decoder: &Decoder<R>) -> Result<ReadSettings<R>> {
    let mut settings = Settings::new(bytes)?.limits(*decoder.size_limits());
    // A count is trusted only as far as the input reaches.
    let most = bytes.len() / (<SettingRecord<'_> as Sizes>::LEAST + WORD);
    let mut pairs = Vec::with_capacity(most.min(settings.announced() as usize));
    let mut known: HashMap<&str, (usize, usize)> = HashMap::new();
    let (mut unread, mut fault) = (0, None);
    let mut pass_over = |bytes: usize, error: &dyn Fn() -> Error| {
        unread += bytes as u64;
        if bytes > 0 && fault.is_none() {
            let error = error();
            if decoder.is_canonical() {
                return Err(error);
            }
            fault = Some(error);
        }
        Ok(())
    };
    for setting in settings.by_ref() {
        let setting = setting.map_err(Error::closed)?;
        if decoder.is_canonical()
            && let Some(fault) = setting.fault_of_name()
        {
            return Err(fault);
        }
        let (value, length) = decoder.decode_prefix(setting.packet).map_err(|error| {
            error.closed().shifted(setting.offset).under(path_of_value(setting.index))
        })?;
        pass_over(setting.packet.len() - length, &|| setting.misfit(length))?;
        match known.insert(setting.name, (pairs.len(), setting.packet.len())) {
            None => pairs.push((Variant::from(setting.name), value)),
            Some((first, bytes)) => {
                pass_over(bytes.max(1), &|| setting.repeated())?;
                known.insert(setting.name, (first, setting.packet.len()));
                if let Some(pair) = pairs.get_mut(first) {
                    pair.1 = value;
                }
            }
        }
    }
    let end = settings.position();
    pass_over(bytes.len() - end, &|| {
        let found = formwork::wire::more_bytes(bytes.len() - end).to_string();
        Error::new(Rule::INPUT_TRAILING, end as u64, "the end of the file", found)
    })?;
    let value = Variant::Dictionary(pairs.into_iter().collect::<Dictionary<R>>());
    Ok(ReadSettings { value, unread, fault })
}

impl Setting<'_> {
    /// Returns the error of a packet that is longer than its value of `length` bytes.
    #[must_use]
    pub fn misfit(&self, length: usize) -> Error {
        let offset = self.offset + length as u64;
        let found = formwork::wire::more_bytes(self.packet.len() - length).to_string();
        Error::new(rule::FILLED, offset, "the end of the packet", found)
            .under(path_of_value(self.index))
    }

    /// Returns the error of a name that occurs earlier in the file.
    #[must_use]
    pub fn repeated(&self) -> Error {
        let found = format!("'{}' again", self.name.escape_debug());
        Error::new(rule::REPEATED, self.start, "a name that was not there before", found)
            .under(path_of_name(self.index))
    }
}
