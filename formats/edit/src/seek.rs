//! Finds values by path in the bytes of a packet, without creating others.

use std::ops::Range;

use super::path::{Segment, ValuePath, bracketed, position};
use super::splice::splice;
use formwork::{Error, Result};
use formwork_variant::Decoder;
use formwork_variant::codec::events::{Event, Leaf};
use formwork_variant::codec::{self, Part, Walk, WarningCounts};
use formwork_variant::frame::ByteOrder;
use formwork_variant::place::key_text;
use formwork_variant::{Encoder, Real, Variant, VariantType};

impl ValuePath<'_> {
    /// Finds the packet of the value in the packet of the whole value. It creates no values, and takes no memory for
    /// them.
    ///
    /// Returns [`None`] if the result depends on the whole value: if the path leads to nothing, if it is in the form
    /// that errors print, if a key contains `/`, if an engine reads other values than those in the bytes, or if
    /// bytes follow the value. Use [`find`](Self::find) then.
    ///
    /// ```
    /// use formwork_edit::ValuePath;
    /// use formwork_variant::{Decoder, Dialect, from_slice, to_vec, variant};
    ///
    /// let save = variant!({ "player": { "gold": 100, "bag": ["sword", "lamp"] } });
    /// let packet = to_vec(&save, Dialect::GODOT4)?;
    ///
    /// let decoder = Decoder::new(Dialect::GODOT4);
    /// let range = ValuePath::new("player/bag/1").find_packet(&packet, &decoder)?.unwrap();
    /// assert_eq!(from_slice(&packet[range], Dialect::GODOT4)?, "lamp");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the packet is no value.
    pub fn find_packet<R: Real>(
        &self,
        packet: &[u8],
        decoder: &Decoder<R>,
    ) -> Result<Option<Range<usize>>> {
        Ok(self.find_spot(packet, decoder)?.map(|spot| spot.range))
    }

    /// Replaces a value in the packet of the whole value by another one of its type, and creates no other values: all other
    /// bytes stay. `make` gets the old value, and returns the new one.
    ///
    /// Returns [`None`] if the result depends on the whole value: where [`find_packet`](Self::find_packet) does, if the
    /// path is not the [name](super::Place::name) of the place, if the old value holds others or is null, or if the new
    /// one is of another type. Change the whole value then, and [`splice`] it.
    ///
    /// ```
    /// use formwork_edit::ValuePath;
    /// use formwork_variant::{Decoder, Dialect, Encoder, Error, Variant, from_slice, to_vec, variant};
    ///
    /// let save = variant!({ "player": { "gold": 100, "bag": ["sword", "lamp"] } });
    /// let packet = to_vec(&save, Dialect::GODOT4)?;
    ///
    /// let (decoder, encoder) = (Decoder::new(Dialect::GODOT4), Encoder::new(Dialect::GODOT4));
    /// let path = ValuePath::new("player/gold");
    /// let more = |old: &Variant| Ok::<_, Error>(Variant::Int(old.as_int().unwrap_or_default() + 5));
    /// let new = path.replace_in(&packet, &decoder, &encoder, more)?.unwrap();
    /// let expected = variant!({ "player": { "gold": 105, "bag": ["sword", "lamp"] } });
    /// let mut packet = packet;
    /// let whole = 0..packet.len();
    /// assert!(new.put(&mut packet, whole, None));
    /// assert_eq!(from_slice(&packet, Dialect::GODOT4)?, expected);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of `make`, or an error if the packet is no value or the dialect cannot express the new one.
    pub fn replace_in<R: Real, E: From<Error>>(
        &self,
        packet: &[u8],
        decoder: &Decoder<R>,
        encoder: &Encoder<R>,
        make: impl FnOnce(&Variant<R>) -> std::result::Result<Variant<R>, E>,
    ) -> std::result::Result<Option<Replacement<R>>, E> {
        let Some(Spot { range, is_named: true }) = self.find_spot(packet, decoder)? else {
            return Ok(None);
        };
        let Some(bytes) = packet.get(range.clone()) else { return Ok(None) };
        let old = decoder.decode(bytes)?;
        if old.container().is_some() || old.is_nil() {
            return Ok(None);
        }
        let new = make(&old)?;
        if new.variant_type() != old.variant_type() || new.container().is_some() {
            return Ok(None);
        }
        let bytes = splice(bytes, &new, encoder)?;
        let steps: Vec<&str> = self.segments().iter().map(|segment| segment.text).collect();
        Ok(Some(Replacement { range, bytes, place: steps.join("/"), old, new }))
    }

    fn find_spot<R: Real>(&self, packet: &[u8], decoder: &Decoder<R>) -> Result<Option<Spot>> {
        let mut segments = self.segments().iter();
        let mut warnings = WarningCounts::default();
        let mut walk = decoder.walk_counting_warnings(packet, &mut warnings);
        // The walk that finds the target of the first segment continues to the end, to collect all warnings.
        let first =
            segments.next().map(|segment| child(&mut walk, decoder, segment)).transpose()?;
        let length = walk.finish()?;
        let changed = [codec::rule::DICTIONARY_KEYS, codec::rule::CONTAINER_ELEMENT];
        let is_changed = changed.into_iter().any(|rule| warnings.count(rule) > 0);
        if is_changed || length < packet.len() {
            return Ok(None);
        }
        let Spot { mut range, mut is_named } = match first {
            Some(Some(child)) => child,
            Some(None) => return Ok(None),
            None => Spot { range: 0..length, is_named: true },
        };
        for segment in segments {
            let bytes = packet.get(range.clone()).unwrap_or_default();
            match child(&mut decoder.walk(bytes), decoder, segment)? {
                Some(child) => {
                    range = range.start + child.range.start..range.start + child.range.end;
                    is_named &= child.is_named;
                }
                None => return Ok(None),
            }
        }
        Ok(Some(Spot { range, is_named }))
    }
}

