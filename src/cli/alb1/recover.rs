//! `decode --recover`: what is left of a damaged ALB1 file.

use formwork::alb1::recover::{Reason, Recovered, recover_within};
use formwork::json::alb1::DocumentJson;

use super::File;
use crate::cli::failure::{Failure, Status};
use crate::cli::form::Form;
use crate::cli::output::OutputOptions;
use crate::cli::remark;

impl File {
    /// Writes what is left of the document, and says what is not.
    pub(crate) fn recover(
        &self,
        form: Form,
        json: DocumentJson,
        output: &OutputOptions,
    ) -> Result<Status, Failure> {
        if form != Form::Json {
            return Err(Failure::usage("a damaged file is shown as JSON only"));
        }
        let recovered = recover_within(&self.bytes, self.limits.limits())
            .map_err(|error| self.failure(error))?;
        output.write(|out| {
            let written = json.write_recovered(&recovered, &mut *out);
            written.map_err(|error| Failure::in_value(&self.name, error))?;
            // Where writing fails the output itself remembers why.
            let _ = out.write_all(b"\n");
            Ok(())
        })?;
        if recovered.is_whole() {
            return Ok(Status::Done);
        }
        self.summary(&recovered);
        Ok(Status::No)
    }

    fn summary(&self, recovered: &Recovered) {
        /// Losses that are told; the JSON has all of them.
        const SHOWN: usize = 10;
        let Recovered { orphans, lost, error, .. } = recovered;
        let name = &self.name;
        if let Some(error) = error {
            remark(&format!("{name} is damaged: {error}"));
        }
        let unreadable = lost.iter().filter(|lost| lost.reason == Reason::Unreadable);
        let bytes: u64 = unreadable.map(|lost| lost.range.end - lost.range.start).sum();
        remark(&format!(
            "{bytes} of {} bytes could not be read; {} objects were found without the place they had; \
             {} entries under \"$lost\"",
            self.bytes.len(),
            orphans.len(),
            lost.len()
        ));
        for lost in lost.iter().take(SHOWN) {
            remark(&lost.to_string());
        }
        if lost.len() > SHOWN {
            remark(&format!("and {} more", lost.len() - SHOWN));
        }
    }
}
