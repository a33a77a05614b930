//! Recovery of damaged packets and frames.

use super::fixed_point::engine_loses_it_too;
use super::{choose, difference, in_precision, shown};
use formwork_variant::codec::Recovered;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::{ByteOrder, Frame, Frames};
use formwork_variant::{Decoder, Encoder, Result};
use formwork_variant::{Real, Variant};

/// Checks that any bytes, read as packets and as frames, give values or a list of losses. Undamaged bytes
/// give all values as the decoder reads them, and list only zeros behind bare values and the bytes of frames after their
/// values as lost.
/// The recovered values can be written and are whole then (except for those that no engine writes so that it
/// reads them back).
pub fn recover(data: &[u8]) {
    if let Some((dialect, big, bytes)) = choose(data) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        in_precision!(dialect, check(dialect, order, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, order: ByteOrder, bytes: &[u8]) {
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let bare = decoder.recover(bytes);
    hold(dialect, &bare, decoder.values(bytes).collect(), true, bytes.len());
    let frames = decoder.recover_frames(bytes, order, &[]);
    let is_filled = |frame: Frame<'_>| {
        let read = decoder.decode_prefix(frame.packet);
        !read.is_ok_and(|(_, length)| length < frame.packet.len())
    };
    let are_filled = Frames::new(bytes, order).flatten().all(is_filled);
    let read = decoder.decode_frames(bytes, order).collect();
    hold(dialect, &frames, read, are_filled, bytes.len());
    // Recovery with gaps: the missing blocks of a compressed file.
    let length = bytes.len() as u64;
    let gaps = [length / 4..length / 3, length / 2..length / 2 + length / 8];
    let torn = decoder.recover_frames(bytes, order, &gaps);
    listed(dialect, &torn, bytes.len());
}

fn hold<R: Real>(
    dialect: Dialect,
    recovered: &Recovered<R>,
    read: Result<Vec<Variant<R>>>,
    are_filled: bool,
    length: usize,
) {
    match read {
        Ok(values) => {
            // Zeros behind values are no nulls.
            let zeros = values.get(recovered.values.len()..).unwrap_or_default();
            assert!(zeros.iter().all(Variant::is_nil), "{dialect}: {:?}", recovered.lost);
            let is_whole = are_filled && zeros.is_empty() && !values.is_empty();
            assert_eq!(recovered.is_whole(), is_whole, "{dialect}: {:?}", recovered.lost);
            assert!(recovered.values.len() <= values.len(), "{dialect}");
            // In a packet that is longer than its value, a null may be the rest of something else.
            for (value, left) in values.iter().zip(&recovered.values).filter(|_| are_filled) {
                assert_eq!(difference(value, left), None, "{dialect}: {}", shown(value));
            }
        }
        Err(error) => assert!(!recovered.is_whole(), "{dialect}: nothing lost, but {error}"),
    }
    listed(dialect, recovered, length);
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    for value in &recovered.values {
        match Encoder::new(dialect).in_precision::<R>().encode(value) {
            Ok(again) => {
                let again = decoder.recover(&again);
                assert!(again.is_whole() || value.is_nil(), "{dialect}: {:?}", again.lost);
            }
            Err(error) => {
                assert!(engine_loses_it_too(dialect, &error), "{dialect}: {error}");
            }
        }
    }
}

/// Checks that each loss lies within the input and belongs to an existing value.
fn listed<R: Real>(dialect: Dialect, recovered: &Recovered<R>, length: usize) {
    for lost in &recovered.lost {
        let range = &lost.range;
        let within = range.start <= range.end && range.end <= length as u64;
        assert!(within && lost.error.offset() <= length as u64, "{dialect}: {lost:?} of {length}");
        let of = lost.value.is_none_or(|value| value < recovered.values.len() as u64);
        assert!(of, "{dialect}: {lost:?}");
        let _ = lost.to_string();
    }
}
