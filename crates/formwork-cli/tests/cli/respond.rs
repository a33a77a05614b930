//! `respond` compared with the library: the same verdicts, offsets and bytes.

use std::io::{Read, Write};
use std::time::Duration;

use formwork_variant::Variant;
use formwork_variant::codec::ObjectForm;
use formwork_variant::json::{Style, to_json};
use formwork_variant::text::to_text;
use formwork_variant::{Decoder, Encoder, Strictness};
use snapbox::str;

use crate::cases::ENGINES;
use crate::run::{command, run_with};

/// A parsed answer.
#[derive(Debug, PartialEq)]
struct Answer {
    status: u8,
    consumed: u32,
    bytes: Vec<u8>,
}

fn request(packet: &[u8]) -> Vec<u8> {
    let length = u32::try_from(packet.len()).expect("packets are short");
    [&length.to_le_bytes()[..], packet].concat()
}

fn answers(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<9>() {
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
        let (text, rest) = rest.split_at(word(5) as usize);
        answers.push(Answer { status: head[0], consumed: word(1), bytes: text.to_vec() });
        bytes = rest;
    }
    assert!(bytes.is_empty(), "the last answer is cut");
    answers
}

/// Returns the answer of the library.
fn expected(
    packet: &[u8],
    dialect: formwork_variant::Dialect,
    strictness: Strictness,
    objects: bool,
    answer: &str,
) -> Answer {
    let decoder = Decoder::new(dialect).strictness(strictness).allow_objects(objects);
    let decoded = match strictness {
        Strictness::Engine => decoder.decode_prefix(packet),
        Strictness::Canonical => decoder.decode(packet).map(|value| (value, packet.len())),
    };
    let form = if objects { ObjectForm::Full } else { ObjectForm::Id };
    let encoder = Encoder::new(dialect).objects(form);
    let (value, used): (Variant, usize) = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            let consumed = error.offset() as u32;
            return Answer { status: 1, consumed, bytes: error.to_string().into_bytes() };
        }
    };
    let bytes = match answer {
        "bytes" => encoder.encode(&value).unwrap_or_default(),
        "text" => to_text(&value, dialect).as_bytes().to_vec(),
        _ => to_json(&value, dialect, Style::Compact).into_bytes(),
    };
    Answer { status: 0, consumed: used as u32, bytes }
}

#[test]
fn every_golden_input_gets_the_librarys_answer() {
    for engine in &ENGINES {
        let cases = engine.lines("decode.jsonl");
        for (objects, strictness, answer) in [
            (false, "engine", "bytes"),
            (true, "engine", "bytes"),
            (false, "canonical", "bytes"),
            (true, "engine", "json"),
            (false, "engine", "text"),
        ] {
            let packets: Vec<_> = cases
                .iter()
                .filter(|case| answer != "bytes" || case.flag("allow_objects") == objects)
                .map(|case| case.bytes("hex").expect("inputs have bytes"))
                .collect();
            let input: Vec<u8> = packets.iter().flat_map(|packet| request(packet)).collect();
            let mut arguments = vec!["respond", "--format", engine.dialect];
            arguments.extend(["--strictness", strictness, "--answer", answer]);
            arguments.extend(objects.then_some("--allow-objects"));
            let ended = run_with(&arguments, &input).with_status(0);
            let answers = answers(&ended.stdout);
            assert_eq!(answers.len(), packets.len(), "{}", engine.name);
            let strictness = match strictness {
                "engine" => Strictness::Engine,
                _ => Strictness::Canonical,
            };
            for (packet, given) in packets.iter().zip(answers) {
                let wanted = expected(packet, engine.dialect(), strictness, objects, answer);
                assert_eq!(given, wanted, "{} {}", engine.name, packet.escape_ascii());
            }
        }
    }
}

#[test]
fn an_answer_comes_before_the_next_request() {
    let mut child = command(&["respond", "--format", "godot4"]).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut answer = [0; 17];
    for number in 0..100_u8 {
        let request = request(&[2, 0, 0, 0, number, 0, 0, 0]);
        // The request comes in pieces, as a pipe may deliver it.
        for piece in request.chunks(1 + usize::from(number) % 5) {
            stdin.write_all(piece).expect("it reads");
            stdin.flush().expect("it reads");
            if number < 3 {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        stdout.read_exact(&mut answer).expect("it answers");
        assert_eq!(answer[..9], [0, 8, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(answer[9..], [2, 0, 0, 0, number, 0, 0, 0]);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn trailing_bytes_are_the_attitudes_business() {
    let input = request(&[0, 0, 0, 0, 1, 2, 3]);
    let ended = run_with(&["respond", "--format", "godot3"], &input).with_status(0);
    let accepted = Answer { status: 0, consumed: 4, bytes: vec![0; 4] };
    assert_eq!(answers(&ended.stdout), [accepted]);
    let arguments = ["respond", "--format", "godot3", "--strictness", "canonical"];
    let ended = run_with(&arguments, &input).with_status(0);
    let answers = answers(&ended.stdout);
    assert_eq!((answers[0].status, answers[0].consumed), (1, 4));
}

#[test]
fn a_stream_that_lies_about_its_length_is_a_stream_fault() {
    let mut input = request(&[0, 0, 0, 0]);
    input.extend(u32::MAX.to_le_bytes());
    input.extend([0; 100]);
    let ended = run_with(&["respond", "--format", "godot3"], &input).with_status(3);
    assert_eq!(answers(&ended.stdout).len(), 1, "what was asked before is answered");
    ended.says(str!["error: standard input: request at offset 8 (0x8): ends within a request: 100 of 4294967295 bytes announced"]);
    run_with(&["respond", "--format", "godot3"], &[1, 0]).with_status(3).says(str![
        "error: standard input: request at offset 0 (0x0): ends within a length word: 2 of 4 bytes"
    ]);
    run_with(&["respond", "--format", "godot3"], &[]).with_status(0);
}

#[test]
fn large_requests_are_answered() {
    let mut packet = vec![20, 0, 0, 0];
    let length = 3_000_000_u32;
    packet.extend(length.to_le_bytes());
    packet.extend((0..length).map(|number| number as u8));
    let input = [request(&packet), request(&[0; 4]), request(&packet)].concat();
    let ended = run_with(&["respond", "--format", "godot3"], &input).with_status(0);
    let answers = answers(&ended.stdout);
    assert_eq!(answers.len(), 3);
    assert!(answers[0].bytes == packet && answers[2].bytes == packet);
}
