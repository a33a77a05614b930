//! The program `formwork-capture`.

use crate::run::{run, run_with};

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
    let names = ["time", "proto", "src", "dst", "offset", "framing", "format", "size", "value"];
    let places = names.map(|name| lines[0].find(&format!("\"{name}\":")).expect(name));
    assert!(places.is_sorted(), "{}", lines[0]);
    assert!(lines[0].starts_with("{\"time\":\"2026-11-21T"), "{}", lines[0]);
    assert!(lines[0].contains("\"proto\":\"tcp\""));
    assert!(lines[0].contains("\"framing\":\"frames\",\"format\":\"godot3.6\",\"size\":104,"));
    // Standard input and the other file format give the same output.
    let bytes = std::fs::read(path("stream.pcap")).expect("the capture is there");
    assert_eq!(run_with(&["packets", "-"], &bytes).with_status(0).text(), ended.text());
    let pcapng = run(&["packets", &path("stream.pcapng")]).with_status(0);
    assert_eq!(pcapng.text(), ended.text());
}

#[test]
fn calls_say_what_they_call_and_values_can_be_text() {
    let ended = run(&["packets", &path("rpc.pcap"), "--as", "text"]).with_status(0);
    let first = ended.text().lines().nth(1).expect("lines");
    let call =
        "\"framing\":\"enet\",\"where\":\"rpc\",\"method\":\"hit\",\"argument\":1,\"format\":";
    assert!(first.contains(call), "{first}");
    assert!(first.ends_with("\"value\":\"{\\n\\\"where\\\": Vector2( 0, 0.5 )\\n}\"}"), "{first}");
    assert!(ended.text().contains("\"where\":\"rset\",\"property\":\"mood\","));
    assert!(ended.text().contains("\"where\":\"bytes\",\"format\":"));
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
    let lines: Vec<&str> = ended.text().lines().collect();
    assert!(lines[0].starts_with("proto  from"), "{}", lines[0]);
    assert!(lines[1].ends_with("ENet, compressed; 30 compressed datagrams"), "{}", lines[1]);
    assert!(ended.stderr.contains("compressed in an unsupported way"), "{}", ended.stderr);
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
    assert!(cut.stderr.contains("ends in the middle of a packet"), "{}", cut.stderr);
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
    assert!(gap.stderr.contains("7 values; 104 bytes in 1 gap not recorded"), "{}", gap.stderr);
    let none = run_with(&["packets", "-"], b"this is no capture").with_status(1);
    assert!(none.stderr.contains("pcap"), "{}", none.stderr);
    run(&["packets", "no/such/file"]).with_status(3);
    // A folder can be opened, but not read.
    let folder = run(&["packets", env!("CARGO_MANIFEST_DIR")]).with_status(3);
    assert!(folder.stderr.contains("could not be read: "), "{}", folder.stderr);
}
