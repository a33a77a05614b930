//! What a judge says of an answer, row by row, where another target is the reference.

use std::time::Duration;

use formwork_kit::Format;
use formwork_kit::case::Reading;
use formwork_kit::oracle::Outcome;
use formwork_kit::oracle::protocol::Answer;
use formwork_kit::oracle::{AnswerForm, Judge, Kind};
use formwork_variant::Dialect;

fn accepted(consumed: Option<u32>, bytes: &[u8]) -> Outcome {
    Outcome::Answered(Answer::Accepted { consumed, bytes: bytes.to_vec() })
}

fn rejected(message: &str) -> Outcome {
    Outcome::Answered(Answer::Rejected { offset: None, message: message.to_owned() })
}

fn skipped() -> Outcome {
    Outcome::Answered(Answer::Skipped { what: "floats".to_owned() })
}

fn hung() -> Outcome {
    Outcome::Hung { limit: Duration::from_millis(7) }
}

const SEVEN: &[u8] = &[2, 0, 0, 0, 7, 0, 0, 0];
const WIDE_SEVEN: &[u8] = &[2, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const EIGHT: &[u8] = &[2, 0, 0, 0, 8, 0, 0, 0];
/// A type that does not exist.
const BROKEN: &[u8] = &[0x63, 0, 0, 0];

#[test]
fn an_answer_is_held_to_that_of_the_reference_and_not_to_ours() {
    use Kind::{AcceptsInvalid, DifferentValue, Hang, RejectsValid, WrongConsumed};

    type Row<'r> = (&'r str, &'r [u8], Outcome, Outcome, Option<(Kind, &'r str)>);
    let rows: Vec<Row<'_>> = vec![
        ("the same", SEVEN, accepted(Some(8), SEVEN), accepted(Some(8), SEVEN), None),
        (
            "the same in another width",
            SEVEN,
            accepted(None, WIDE_SEVEN),
            accepted(None, SEVEN),
            None,
        ),
        (
            "another value",
            SEVEN,
            accepted(Some(8), EIGHT),
            accepted(Some(8), SEVEN),
            Some((DifferentValue, "int: another number")),
        ),
        (
            "that of a reference that is wrong",
            SEVEN,
            accepted(None, EIGHT),
            accepted(None, EIGHT),
            None,
        ),
        (
            "ours, and another than the reference's",
            SEVEN,
            accepted(None, SEVEN),
            accepted(None, EIGHT),
            Some((DifferentValue, "int: another number")),
        ),
        ("no value", SEVEN, accepted(None, b""), accepted(None, SEVEN), None),
        ("a reference without a value", SEVEN, accepted(None, EIGHT), accepted(None, b""), None),
        (
            "another number of bytes",
            SEVEN,
            accepted(Some(4), SEVEN),
            accepted(Some(8), SEVEN),
            Some((WrongConsumed, "too few")),
        ),
        ("no number of bytes", SEVEN, accepted(None, SEVEN), accepted(Some(8), SEVEN), None),
        ("a reference without one", SEVEN, accepted(Some(4), SEVEN), accepted(None, SEVEN), None),
        (
            "another value before another number of bytes",
            SEVEN,
            accepted(Some(4), EIGHT),
            accepted(Some(8), SEVEN),
            Some((DifferentValue, "int: another number")),
        ),
        (
            "accepted, and rejected by the reference, as by us",
            BROKEN,
            accepted(None, SEVEN),
            rejected("no"),
            Some((AcceptsInvalid, "header.type_id")),
        ),
        (
            "accepted, and rejected by the reference alone",
            SEVEN,
            accepted(None, SEVEN),
            rejected("no"),
            Some((AcceptsInvalid, "rejected by the reference, on a valid packet")),
        ),
        (
            "rejected, and accepted by the reference",
            SEVEN,
            rejected("no"),
            accepted(None, SEVEN),
            Some((RejectsValid, "a valid packet")),
        ),
        ("rejected by both", SEVEN, rejected("no"), rejected("never"), None),
        ("skipped", SEVEN, skipped(), accepted(None, SEVEN), None),
        ("skipped by the reference", SEVEN, accepted(None, EIGHT), skipped(), None),
        ("rejected, and skipped by the reference", SEVEN, rejected("no"), skipped(), None),
        ("no answer of the reference", SEVEN, accepted(None, EIGHT), hung(), None),
        (
            "no answer",
            SEVEN,
            hung(),
            accepted(None, SEVEN),
            Some((Hang, "no answer, on a valid packet")),
        ),
        ("no answer of both", SEVEN, hung(), hung(), Some((Hang, "no answer, on a valid packet"))),
    ];
    let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
    for (name, packet, outcome, reference, expected) in rows {
        let judge = Judge::new(reading);
        let found = judge.judge_against(packet, &outcome, &reference);
        let found = found.as_ref().map(|it| (it.kind, it.about.as_str()));
        assert_eq!(found, expected, "{name}");
        // Where only verdicts are asked for, values do not count.
        let verdict = judge.form(AnswerForm::Verdict).judge_against(packet, &outcome, &reference);
        let is_value = expected.is_some_and(|it| it.0 == DifferentValue);
        if !is_value {
            assert_eq!(verdict.map(|it| it.kind), expected.map(|it| it.0), "{name}");
        } else {
            assert!(verdict.is_none_or(|it| it.kind == WrongConsumed), "{name}");
        }
    }
}
