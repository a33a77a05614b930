//! Saves of one engine as saves of another.

use formwork::document::Format;
use formwork::{Error, Result};
use formwork_edit::convert::Loss;
use formwork_godot::ValueFile;
use formwork_godot::document::SAVES;
use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;

use crate::{File, VALUES};

impl File {
    /// Returns a save as another engine would write it, and what its values lose: see [`ValueFile::convert`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file is no save, or the engine reads no file of this kind.
    pub fn convert(&self, to: Dialect) -> Result<(Self, Vec<Loss>)> {
        if self.format().name() != SAVES.name() {
            let found = self.format().description();
            return Err(Error::new(VALUES, 0, "a save of an engine", found).nowhere());
        }
        let bytes = self.to_bytes();
        // Values of 64 bits hold those of any build.
        let file = self.options().opener().double().open(&bytes)?;
        if [file.dialect(), to].iter().all(|it| it.precision() == Precision::Single) {
            let single = self.options().opener().open(&bytes)?.convert(to)?;
            return self.converted(&single.0, single.1);
        }
        let (file, losses) = file.convert(to)?;
        self.converted(&file, losses)
    }

    fn converted<R: formwork_variant::Real>(
        &self,
        file: &ValueFile<R>,
        losses: Vec<Loss>,
    ) -> Result<(Self, Vec<Loss>)> {
        let options = self.options().clone().engine(file.dialect());
        let options = options.framing(file.framing()).skip(file.header().len() as u64);
        let document = options.saves().open(&file.to_vec()?)?;
        Ok((Self::new(self.guess(), &options, document), losses))
    }
}