/// A value that replaces another one in a packet.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement<R: Real = f32> {
    /// The place of the old value in the packet.
    pub range: Range<usize>,
    /// The bytes of the new value.
    pub bytes: Vec<u8>,
    /// The name of its place.
    pub place: String,
    /// The value that was there.
    pub old: Variant<R>,
    /// The value that is there now.
    pub new: Variant<R>,
}

impl<R: Real> Replacement<R> {
    /// Puts the new value into bytes with the packet in a place, which has its length before it if it is in a frame of an
    /// order. Changes nothing, and returns `false`, if the length would not fit into the frame, or if the place is outside of
    /// the bytes.
    pub fn put(&self, bytes: &mut Vec<u8>, packet: Range<usize>, frame: Option<ByteOrder>) -> bool {
        let range = packet.start + self.range.start..packet.start + self.range.end;
        if packet.end > bytes.len() || range.end > packet.end {
            return false;
        }
        if let Some(order) = frame {
            let length = packet.len() - range.len() + self.bytes.len();
            let Ok(length) = u32::try_from(length) else { return false };
            let length = match order {
                ByteOrder::Little => length.to_le_bytes(),
                ByteOrder::Big => length.to_be_bytes(),
            };
            let before = packet.start.checked_sub(length.len()).map(|start| start..packet.start);
            let Some(before) = before.and_then(|range| bytes.get_mut(range)) else { return false };
            before.copy_from_slice(&length);
        }
        bytes.splice(range, self.bytes.iter().copied());
        true
    }
}

/// The target of a path in a packet.
struct Spot {
    range: Range<usize>,
    /// Whether each step is a position in an array, or a word that is the text of a key: names of places say the same.
    is_named: bool,
}

/// Finds the target of a path segment in the packet of a container, at whose start the walk is.
fn child<R: Real>(
    walk: &mut Walk<'_, '_, R>,
    decoder: &Decoder<R>,
    segment: &Segment<'_>,
) -> Result<Option<Spot>> {
    let is_word = |text: &str| {
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
    };
    let spot = |range, is_named| Ok(Some(Spot { range, is_named }));
    let name = segment.quoted.as_deref().unwrap_or(segment.text);
    let is_quoted = segment.quoted.is_some();
    let Some(first) = walk.next().transpose()? else { return Ok(None) };
    let Event::Begin(begin) = first.event else { return Ok(None) };
    let bracketed = bracketed(segment.text);
    let at = match begin.is_array() {
        true => position(segment.text, begin.count as usize).or(bracketed),
        false => bracketed,
    };
    let at = at.filter(|_| !is_quoted).and_then(|at| u32::try_from(at).ok());
    // The targets of the segment if no key or property has that name.
    let (mut by_key, mut by_position) = (None, None);
    let (mut is_named, mut is_like_key) = (false, false);
    while let Some(visit) = walk.next() {
        let visit = visit?;
        if visit.event == Event::End {
            break;
        }
        let range = match matches!(visit.event, Event::Begin(_)) {
            true => walk.pass_over()?,
            false => visit.range.clone(),
        };
        match visit.part {
            Part::Element(index) if at == Some(index) => {
                return spot(range, segment.text.bytes().all(|it| it.is_ascii_digit()));
            }
            Part::Key(_) => {
                (is_named, is_like_key) = (false, false);
                match (visit.variant_type, visit.event) {
                    (_, Event::Leaf(Leaf::String(text) | Leaf::StringName(text))) => {
                        is_named = text == name;
                    }
                    // The text may be the name in other bytes.
                    (VariantType::String | VariantType::StringName, _) => return Ok(None),
                    _ if is_quoted || by_key.is_some() => {}
                    _ => {
                        let key = walk.value(&visit)?;
                        is_like_key = key_text(&key, decoder.dialect()) == name;
                    }
                }
            }
            Part::Value(_) if is_named => return spot(range, !is_quoted && is_word(name)),
            Part::Value(_) if is_like_key => by_key = Some(range),
            Part::Value(index) if at == Some(index) => by_position = Some(range),
            Part::Property(_, None) => return Ok(None),
            Part::Property(_, Some(text)) if text == name => return spot(range, false),
            Part::Property(index, _) if at == Some(index) => by_position = Some(range),
            Part::Whole | Part::Element(_) | Part::Value(_) | Part::Property(..) => {}
        }
    }
    Ok(by_key.or(by_position).map(|range| Spot { range, is_named: false }))
}
