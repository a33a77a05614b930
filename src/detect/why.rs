//! The ranking in words.

use std::fmt::Write;

use super::Framing;
use super::reading::Reading;

/// Of a reading that the verdict is about; `readings` are all of them, and `alone` says that no other was set aside.
pub(super) fn leading(reading: &Reading, readings: &[Reading], same: bool, alone: bool) -> String {
    let mut why = fits(reading);
    let others: Vec<String> = readings
        .iter()
        .filter(|other| (other.dialect, other.framing) != (reading.dialect, reading.framing))
        .map(|other| named(other, reading.framing))
        .collect();
    let others = others.join(", ");
    let said = match (others.is_empty(), same) {
        (true, _) if alone => write!(why, "; nothing else fits as well"),
        (true, _) => write!(why, "; what else fits is set aside"),
        (false, true) => write!(why, "; it means the same in {others}"),
        (false, false) => write!(why, "; it reads as something else in {others}"),
    };
    said.expect("a string takes what is written to it");
    why
}

/// Of a reading that is set aside for having little structure.
pub(super) fn outweighed(reading: &Reading) -> String {
    let fits = fits(reading);
    format!(
        "{fits}; but another framing accounts for at least twice as many types, lengths and counts"
    )
}

/// Of a reading that is set aside for what its numbers and texts look like.
pub(super) fn strange(reading: &Reading) -> String {
    let fits = fits(reading);
    format!("{fits}; but half of its numbers and texts or more are nothing that games store")
}

/// Of a reading of a lower rank than the best.
pub(super) fn behind(reading: &Reading, best: &Reading) -> String {
    let mut why = fits(reading);
    let sequence = |reading: &Reading| reading.framing == Framing::BareSequence;
    why.push_str(if sequence(reading) && !sequence(best) {
        "; but nothing writes values so, and something else fits"
    } else {
        "; another reading is as an engine writes it"
    });
    why
}

/// How it fits, as a clause.
fn fits(reading: &Reading) -> String {
    let bent: Vec<&str> = reading.deviations.iter().map(|(note, _)| note.rule.name()).collect();
    let mut why = match (reading.is_clean(), bent.is_empty()) {
        (true, true) => "every byte is as this engine writes it".to_owned(),
        (true, false) => "every byte but padding is as this engine writes it".to_owned(),
        (false, _) => {
            format!("this engine reads every byte, but does not write so ({})", bent.join(", "))
        }
    };
    if let Some(newest) = &reading.newest {
        why.push_str(", unlike ");
        why.push_str(newest);
    }
    why
}

fn named(reading: &Reading, framing: Framing) -> String {
    if reading.framing == framing {
        reading.dialect.name()
    } else {
        format!("{} as {}", reading.dialect, reading.framing)
    }
}
