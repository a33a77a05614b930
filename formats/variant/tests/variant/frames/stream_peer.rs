//! Numbers, strings and plain bytes of StreamPeers.

use std::io::{self, Read};

use formwork_variant::codec;
use formwork_variant::frame::{ByteOrder, FrameReader, FrameWriter};
use formwork_variant::stream_peer::{StreamPeerBuffer, StreamPeerReader, StreamPeerWriter};
use formwork_variant::{Decoder, Dialect, Encoder, Error, ErrorKind, Limits, Result, Rule};
use formwork_variant::{Dictionary, Variant, VariantString};

use super::{ORDERS, choppy};

const TEXT: &str = "Größe 漢 🍺";

fn dialect(name: &str) -> Dialect {
    name.parse().unwrap()
}

/// Returns a file that Godot 3.2.3 wrote (formats/frames/samples).
fn sample(name: &str, order: ByteOrder) -> Vec<u8> {
    let name = match order {
        ByteOrder::Little => format!("{name}.bin"),
        ByteOrder::Big => format!("{name}_big_endian.bin"),
    };
    let folder = formwork_testkit::formats().join("frames/samples");
    std::fs::read(folder.join(name)).unwrap()
}

fn save() -> Variant {
    let mut save = Dictionary::new();
    save.insert("hp", Variant::Int(7));
    Variant::Dictionary(save)
}

/// The calls of write_samples.gd.
fn put_all(peer: &mut StreamPeerWriter<Vec<u8>>) -> Result<()> {
    peer.put_8(-2)?;
    peer.put_u8(254)?;
    peer.put_16(-2)?;
    peer.put_u16(65534)?;
    peer.put_32(-2)?;
    peer.put_u32(4_294_967_294)?;
    peer.put_64(-2)?;
    peer.put_u64(i64::MAX as u64)?;
    peer.put_float(0.1)?;
    peer.put_double(0.1)?;
    peer.put_string("lamp")?;
    peer.put_string("")?;
    peer.put_utf8_string(&TEXT.into())?;
    peer.put_data(&[1, 2, 3])?;
    peer.put_var(&save(), &Encoder::new(dialect("godot3.2")))
}

/// Gets the same values again.
fn get_all(peer: &mut StreamPeerReader<impl Read>) -> Result<()> {
    assert_eq!(peer.get_8()?, -2);
    assert_eq!(peer.get_u8()?, 254);
    assert_eq!(peer.get_16()?, -2);
    assert_eq!(peer.get_u16()?, 65534);
    assert_eq!(peer.get_32()?, -2);
    assert_eq!(peer.get_u32()?, 4_294_967_294);
    assert_eq!(peer.get_64()?, -2);
    assert_eq!(peer.get_u64()?, i64::MAX as u64);
    assert_eq!(peer.get_float()?, 0.1);
    assert_eq!(peer.get_double()?, 0.1);
    assert_eq!(peer.get_string(None)?, "lamp");
    assert_eq!(peer.get_string(None)?, "");
    assert_eq!(peer.get_utf8_string(None)?, TEXT);
    assert_eq!(peer.get_data(3)?, [1, 2, 3]);
    assert_eq!(peer.get_var(&Decoder::new(dialect("godot3.2")))?, save());
    Ok(())
}

#[test]
fn what_a_stream_peer_of_the_engine_put_is_put_and_got() {
    for order in ORDERS {
        let bytes = sample("stream_peer", order);
        let mut peer = StreamPeerWriter::new(Vec::new(), dialect("godot3.2"), order);
        put_all(&mut peer).unwrap();
        assert_eq!(peer.offset(), bytes.len() as u64);
        assert_eq!(peer.into_inner(), bytes);

        for step in [1, 2, 3, 7, usize::MAX] {
            let reader = choppy(&bytes, step, io::ErrorKind::Interrupted);
            let mut peer = StreamPeerReader::new(reader, dialect("godot3.2"), order);
            get_all(&mut peer).unwrap();
            assert_eq!(peer.offset(), bytes.len() as u64);
            let error = peer.get_u8().unwrap_err();
            assert_eq!((error.needed(), error.offset()), (Some(1), bytes.len() as u64));
            assert_eq!(error.path().to_string(), "u8");
        }
    }
}

