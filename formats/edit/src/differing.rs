//! Two packets, read as far as they differ.

use std::collections::HashMap;
use std::ops::Range;

use formwork_variant::codec::events::Event;
use formwork_variant::codec::{self, Part, WarningCounts};
use formwork_variant::{Decoder, Dictionary, Real, Variant, VariantType};

/// Reads the dictionaries that two packets are, with null in both where the same bytes are under the same key: what
/// [`Compare`](super::Compare) finds in them is what it finds in the whole values, and memory is taken only for what differs.
///
/// Returns [`None`] where that is not certain: if a packet is no dictionary without declared types, if an engine makes
/// something else of it than it says, or if it has a fault. Read both whole then.
///
/// ```
/// use formwork_edit::{Compare, differing};
/// use formwork_variant::{Decoder, Dialect, to_vec, variant};
///
/// let old = to_vec(&variant!({ "gold": 5, "npcs": ["Ada", "Bo"] }), Dialect::GODOT4)?;
/// let new = to_vec(&variant!({ "gold": 6, "npcs": ["Ada", "Bo"] }), Dialect::GODOT4)?;
/// let [old, new] = differing(&old, &new, &Decoder::new(Dialect::GODOT4)).unwrap();
/// assert_eq!(new, variant!({ "gold": 6, "npcs": null }));
/// assert_eq!(Compare::new().values(&old, &new).len(), 1);
/// # Ok::<(), formwork::Error>(())
/// ```
#[must_use]
pub fn differing<R: Real>(old: &[u8], new: &[u8], decoder: &Decoder<R>) -> Option<[Variant<R>; 2]> {
    let (olds, news) = (pairs(old, decoder)?, pairs(new, decoder)?);
    let key = |bytes, pair: &Pair| bytes_of(bytes, &pair.key);
    let there: HashMap<_, _> = olds.iter().map(|pair| (key(old, pair), &pair.value)).collect();
    let is_same = |pair: &Pair| {
        let other = there.get(&key(new, pair));
        other.is_some_and(|range| bytes_of(old, range) == bytes_of(new, &pair.value))
    };
    let same: Vec<bool> = news.iter().map(is_same).collect();
    let left_out: HashMap<_, _> =
        news.iter().zip(&same).map(|(pair, &same)| (key(new, pair), same)).collect();
    let read = |bytes, pairs: &[Pair], is_same: &dyn Fn(usize, &Pair) -> bool| {
        let read = |(number, pair): (usize, &Pair)| {
            let value = match is_same(number, pair) {
                true => Variant::Nil,
                false => decoder.decode(bytes_of(bytes, &pair.value)).ok()?,
            };
            Some((decoder.decode(bytes_of(bytes, &pair.key)).ok()?, value))
        };
        let read: Option<Dictionary<R>> = pairs.iter().enumerate().map(read).collect();
        read.map(Variant::Dictionary)
    };
    let old = read(old, &olds, &|_, pair| left_out.get(key(old, pair)).is_some_and(|it| *it))?;
    Some([old, read(new, &news, &|number, _| same[number])?])
}

/// The places of a key and its value in a packet.
struct Pair {
    key: Range<usize>,
    value: Range<usize>,
}

fn bytes_of<'b>(bytes: &'b [u8], range: &Range<usize>) -> &'b [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

/// Finds the pairs of a dictionary.
fn pairs<R: Real>(packet: &[u8], decoder: &Decoder<R>) -> Option<Vec<Pair>> {
    /// Bytes before the pairs of a dictionary without declared types.
    const PLAIN: usize = 8;
    let mut warnings = WarningCounts::default();
    let mut walk = decoder.walk_counting_warnings(packet, &mut warnings);
    let first = walk.next()?.ok()?;
    if first.variant_type != VariantType::Dictionary || first.range.len() != PLAIN {
        return None;
    }
    let (mut pairs, mut key) = (Vec::new(), None);
    while let Some(visit) = walk.next() {
        let visit = visit.ok()?;
        if visit.event == Event::End {
            break;
        }
        let range = match matches!(visit.event, Event::Begin(_)) {
            true => walk.pass_over().ok()?,
            false => visit.range.clone(),
        };
        match (visit.part, key.take()) {
            (Part::Key(_), _) => key = Some(range),
            (_, Some(key)) => pairs.push(Pair { key, value: range }),
            (_, None) => return None,
        }
    }
    let length = walk.finish().ok()?;
    let changed = [codec::rule::DICTIONARY_KEYS, codec::rule::CONTAINER_ELEMENT];
    let is_changed = changed.into_iter().any(|rule| warnings.count(rule) > 0);
    (!is_changed && length == packet.len()).then_some(pairs)
}
