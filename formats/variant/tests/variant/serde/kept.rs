//! Packets of structs, one after another, by a writer and in frames.

use std::collections::BTreeMap;

use formwork_variant::frame::{ByteOrder, FrameReader, FrameWriter};
use formwork_variant::serde::PacketWriter;
use formwork_variant::{Decoder, Dialect, Encoder, Vector3};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Npc<'a> {
    id: i64,
    #[serde(borrow)]
    name: &'a str,
    pos: Vector3,
    tags: BTreeMap<String, u8>,
}

/// Other fields under the same name.
mod other {
    #[derive(serde::Serialize)]
    pub struct Npc {
        pub name: &'static str,
        pub level: u8,
        pub id: u8,
    }
}

fn npc(id: i64) -> Npc<'static> {
    let tags = (0..id % 40).map(|tag| (format!("tag{tag}"), tag as u8)).collect();
    Npc { id, name: "npc", pos: Vector3::new(id as f32, 2.0, 3.0), tags }
}

#[test]
fn a_kept_writer_writes_what_a_new_one_does() {
    for dialect in Dialect::all() {
        let encoder = Encoder::new(dialect);
        let mut packets = PacketWriter::new(encoder);
        for id in 0..100 {
            assert_eq!(packets.serialize(&npc(id)).unwrap(), encoder.serialize(&npc(id)).unwrap());
            let other = other::Npc { name: "other", level: 3, id: id as u8 };
            assert_eq!(packets.serialize(&other).unwrap(), encoder.serialize(&other).unwrap());
            // What is refused inside of containers leaves nothing behind.
            let refused = vec![BTreeMap::from([("a", vec![u64::MAX])])];
            let (kept, new) = (packets.serialize(&refused), encoder.serialize(&refused));
            assert_eq!(kept.unwrap_err().to_string(), new.unwrap_err().to_string());
        }
    }
}

#[test]
fn values_of_ones_own_go_through_frames() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let (encoder, decoder) = (Encoder::new(Dialect::GODOT4), Decoder::new(Dialect::GODOT4));
        let mut packets = PacketWriter::new(encoder);
        let mut writer = FrameWriter::new(Vec::new(), order);
        for id in 0..3 {
            writer.serialize(&npc(id), &mut packets).unwrap();
            let error = writer.serialize(&[u64::MAX], &mut packets).unwrap_err();
            assert_eq!(error.path().to_string(), format!("frame[{}].array[0]", id + 1));
        }
        let bytes = writer.into_inner();
        let mut by_value = FrameWriter::new(Vec::new(), order);
        for id in 0..3 {
            let value = formwork_variant::serde::to_variant(&npc(id)).unwrap();
            by_value.write_value(&value, &encoder).unwrap();
        }
        assert_eq!(bytes, by_value.into_inner());

        let mut reader = FrameReader::new(&bytes[..], order);
        assert_eq!(reader.deserialize(&decoder).unwrap(), Some(npc(0)));
        let error = reader.deserialize::<Vec<u8>, f32>(&decoder).unwrap_err();
        assert!(error.path().to_string().starts_with("frame[1].dictionary"), "{error}");
        assert_eq!(reader.deserialize(&decoder).unwrap(), Some(npc(2)));
        assert_eq!(reader.deserialize::<Npc<'_>, f32>(&decoder).unwrap(), None);
    }
}