#[test]
fn what_a_file_of_the_engine_stored_is_the_same() {
    for order in ORDERS {
        let bytes = sample("file", order);
        let mut peer = StreamPeerReader::new(&bytes[..], dialect("godot3.2"), order);
        assert_eq!(peer.get_u8().unwrap(), 254);
        assert_eq!(peer.get_u16().unwrap(), 65534);
        assert_eq!(peer.get_u32().unwrap(), 4_294_967_294);
        assert_eq!(peer.get_u64().unwrap(), u64::MAX - 1);
        assert_eq!(peer.get_float().unwrap(), 0.1);
        assert_eq!(peer.get_double().unwrap(), 0.1);
        assert_eq!(peer.get_float().unwrap(), 0.1, "store_real");
        assert_eq!(peer.get_utf8_string(None).unwrap(), TEXT, "store_pascal_string");
        assert_eq!(peer.get_data(3).unwrap(), [1, 2, 3]);
        let decoder = Decoder::new(dialect("godot3.2"));
        assert_eq!(peer.get_var(&decoder).unwrap(), save());
        assert!(peer.into_inner().is_empty());
    }
}

#[test]
fn a_packet_peer_stream_has_little_endian_frames_whatever_its_stream() {
    let limits = Limits::default().packet_bytes(Limits::PACKET_PEER_STREAM_BYTES);
    for order in ORDERS {
        let bytes = sample("packet_peer_stream", order);
        let decoder = Decoder::new(dialect("godot3.2"));
        let mut reader = FrameReader::new(&bytes[..], ByteOrder::Little).limits(limits);
        assert_eq!(reader.next_value(&decoder).unwrap(), Some("lamp".into()));
        // The empty packet between the two was not sent.
        assert_eq!(reader.next_value(&decoder).unwrap(), Some(Variant::Int(5)));
        assert_eq!(reader.next_value(&decoder).unwrap(), None);
        let mut writer = FrameWriter::new(Vec::new(), ByteOrder::Little);
        writer.write_value(&"lamp".into(), &Encoder::new(dialect("godot3.2"))).unwrap();
        writer.write_packet(&[2, 0, 0, 0, 5, 0, 0, 0]).unwrap();
        assert_eq!(writer.into_inner(), bytes);
    }
}

#[test]
fn godot_2_puts_no_length_before_utf_8() {
    let put = |name: &str| {
        let mut peer = StreamPeerWriter::new(Vec::new(), dialect(name), ByteOrder::Little);
        peer.put_utf8_string(&"ä".into()).unwrap();
        peer.into_inner()
    };
    assert_eq!(put("godot2"), [0xc3, 0xa4]);
    assert_eq!(put("godot3.0"), [2, 0, 0, 0, 0xc3, 0xa4]);
    let mut peer = StreamPeerReader::new(&[0xc3, 0xa4, 7][..], Dialect::GODOT2, ByteOrder::Little);
    assert_eq!(peer.get_utf8_string(Some(2)).unwrap(), "ä");
    assert_eq!(peer.get_u8().unwrap(), 7);
}

#[test]
fn nothing_is_taken_until_all_is_there() {
    for order in ORDERS {
        let bytes = sample("stream_peer", order);
        let mut peer = StreamPeerBuffer::new(dialect("godot3.2"), order);
        let mut got = Vec::new();
        let decoder = Decoder::new(dialect("godot3.2"));
        for byte in &bytes {
            peer.push(&[*byte]);
            let next = match got.len() {
                0 => peer.get_64().map(|number| number.to_string()),
                1 => peer.get_data(22).map(|data| data.len().to_string()),
                2 => peer.get_float().map(|number| number.to_string()),
                3 => peer.get_double().map(|number| number.to_string()),
                4 | 5 => peer.get_string(None).map(|text| text.to_string()),
                6 => peer.get_utf8_string(None).map(|text| text.to_string()),
                7 => peer.get_data(3).map(|data| data.len().to_string()),
                _ => peer.get_var(&decoder).map(|value| value == save()).map(|s| s.to_string()),
            };
            match next {
                Ok(next) => got.push(next),
                Err(error) => assert!(error.needed().is_some_and(|needed| needed > 0), "{error}"),
            }
        }
        assert_eq!(got[1..], ["22", "0.1", "0.1", "lamp", "", TEXT, "3", "true"]);
        assert_eq!((peer.available_bytes(), peer.offset()), (0, bytes.len() as u64));
    }
}

