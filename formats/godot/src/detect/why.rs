//! Describes why a reading leads, and the evidence against another.

use super::Framing;
use super::attempt::Attempt;

/// Describes a reading that the verdict is about; `alone` means that no other was set aside. (The verdict and the
/// candidates name the others.)
pub(super) fn leading(reading: &Attempt, alone: bool) -> String {
    let mut why = fits(reading);
    if !alone {
        why.push_str("; what else fits is less likely");
    }
    why
}

/// Describes a reading that is set aside for having little structure.
pub(super) fn outweighed(reading: &Attempt) -> String {
    let fits = fits(reading);
    format!(
        "{fits}; but another framing accounts for more of the types, lengths and counts, or is the \
         one in which files are written"
    )
}

/// Describes a reading that is set aside for its implausible numbers and texts.
pub(super) fn strange(reading: &Attempt) -> String {
    let fits = fits(reading);
    format!("{fits}; but half of its numbers and texts or more are nothing that games store")
}

/// Describes a reading of a lower rank than the best.
pub(super) fn behind(reading: &Attempt, best: &Attempt) -> String {
    let mut why = fits(reading);
    let sequence = |reading: &Attempt| reading.framing == Framing::BareSequence;
    why.push_str(if sequence(reading) && !sequence(best) {
        "; but nothing writes values so, and something else fits"
    } else {
        "; another reading is as an engine writes it"
    });
    why
}

/// Describes how a reading fits, as a clause.
fn fits(reading: &Attempt) -> String {
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
