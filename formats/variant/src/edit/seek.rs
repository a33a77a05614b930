//! Finds values by path in the bytes of a packet, without creating others.

use std::ops::Range;

use super::name::key_text;
use super::path::{Segment, ValuePath, bracketed, position};
use crate::Decoder;
use crate::codec::{self, Part, Visited, Walk, WarningCounts};
use crate::{Real, VariantType};
use formwork::Result;

impl ValuePath<'_> {
    /// Finds the packet of the value in the packet of the whole value. It creates no values, and takes no memory for
    /// them.
    ///
    /// Returns [`None`] if the result depends on the whole value: if the path leads to nothing, if it is in the form
    /// that errors print, if a key contains `/`, if an engine reads other values than those in the bytes, or if
    /// bytes follow the value. Use [`find`](Self::find) then.
    ///
    /// ```
    /// use formwork_variant::edit::ValuePath;
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
        let mut range = match first {
            Some(Some(child)) => child,
            Some(None) => return Ok(None),
            None => 0..length,
        };
        for segment in segments {
            let bytes = packet.get(range.clone()).unwrap_or_default();
            match child(&mut decoder.walk(bytes), decoder, segment)? {
                Some(child) => range = range.start + child.start..range.start + child.end,
                None => return Ok(None),
            }
        }
        Ok(Some(range))
    }
}

/// Finds the target of a path segment in the packet of a container, at whose start the walk is.
fn child<R: Real>(
    walk: &mut Walk<'_, '_, R>,
    decoder: &Decoder<R>,
    segment: &Segment<'_>,
) -> Result<Option<Range<usize>>> {
    let name = segment.quoted.as_deref().unwrap_or(segment.text);
    let is_quoted = segment.quoted.is_some();
    let Some(first) = walk.next().transpose()? else { return Ok(None) };
    let Visited::Open(count) = first.content else { return Ok(None) };
    let is_array = !matches!(first.variant_type, VariantType::Dictionary | VariantType::Object);
    let bracketed = bracketed(segment.text);
    let at = match is_array {
        true => position(segment.text, count as usize).or(bracketed),
        false => bracketed,
    };
    let at = at.filter(|_| !is_quoted).and_then(|at| u32::try_from(at).ok());
    // The targets of the segment if no key or property has that name.
    let (mut by_key, mut by_position) = (None, None);
    let (mut is_named, mut is_like_key) = (false, false);
    while let Some(visit) = walk.next() {
        let visit = visit?;
        if visit.content == Visited::Close {
            break;
        }
        let range = match matches!(visit.content, Visited::Open(_)) {
            true => walk.pass_over()?,
            false => visit.range.clone(),
        };
        match visit.part {
            Part::Element(index) if at == Some(index) => return Ok(Some(range)),
            Part::Key(_) => {
                (is_named, is_like_key) = (false, false);
                match (visit.variant_type, visit.content) {
                    (VariantType::String | VariantType::StringName, Visited::Text(text)) => {
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
            Part::Value(_) if is_named => return Ok(Some(range)),
            Part::Value(_) if is_like_key => by_key = Some(range),
            Part::Value(index) if at == Some(index) => by_position = Some(range),
            Part::Property(_, None) => return Ok(None),
            Part::Property(_, Some(text)) if text == name => return Ok(Some(range)),
            Part::Property(index, _) if at == Some(index) => by_position = Some(range),
            Part::Whole | Part::Element(_) | Part::Value(_) | Part::Property(..) => {}
        }
    }
    Ok(by_key.or(by_position))
}
