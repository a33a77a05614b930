//! How the values of a file stand to what the engine would write.

use formwork::variant::Real;
use formwork::variant::codec::{Canonicality, Rewriting, RoundTrip, Warning};
use formwork::variant::frame;
use formwork::{Error, Strictness};

use super::packets::Input;

/// How the values of a file stand to what the engine would write.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// How many values were read.
    pub(crate) values: u64,
    /// Whether padding is as the engine leaves it.
    pub(crate) unset_padding: bool,
    /// What is not as the engine writes it, apart from that.
    pub(crate) deviations: Vec<Deviation>,
}

/// Something that the engine would write differently.
#[derive(Debug)]
pub(crate) struct Deviation {
    /// The rule's name, or what it is in words.
    pub(crate) rule: String,
    /// Where in the file.
    pub(crate) offset: u64,
    /// In which value and field.
    pub(crate) path: String,
}

impl Findings {
    /// Reads the values of the input one by one, until one is no value.
    pub(crate) fn check<R: Real>(&mut self, input: &Input) -> Result<(), Error> {
        let decoder = input.decoder::<R>(Strictness::Engine);
        let framed = input.framing.order().is_some();
        input.packets(|packet, base| {
            let check = decoder.check(packet).map_err(|error| error.shifted(base))?;
            let index = self.values;
            self.values += 1;
            self.add(&check, index, base);
            let more = packet.len() - check.length;
            if framed && more > 0 {
                let offset = base + check.length as u64;
                let path = format!("value {index}, {more} bytes behind it");
                self.deviations.push(Deviation {
                    rule: frame::rule::FILLED.name().into(),
                    offset,
                    path,
                });
            }
            Ok(check.length)
        })
    }

    fn add<R: Real>(&mut self, check: &RoundTrip<R>, index: u64, base: u64) {
        match check.form {
            Canonicality::Canonical => return,
            Canonicality::UnsetPadding => {
                self.unset_padding = true;
                return;
            }
            _ => {}
        }
        let first = self.deviations.len();
        self.deviations.extend(check.notes.iter().map(|Warning { rule, offset, path, .. }| {
            let path = format!("value {index}: {path}");
            Deviation { rule: rule.name().into(), offset: base + offset, path }
        }));
        // A difference that a note explains needs no words of its own.
        if self.deviations.len() > first && !matches!(check.rewritten, Rewriting::Not(_)) {
            return;
        }
        let (rule, offset) = match &check.rewritten {
            Rewriting::Different { offset, .. } => ("written differently".into(), *offset as u64),
            Rewriting::Not(error) => (format!("cannot be written again ({error})"), 0),
            _ => return,
        };
        self.deviations.push(Deviation {
            rule,
            offset: base + offset,
            path: format!("value {index}"),
        });
    }
}
