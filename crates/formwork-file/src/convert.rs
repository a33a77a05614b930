//! Files of one engine as files of another.

use std::borrow::Cow;

use formwork::document::Format;
use formwork::{Error, Result};
use formwork_edit::convert::Loss;
use formwork_godot::ValueFile;
use formwork_godot::config_file::ConfigFile;
use formwork_godot::document::{CONFIG_FILES, SAVES, VALUE_TEXTS};
use formwork_godot::value_text::ValueText;
use formwork_godot::wrapper::Unwrapped;
use formwork_variant::Dialect;
use formwork_variant::dialect::Precision;

use crate::guess::Configured;
use crate::{File, Options, VALUES};

impl File {
    /// Returns a save, settings as text or the text of a value as another engine would write it, and what its values lose:
    /// see [`ValueFile::convert`], [`ConfigFile::converted`].
    ///
    /// ```
    /// use formwork_file::Dialect;
    ///
    /// let settings = formwork_file::open(b"[map]\nat=Vector2i(1, 2)\n")?;
    /// let (older, losses) = settings.convert(Dialect::GODOT3)?;
    /// assert_eq!(older.to_bytes(), b"[map]\nat=Vector2( 1, 2 )\n");
    /// assert_eq!(losses[0].place, "map/at");
    /// # Ok::<(), formwork_file::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the file is of another kind, or the engine reads no file of this kind.
    pub fn convert(&self, to: Dialect) -> Result<(Self, Vec<Loss>)> {
        let name = self.format().name();
        let bytes =
            if name == SAVES.name() { self.to_bytes() } else { self.document().content()? };
        if name == CONFIG_FILES.name() {
            return self.converted_config(&bytes, to);
        }
        if name == VALUE_TEXTS.name() {
            let text = ValueText::new(&bytes).ok_or_else(|| self.unconverted())?;
            let text = self.options().engine.map_or(text, |engine| text.of(engine));
            let mut losses = Vec::new();
            let converted = text.converted(to, &mut |loss| losses.push(loss))?;
            return self.reopened(converted.as_bytes(), &self.options().clone().engine(to), losses);
        }
        if name != SAVES.name() {
            return Err(self.unconverted());
        }
        // Values of 64 bits hold those of any build.
        let file = self.options().opener().double().open(&bytes)?;
        if [file.dialect(), to].iter().all(|it| it.precision() == Precision::Single) {
            let single = self.options().opener().open(&bytes)?.convert(to)?;
            return self.converted(&single.0, single.1);
        }
        let (file, losses) = file.convert(to)?;
        self.converted(&file, losses)
    }

    fn unconverted(&self) -> Error {
        let found = self.format().description();
        Error::new(VALUES, 0, "a save of an engine, settings or a value as text", found).nowhere()
    }

    fn converted_config(&self, bytes: &[u8], to: Dialect) -> Result<(Self, Vec<Loss>)> {
        let text = std::str::from_utf8(bytes).map_err(|_| self.unconverted())?;
        let file = ConfigFile::parse(text)?;
        let from = self.options().engine.or_else(|| file.dialect()).unwrap_or(Dialect::GODOT4);
        let mut losses = Vec::new();
        let converted = file.converted(from, to, &mut |place, mut loss| {
            let inner = std::mem::take(&mut loss.place);
            loss.place = [place, &inner].join(if inner.is_empty() { "" } else { "/" });
            losses.push(loss);
        });
        let options = self.options().clone().engine(to);
        self.reopened(converted.text.as_bytes(), &options, losses)
    }

    fn converted<R: formwork_variant::Real>(
        &self,
        file: &ValueFile<R>,
        losses: Vec<Loss>,
    ) -> Result<(Self, Vec<Loss>)> {
        let options = self.options().clone().engine(file.dialect());
        let options = options.framing(file.framing()).skip(file.header().len() as u64);
        self.reopened(&file.to_vec()?, &options, losses)
    }

    fn reopened(
        &self,
        bytes: &[u8],
        options: &Options,
        losses: Vec<Loss>,
    ) -> Result<(Self, Vec<Loss>)> {
        let guess = self.guess();
        // The container stays.
        let closed = match guess.is_wrapped {
            true => {
                let file =
                    options.unwrapped(&self.to_bytes()).unwrap_or_else(|| Unwrapped::new([]));
                Cow::Owned(file.wrapping().close(bytes, options.key.as_ref())?)
            }
            false => Cow::Borrowed(bytes),
        };
        let document = Configured::new(guess, options).open(&closed)?;
        Ok((Self::new(guess, options, document), losses))
    }
}
