//! `decode --recover`: the readable parts of a damaged ALB1 file.

use formwork_alb1::Header;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::recover::{PlacedCount, Reason, Recovered, recover_within};
use formwork_godot::detect::{Other, detect};

use super::File;
use crate::failure::{Failure, Status};
use crate::file::Decoding;
use crate::form::Form;
use crate::quantity::counted;
use crate::remark;

impl File {
    /// Writes the readable parts of the document, and reports the lost ones.
    pub(super) fn write_left(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        let Decoding { form, style, trees, .. } = *decoding;
        let json = DocumentJson::new().style(style).trees(trees);
        if form != Form::Json {
            return Err(Failure::usage("a damaged file is shown as JSON only"));
        }
        if let Some(other) = self.other() {
            return Err(self.is_other(&other.to_string()));
        }
        let recovered = recover_within(self.source.bytes(), self.limits.limits())
            .map_err(|error| self.failure(error))?;
        if recovered.fields == 0 {
            return Err(self.nothing());
        }
        decoding.write_one(Other::Alb1.name(), |out| {
            let written = json.write_recovered(&recovered, &mut *out);
            written.map_err(|error| Failure::in_value(&self.source.name, error))?;
            // The output records a write error itself.
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        if recovered.is_whole() {
            return Ok(Status::Done);
        }
        self.summary(&recovered);
        Ok(Status::No)
    }

    fn is_other(&self, what: &str) -> Failure {
        Failure::no(format!(
            "{}: this is {what}, no ALB1 file: nothing to recover",
            self.source.name
        ))
    }

    /// Makes the failure for bytes without any part of an ALB1 file.
    fn nothing(&self) -> Failure {
        let (name, bytes) = (&self.source.name, self.source.bytes());
        if bytes.starts_with(&Header::default().magic.to_le_bytes()) {
            let message = format!("{name}: no field is left of this ALB1 file: nothing to recover");
            return Failure::no(message);
        }
        let detection = detect(bytes);
        if let Some(other) = detection.other {
            return self.is_other(&other.to_string());
        }
        if let Some(reading) = detection.candidates.first() {
            return self.is_other(&format!("a file of {}", reading.dialect.description()));
        }
        let message = format!("{name}: no known format fits this file: nothing to recover");
        Failure::no(message).hint("use --format and --framing to recover it as a save")
    }

    fn summary(&self, recovered: &Recovered) {
        /// Number of losses that are shown; the JSON has all of them. Inserted defaults are listed
        /// apart.
        const SHOWN: usize = 10;
        let Recovered { document, orphans, lost, error, placed, .. } = recovered;
        let name = &self.source.name;
        if let Some(error) = error {
            remark(&format!("{name} is damaged: {error}"));
        }
        let kept = match placed {
            Some(PlacedCount { kept, said: Some(said) }) => {
                format!("{kept} of {said} placed objects kept")
            }
            Some(PlacedCount { kept, said: None }) => {
                format!("{} kept", counted(*kept, "placed object"))
            }
            None => {
                let objects = document.walk().filter(|item| item.object().is_some()).count();
                format!("{} kept", counted(objects as u64, "object"))
            }
        };
        let homeless = match orphans.len() {
            0 => String::new(),
            1 => "1 object was found without the place it had; ".to_owned(),
            count => format!("{count} objects were found without the place they had; "),
        };
        let unreadable = lost.iter().filter(|lost| lost.reason == Reason::Unreadable);
        let bytes: u64 = unreadable.map(|lost| lost.range.end - lost.range.start).sum();
        remark(&format!(
            "{kept}; {bytes} of {} bytes could not be read; {homeless}{} under \"$lost\"",
            self.source.bytes().len(),
            match lost.len() {
                1 => "1 entry".to_owned(),
                count => format!("{count} entries"),
            }
        ));
        let (put, lost): (Vec<_>, Vec<_>) =
            lost.iter().partition(|lost| lost.reason == Reason::Default);
        for put in put.iter().take(SHOWN) {
            remark(&put.to_string());
        }
        if put.len() > SHOWN {
            let more = counted((put.len() - SHOWN) as u64, "more object");
            remark(&format!("and {more} that lacked fields"));
        }
        for lost in lost.iter().take(SHOWN) {
            remark(&lost.to_string());
        }
        if lost.len() > SHOWN {
            remark(&format!("and {} more", lost.len() - SHOWN));
        }
    }
}
