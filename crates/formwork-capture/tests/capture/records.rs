//! Audits every declared record: reader, writer and layout agree, and every field can be generated.

use std::fmt::Debug;

use formwork::record::{self, Declared};
use formwork_capture::enet::{
    Acknowledge, BandwidthLimit, CommandByte, CommandHead, Connect, Connection, DatagramHead,
    Disconnect, PeerWord, Ping, SendFragment, SendReliable, SendUnreliable, SendUnsequenced,
    ThrottleConfigure,
};
use formwork_capture::{
    ArgumentByte, CallHead, CommandWord, FrameWord, Length16, Length64, LinuxHead, LinuxHead2,
    NodeWord, PeerFlags, PeerHead, PeerNotice, SystemHead,
};

fn audit<T: Declared + PartialEq + Debug>() {
    let audit = record::audit::<T>(&[], 50).ok();
    let audit = audit.unwrap_or_else(|faults| panic!("{}: {faults}", std::any::type_name::<T>()));
    assert_eq!((audit.made, &audit.never), (50, &vec![]), "{audit}");
}

macro_rules! audit {
    ($($record:ident)+) => { $( audit::<$record>(); )+ };
}

#[test]
fn every_record_is_audited() {
    audit! {
        Acknowledge ArgumentByte BandwidthLimit CallHead CommandByte CommandHead CommandWord Connect Connection
        DatagramHead Disconnect FrameWord Length16 Length64 LinuxHead LinuxHead2 NodeWord PeerFlags PeerHead
        PeerNotice PeerWord Ping SendFragment SendReliable SendUnreliable SendUnsequenced SystemHead
        ThrottleConfigure
    }
}

#[test]
fn numbers_of_enet_are_big_endian_but_for_that_of_the_connection() {
    let dump = record::dump::<DatagramHead>(&[0xc1, 0x23]);
    assert!(dump.contains("peer 291, session 0, compressed, timed"), "{dump}");
    let head: CommandHead = record::from_slice(&[0x86, 1, 2, 3]).expect("the head is whole");
    assert_eq!((head.command.number(), head.sequence), (6, 0x0203));
    let bytes: Vec<u8> = (0..40).collect();
    let connection: Connection = record::from_slice(&bytes).expect("the record is whole");
    assert_eq!((connection.peer, connection.number), (0x0001, 0x2726_2524));
}
