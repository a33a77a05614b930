//! The program `formwork-capture`.

use snapbox::str;

use crate::run::{compare, run, run_with};

fn path(name: &str) -> String {
    format!("{}/../../formats/captures/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn values_are_printed_a_line_each_with_where_they_come_from() {
    let ended = run(&["packets", &path("stream.pcap")]).with_status(0);
    assert_eq!(ended.stderr, "");
    let lines: Vec<&str> = ended.text().lines().collect();
    assert_eq!(lines.len(), 8);
    let first: serde_json::Value = serde_json::from_str(lines[0]).expect("JSON");
    assert_eq!(first["value"]["hp"], 100);
    assert_eq!(first["dst"], "127.0.0.1:47100");
    assert_eq!((&first["offset"], &first["size"]), (&4.into(), &104.into()));
    // The order of the members is a part of the output format.
    compare(
        lines[0],
        str![[
            r#"{"time":"2026-11-21T15:57:48.364442000Z","proto":"tcp","src":"127.0.0.1:35738","dst":"127.0.0.1:47100","offset":4,"framing":"frames","format":"godot3.6","size":104,"value":{"hp":100,"position":{"$Vector2":[1.5,-2.25]},"name":"lamp","alive":true}}"#
        ]],
    );
    // Standard input and the other file format give the same output.
    let bytes = std::fs::read(path("stream.pcap")).expect("the capture is there");
    assert_eq!(run_with(&["packets", "-"], &bytes).with_status(0).text(), ended.text());
    let pcapng = run(&["packets", &path("stream.pcapng")]).with_status(0);
    assert_eq!(pcapng.text(), ended.text());
}

#[test]
fn options_choose_what_is_looked_at() {
    let file = path("datagrams.pcap");
    let count = |options: &[&str]| {
        let arguments = [&["packets", file.as_str()], options].concat();
        run(&arguments).with_status(0).text().lines().count()
    };
    assert_eq!(count(&[]), 10);
    assert_eq!(count(&["--port", "47101"]), 10);
    assert_eq!(count(&["--port", "1", "--port", "47100"]), 10);
    assert_eq!(count(&["-p", "1"]), 0);
    assert_eq!(count(&["--framing", "bare"]), 10);
    assert_eq!(count(&["--framing", "enet"]), 0);
    assert_eq!(count(&["--format", "godot3.2"]), 10);
    assert_eq!(count(&["--format", "godot4"]), 0);
    run(&["packets", &file, "--framing", "nothing"]).with_status(2);
    run(&["packets", &file, "--format", "alb1"]).with_status(2);
}

#[test]
fn the_summary_says_what_each_conversation_is() {
    let ended = run(&["packets", &path("enet_range_coder.pcap"), "--summary"]).with_status(0);
    ended.prints(str![[r#"
proto  from             to               packets  bytes      framing  format  values  broken  other  lost  remarks
udp    127.0.0.1:46207  127.0.0.1:47100  23+20    3305+3198  -        -       0       0       0      0     ENet, compressed; 30 compressed datagrams
"#]]).says(str![[r#"
note: [..]captures/enet_range_coder.pcap: udp 127.0.0.1:46207 - 127.0.0.1:47100: 30 datagrams of ENet compressed in an unsupported way
note: [..]captures/enet_range_coder.pcap: 1 conversation with 43 packets contain no values (--summary shows what they contain)
"#]]);
    let ended = run(&["packets", &path("datagrams.pcap"), "--summary"]).with_status(0);
    let words: Vec<&str> =
        ended.text().lines().nth(1).expect("a line").split_whitespace().collect();
    let expected = ["9+1", "6904+32", "bare", "godot3.6", "10", "0", "1", "0"];
    assert_eq!(words[3..], expected);
}

#[test]
fn what_is_missing_or_broken_is_said_and_told_by_the_status() {
    let bytes = std::fs::read(path("stream.pcap")).expect("the capture is there");
    let cut = run_with(&["packets", "-"], &bytes[..5000]).with_status(1);
    assert!(cut.text().lines().count() > 3);
    cut.says(str![[r#"
note: standard input: tcp 127.0.0.1:35738 - 127.0.0.1:47100: 5 values; 1 broken (the first: offset 248 (0xf8): expected the rest of a frame, found 4 left; at least 1 more byte needed)
note: standard input: the capture ends in the middle of a packet: offset 2342 (0x926): expected the rest of a block, found 2658 left; at least 1 more byte needed
"#]]);
    // The sixth packet, with the first dictionary, is left out.
    let mut at = 24;
    for _ in 0..5 {
        let length = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().expect("four bytes"));
        at += 16 + length as usize;
    }
    let length = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().expect("four bytes"));
    let gap = [&bytes[..at], &bytes[at + 16 + length as usize..]].concat();
    let gap = run_with(&["packets", "-"], &gap).with_status(1);
    assert_eq!(gap.text().lines().count(), 7);
    gap.says(str!["note: standard input: tcp 127.0.0.1:35738 - 127.0.0.1:47100: 7 values; 104 bytes in 1 gap not recorded; 4 bytes passed over in search of a frame"]);
    // A folder can be opened, but not read.
    run(&["packets", env!("CARGO_MANIFEST_DIR")])
        .with_status(3)
        .says(str!["error: [..]formwork-cli: could not be read: [..]"]);
}
