//! Calls of a StreamPeer on the same bytes, cut into different pieces.

use super::chunking::Pieces;
use formwork_variant::Decoder;
use formwork_variant::Real;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::ByteOrder;
use formwork_variant::stream_peer::{StreamPeerBuffer, StreamPeerReader, StreamPeerWriter};
use formwork_variant::{Error, Result};

/// Calls the method with a number, and returns its result as text.
macro_rules! get {
    ($peer:expr, $number:expr, $decoder:expr, $real:ty) => {
        match $number % 19 {
            0 => $peer.get_8().map(|got| got.to_string()),
            1 => $peer.get_u8().map(|got| got.to_string()),
            2 => $peer.get_16().map(|got| got.to_string()),
            3 => $peer.get_u16().map(|got| got.to_string()),
            4 => $peer.get_32().map(|got| got.to_string()),
            5 => $peer.get_u32().map(|got| got.to_string()),
            6 => $peer.get_64().map(|got| got.to_string()),
            7 => $peer.get_u64().map(|got| got.to_string()),
            8 => $peer.get_half().map(|got| format!("{:x}", got.to_bits())),
            9 => $peer.get_float().map(|got| format!("{:x}", got.to_bits())),
            10 => $peer.get_double().map(|got| format!("{:x}", got.to_bits())),
            11 => $peer.get_data(usize::from($number >> 3)).map(|got| format!("{got:?}")),
            12 => $peer.get_string(Some(usize::from($number >> 5))).map(|got| format!("{got:?}")),
            13 => {
                let bytes = Some(usize::from($number >> 5));
                $peer.get_utf8_string(bytes).map(|got| format!("{got:?}"))
            }
            14 | 15 => $peer.get_string(None).map(|got| format!("{got:?}")),
            16 | 17 => $peer.get_utf8_string(None).map(|got| format!("{got:?}")),
            _ => $peer.get_var($decoder).map(|got| super::shown(&got)),
        }
    };
}

/// The number of successive calls without a byte read after which the calls stop.
const IDLE: usize = 64;

/// Checks that calls get the same results and errors however the bytes arrive. The bytes alone choose the
/// calls.
pub(super) fn check<R: Real>(dialect: Dialect, order: ByteOrder, bytes: &[u8]) {
    let decoder = &Decoder::new(dialect).in_precision::<R>().allow_objects(true);
    let calls = bytes.iter().rev().chain(bytes).copied().take(1000);

    let mut whole = StreamPeerReader::new(bytes, dialect, order);
    let mut pieces = StreamPeerReader::new(Pieces::of(bytes), dialect, order);
    let mut pushed = StreamPeerBuffer::new(dialect, order);
    let mut rest = Pieces::of(bytes);
    let mut idle = 0;
    for call in calls {
        let before = whole.offset();
        let expected = get!(whole, call, decoder, R);
        assert_eq!(get!(pieces, call, decoder, R), expected);
        let got = loop {
            let got = get!(pushed, call, decoder, R);
            let needed = got.as_ref().err().and_then(Error::needed);
            if needed.is_none() || rest.is_empty() {
                break got;
            }
            assert!(needed > Some(0), "nothing is missing");
            pushed.push(rest.next_piece());
        };
        assert_eq!(got, expected);
        assert_eq!((pieces.offset(), pushed.offset()), (whole.offset(), whole.offset()));
        // At the end of the bytes, all calls fail alike.
        idle = if whole.offset() == before { idle + 1 } else { 0 };
        if idle == IDLE {
            break;
        }
    }
    assert!(put_again(dialect, order, bytes).is_ok(), "a vector takes what it is given");
}

/// Puts the numbers and strings that were got, and checks that they give the same bytes.
fn put_again(dialect: Dialect, order: ByteOrder, bytes: &[u8]) -> Result<()> {
    let mut get = StreamPeerReader::new(bytes, dialect, order);
    let mut put = StreamPeerWriter::new(Vec::new(), dialect, order);
    while let Ok(number) = get.get_16() {
        put.put_16(number)?;
        let Ok(number) = get.get_u32() else { break };
        put.put_u32(number)?;
        let Ok(number) = get.get_64() else { break };
        put.put_64(number)?;
        let Ok(number) = get.get_float() else { break };
        put.put_float(number)?;
        let Ok(number) = get.get_double() else { break };
        put.put_double(number)?;
    }
    let put = put.into_inner();
    assert_eq!(bytes.get(..put.len()), Some(put.as_slice()));

    let text: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).filter(|&byte| byte > 0).collect();
    let text = String::from_utf8_lossy(&text).into_owned();
    let mut put = StreamPeerWriter::new(Vec::new(), dialect, order);
    put.put_string(&text)?;
    let put = put.into_inner();
    let mut get = StreamPeerReader::new(&put[..], dialect, order);
    assert_eq!(get.get_utf8_string(None)?, text.as_str());
    assert!(get.into_inner().is_empty());
    Ok(())
}
