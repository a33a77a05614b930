//! Values of an engine that become those of another one.

use formwork_edit::convert::Converter;
use formwork_variant::{Real, Strictness, Variant};

use super::encode::{unwritten, written};
use crate::converting::{Converted, Converting};
use crate::failure::{Failure, Status};
use crate::guess::{engine_name, other_than};
use crate::packets::Input;
use crate::remark;

impl Input {
    /// Returns the packets of the values, converted to another dialect.
    pub(super) fn converted_to<R: Real, S: Real>(
        &self,
        how: &Converting<'_>,
    ) -> Result<Converted, Failure> {
        let (name, to) = (&self.source.name, how.to);
        let what = format!("{to} (from {})", engine_name(self.dialect));
        let limits = self.limits.limits();
        let converter = Converter::new(self.dialect, to).in_precision().limits(limits);
        let read = self.values::<R>(Strictness::Engine)?;
        let unread = read.unread(name);
        if let Some(unread) = &unread {
            if !how.is_lossy {
                let failure = Failure::no(unread);
                let other = other_than(&self.source, self.dialect).filter(|_| how.is_named);
                return Err(match other {
                    Some(other) => failure.hint(format!("the file is {other}: leave out --from")),
                    None => failure.hint("use --lossy to leave them out"),
                });
            }
            remark(unread);
        }
        let several = read.values.len() > 1;
        let values = read.values.into_iter().enumerate().map(|(index, value)| {
            let place = if several { format!("value {index}: ") } else { String::new() };
            let note = |loss| how.losses.lose(name, index, &place, &loss);
            converter.convert_noting(value, note)
        });
        let values: Vec<Variant<S>> = values.collect();
        how.refuse_losses(name)?;
        let content = written(&values, &self.limits.encoder(to), self.framing);
        let content = content.map_err(|it| unwritten(name, several, &values, it))?;
        let status = if unread.is_some() { Status::No } else { Status::Done };
        Ok(Converted { content, what, remarks: Vec::new(), status })
    }
}
