//! `decode --recover`: the readable values of a damaged file.

use formwork_godot::detect::Other;
use formwork_godot::file::{CHANCE, before_gaps, recover_content};
use formwork_variant::codec::Recovered;
use formwork_variant::{Real, Strictness};

use crate::container::Torn;
use crate::decoded;
use crate::failure::{Failure, Status};
use crate::file::Decoding;
use crate::layers::{named, within};
use crate::number::position;
use crate::packets::Input;
use crate::recover::say_some;
use crate::remark;
use crate::source::Source;

impl Input {
    /// Writes the values that can be read.
    pub(super) fn write_left<R: Real>(
        &self,
        decoding: &Decoding<'_>,
        torn: &Torn,
    ) -> Result<Status, Failure> {
        let Decoding { form, style, .. } = *decoding;
        let name = &self.source.name;
        let mut recovered = recover::<R>(self, torn);
        let read = (self.source.content().len() as u64).saturating_sub(recovered.bytes_lost());
        if torn.may_be_garbage() && read < CHANCE && read < recovered.bytes_lost() {
            return Err(garbage(name));
        }
        let said = torn.say(&self.source);
        summary(self, &recovered);
        let damaged = if recovered.is_whole() { said } else { Status::No };
        let count = recovered.values.len();
        let nothing = || Failure::no(format!("{name}: nothing in the file can be read"));
        // A frame that is lost as a whole was a value, too.
        let several = count + recovered.lost.iter().filter(|lost| lost.value.is_none()).count() > 1;
        let is_framed = self.framing.order().is_some();
        let several = several && is_framed || count > 1;
        let one = match decoding.index {
            _ if count == 0 => return Err(nothing()),
            Some(index) => match position(index, count) {
                Some(position) => Some(recovered.values.swap_remove(position)),
                None => {
                    let message = format!("there is no value number {index}; {count} are left");
                    return Err(Failure::no(format!("{name}: {message}")));
                }
            },
            None if decoding.all || several => None,
            None => recovered.values.pop(),
        };
        if decoding.names_format {
            recovered.values.extend(one);
            decoding
                .output
                .write(|out| decoded::write_recovered(recovered, torn, self, style, out))?;
            return Ok(damaged);
        }
        decoding.output.write(|out| match &one {
            Some(value) => form.write(value, self.dialect, style, name, out),
            None => form.write_all(recovered.values, self.dialect, style, name, out),
        })?;
        if damaged == Status::No && decoding.index.is_none() {
            remark(&self.way_back(form, one.is_none()));
        }
        Ok(damaged)
    }
}

/// Makes the failure for a damaged source that no values fit. Returns none where its first bytes may be damaged.
pub(crate) fn nothing_left(source: &Source, torn: &Torn, other: Option<Other>) -> Option<Failure> {
    let name = &source.name;
    if torn.may_be_garbage() {
        return Some(garbage(name));
    }
    if torn.has_lost_all_of(source.content().len() as u64) {
        let failure = Failure::no(format!(
            "{name}: nothing can be rescued: no part of the {} content can be unpacked",
            named(source.layers())
        ));
        let faults = torn.faults.iter();
        return Some(faults.fold(failure, |it, error| it.line(error.to_string())));
    }
    other.map(|other| match other {
        Other::Json => {
            let why = "this is JSON text, which is read whole or not at all";
            Failure::no(format!("{name}: {why}"))
        }
        other => Failure::no(format!("{name}: this is {other} and contains no values")),
    })
}

/// Makes the failure for a decrypted content without any readable part.
fn garbage(name: &str) -> Failure {
    Failure::no(format!("{name}: the password or key is wrong, or too much is damaged"))
}

/// Returns the source up to the first gap, if that is enough to detect its format.
pub(crate) fn readable(source: &Source, torn: &Torn) -> Source {
    Source { file: before_gaps(&source.file, &torn.gaps), ..source.clone() }
}

/// Recovers the readable values. Offsets are those in the file.
pub(crate) fn recover<R: Real>(input: &Input, torn: &Torn) -> Recovered<R> {
    let decoder = input.decoder(Strictness::Engine);
    let content = (input.source.content(), input.source.skipped() as u64);
    recover_content(content, &torn.gaps, &decoder, input.framing.framing())
}

/// Reports the losses.
fn summary<R: Real>(input: &Input, recovered: &Recovered<R>) {
    if recovered.is_whole() {
        return;
    }
    let (name, layers) = (&input.source.name, input.source.layers());
    remark(&format!(
        "{name} is damaged: {} of {} bytes{} could not be read as {}, {}",
        recovered.bytes_lost(),
        input.source.content().len(),
        within(layers),
        input.dialect,
        input.framing.name()
    ));
    let several = recovered.values.len() > 1;
    say_some(&recovered.lost, |lost| match lost.value {
        Some(value) if several => format!("lost: value {value}: {lost}"),
        _ => format!("lost: {lost}"),
    });
}