#[test]
fn a_reader_that_would_block_is_asked_for_the_same_again() {
    let bytes = sample("stream_peer", ByteOrder::Little);
    let trouble = choppy(&bytes[42..], 3, io::ErrorKind::WouldBlock);
    let mut peer = StreamPeerReader::new(trouble, dialect("godot3.2"), ByteOrder::Little);
    let mut tries = 0;
    let mut again = |error: Error| {
        assert_eq!(error.rule(), Rule::INPUT_IO);
        tries += 1;
    };
    let text = loop {
        match peer.get_string(None) {
            Ok(text) => break text,
            Err(error) => again(error),
        }
    };
    assert_eq!(text, "lamp");
    assert!(tries > 2, "{tries}");
}

#[test]
fn a_reader_is_not_read_past_what_is_asked_for() {
    let bytes = [1, 0, 2, 0, 0, 0, b'h', b'i', b'!', b'!'];
    let mut peer = StreamPeerReader::new(&bytes[..], Dialect::GODOT4, ByteOrder::Little);
    assert_eq!(peer.get_u16().unwrap(), 1);
    assert_eq!(peer.get_utf8_string(None).unwrap(), "hi");
    assert_eq!(peer.into_inner(), b"!!");
}

#[test]
fn part_of_the_data_is_what_one_read_gives() {
    let mut peer = StreamPeerReader::new(
        choppy(b"abcdefg", 3, io::ErrorKind::Interrupted),
        Dialect::GODOT4,
        ByteOrder::Little,
    );
    assert_eq!(peer.get_partial_data(usize::MAX).unwrap(), b"abc");
    assert_eq!(peer.get_partial_data(2).unwrap(), b"de");
    // What was read of a string that is not all there is not lost.
    assert_eq!(peer.get_u32().unwrap_err().needed(), Some(2));
    assert_eq!(peer.get_partial_data(1).unwrap(), b"f");
    assert_eq!(peer.get_partial_data(9).unwrap(), b"g");
    assert_eq!(peer.get_partial_data(9).unwrap(), b"");
    let mut room = [0; 2];
    let mut peer = StreamPeerWriter::new(&mut room[..], Dialect::GODOT4, ByteOrder::Little);
    assert_eq!(peer.put_partial_data(b"abc").unwrap(), 2);
    assert_eq!(peer.offset(), 2);
    assert_eq!(peer.put_u8(0).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn lengths_are_not_believed() {
    let get = |bytes: &[u8]| {
        let mut peer = StreamPeerReader::new(bytes, Dialect::GODOT4, ByteOrder::Little)
            .limits(Limits::default().packet_bytes(1000));
        let error = peer.get_utf8_string(None).unwrap_err();
        assert_eq!(peer.get_string(None).unwrap_err().rule(), error.rule(), "nothing was taken");
        (error.rule(), error.needed(), error.offset(), error.path().to_string())
    };
    let path = || "utf8_string".to_owned();
    let length = || "utf8_string.length".to_owned();
    assert_eq!(get(&[255, 255, 255, 255, 1]), (codec::rule::STRING_LENGTH, None, 0, length()));
    assert_eq!(get(&[233, 3, 0, 0, 1]), (Rule::SIZE_LIMIT, None, 0, length()));
    assert_eq!(get(&[232, 3, 0, 0, 1]), (Rule::INPUT_COMPLETE, Some(999), 4, path()));
    assert_eq!(get(&[232, 3]), (Rule::INPUT_COMPLETE, Some(2), 0, path()));

    let mut peer = StreamPeerBuffer::new(Dialect::GODOT4, ByteOrder::Big)
        .limits(Limits::default().packet_bytes(1000));
    peer.push(&[0, 0, 3, 233]);
    let error = peer.get_var(&Decoder::new(Dialect::GODOT4)).unwrap_err();
    assert_eq!((error.rule(), error.path().to_string()), (Rule::SIZE_LIMIT, "var.length".into()));
}

#[test]
fn behind_a_faulty_string_or_packet_the_stream_goes_on() {
    let bytes = [1, 0, 0, 0, 0xff, 4, 0, 0, 0, 99, 0, 0, 0, 5, 0, 0, 0, 7];
    let mut peer = StreamPeerReader::new(&bytes[..], Dialect::GODOT4, ByteOrder::Little);
    let error = peer.get_utf8_string(None).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (codec::rule::STRING_UTF8, 4));
    assert_eq!(error.path().to_string(), "utf8_string");
    let error = peer.get_var(&Decoder::new(Dialect::GODOT4)).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (codec::rule::HEADER_TYPE_ID, 9));
    assert!(error.path().to_string().starts_with("var"), "{error}");
    assert_eq!(peer.get_u32().unwrap(), 5);
    assert_eq!(peer.get_u8().unwrap(), 7);
}

#[test]
fn strings_are_read_as_the_engine_reads_them() {
    let get = |name: &str, text: &[u8]| {
        let mut peer = StreamPeerReader::new(text, dialect(name), ByteOrder::Little);
        peer.get_utf8_string(Some(text.len())).map_err(|error| error.offset())
    };
    assert_eq!(get("godot3.2", b"a\0b\0c").unwrap(), "a");
    assert_eq!(get("godot3.2", b"\xef\xbb\xbfa").unwrap(), "a");
    assert_eq!(get("godot3.2", b"a\xe9b"), Err(1));
    let lone = VariantString::from_numbers([0xd800]);
    assert_eq!(get("godot3.2", b"\xed\xa0\x80").unwrap(), lone);
    assert_eq!(get("godot4.6", b"\xed\xa0\x80"), Err(0));

    let mut peer = StreamPeerReader::new(&b"a\xe9\0b"[..], Dialect::GODOT4, ByteOrder::Little);
    assert_eq!(peer.get_string(Some(4)).unwrap(), "aé");
}

#[test]
fn what_cannot_be_put_is_refused_before_it_is_put() {
    let mut peer = StreamPeerWriter::new(Vec::new(), Dialect::GODOT4, ByteOrder::Little);
    peer.put_u8(1).unwrap();
    let faulty = [peer.put_string("Größe"), peer.put_string("a\0"), {
        peer.put_utf8_string(&VariantString::from_numbers([0xd800]))
    }];
    for outcome in faulty {
        let error = outcome.unwrap_err();
        assert_eq!((error.rule(), error.offset()), (codec::rule::DIALECT_VALUE, 1));
    }
    let rid = Variant::<f32>::Array(vec![Variant::Int(1), save()].into());
    peer.put_var(&rid, &Encoder::new(Dialect::GODOT4).limits(Limits::new().depth(1))).unwrap_err();
    assert_eq!(peer.into_inner(), [1]);
}

#[test]
fn halves_go_through_both_byte_orders() {
    for (order, bytes) in ORDERS.into_iter().zip([[0x8f, 0x4b], [0x4b, 0x8f]]) {
        let mut peer = StreamPeerWriter::new(Vec::new(), Dialect::GODOT4, order);
        peer.put_half(15.1234).unwrap();
        assert_eq!(peer.into_inner(), bytes);
        let mut peer = StreamPeerReader::new(&bytes[..], Dialect::GODOT4, order);
        assert_eq!(peer.get_half().unwrap(), 15.117_187_5);
    }
}
