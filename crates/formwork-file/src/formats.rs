//! The formats of files, and which of them a file has.

use std::fmt;

use formwork::document::{Confidence, Document, Format, Json, JsonText, Lost};
use formwork::{Error, Result};
pub use formwork_alb1::ALB1;
pub use formwork_godot::document::{
    CONFIG_FILES, PACKS, RESOURCES, SAVES, SCRIPTS, TEXT_RESOURCES, VALUE_TEXTS,
};

use formwork_godot::wrapper::Unwrapped;

use crate::guess::{Configured, Guess};
use crate::{File, KNOWN, Options};

/// A list of formats.
#[derive(Clone, Copy)]
pub struct Formats<'f>(&'f [&'static dyn Format]);

impl fmt::Debug for Formats<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|format| format.name())).finish()
    }
}

/// The formats that a file fits best.
#[derive(Clone, Debug)]
pub enum Fit {
    /// No format.
    Nothing,
    /// One format.
    One(Guess),
    /// Several formats, all equally well.
    Several(Vec<Guess>),
}

impl Formats<'static> {
    /// Our formats: saves, settings, resources, packs, scripts and texts of values of the engines, ALB1, and JSON text. A
    /// save has no magic, so that the others come first.
    pub const OURS: Self = Self(&[
        &ALB1,
        &PACKS,
        &RESOURCES,
        &SCRIPTS,
        &TEXT_RESOURCES,
        &CONFIG_FILES,
        &JsonText,
        &VALUE_TEXTS,
        &SAVES,
    ]);
}

impl<'f> Formats<'f> {
    /// Makes a list of formats, which may begin with those of your own, and end with [`SAVES`], which reads many bytes.
    #[must_use]
    pub const fn new(formats: &'f [&'static dyn Format]) -> Self {
        Self(formats)
    }

    /// Returns the formats in their order.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Format> + use<'f> {
        self.0.iter().copied()
    }

    /// Returns the format with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&'static dyn Format> {
        self.iter().find(|format| format.name() == name)
    }

    /// Returns the formats that a file fits best, among those that have bytes in common with it.
    #[must_use]
    pub fn fitting(&self, bytes: &[u8]) -> Fit {
        let guess = |format: &'static dyn Format| Guess {
            format,
            confidence: format.sniff(bytes),
            is_wrapped: false,
        };
        let mut fitting: Vec<_> = self.iter().map(guess).collect();
        let best = fitting.iter().map(|it| it.confidence).max().unwrap_or(Confidence::None);
        fitting.retain(|it| it.confidence == best);
        match &fitting[..] {
            _ if best == Confidence::None => Fit::Nothing,
            [only] => Fit::One(*only),
            _ => Fit::Several(fitting),
        }
    }

    /// Returns the format of a file: the one that the options name, or the first that reads the whole file, or the first
    /// that it begins like.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no format of that name, or none that the file begins like.
    pub fn guess(&self, bytes: &[u8], options: &Options) -> Result<Guess> {
        self.detected(bytes, options).map(|found| found.0)
    }

    /// Returns the format of a file, and the document if the file had to be opened to know that.
    fn detected(
        &self,
        bytes: &[u8],
        options: &Options,
    ) -> Result<(Guess, Option<Box<dyn Document>>)> {
        let named = match &options.format {
            Some(name) => Some(self.named(name).ok_or_else(|| {
                let names: Vec<_> = self.iter().map(Format::name).collect();
                Error::new(KNOWN, 0, names.join(", "), name.clone()).nowhere()
            })?),
            None => self.named(SAVES.name()).filter(|_| options.are_of_save()),
        };
        // A file of a named engine is one of its values.
        let beside = |it: &&'static dyn Format| {
            Configured::is_beside_saves(*it) && it.sniff(bytes) == Confidence::Whole
        };
        let named = match (named, options.engine) {
            (None, Some(_)) => self.iter().find(beside).or_else(|| self.named(SAVES.name())),
            (named, _) => named,
        };
        if let Some(format) = named {
            // A container begins with its mark.
            let mut start = Unwrapped::new(&bytes[..bytes.len().min(64)]);
            let is_wrapped = format.name() != SAVES.name() && start.is_wrapped();
            return Ok((Guess { format, confidence: Confidence::None, is_wrapped }, None));
        }
        let mut begun = None;
        for format in self.iter() {
            let saves = (format.name() == SAVES.name()).then(|| options.saves());
            let confidence = match &saves {
                Some(saves) => match saves.open(bytes) {
                    Ok(document) => {
                        let confidence = Confidence::Whole;
                        return Ok((
                            Guess { format, confidence, is_wrapped: false },
                            Some(document),
                        ));
                    }
                    Err(_) => match self.inside(bytes, options) {
                        Some(guess) => return Ok((guess, None)),
                        None => saves.sniff(bytes),
                    },
                },
                None => format.sniff(bytes),
            };
            match confidence {
                Confidence::Whole => {
                    return Ok((Guess { format, confidence, is_wrapped: false }, None));
                }
                Confidence::Start => {
                    begun = begun.or(Some(Guess { format, confidence, is_wrapped: false }));
                }
                Confidence::None => {}
            }
        }
        begun.map(|guess| (guess, None)).ok_or_else(|| {
            let expected = "a file of a known format";
            Error::new(KNOWN, 0, expected, format!("{} other bytes", bytes.len())).nowhere()
        })
    }

    /// Returns the format of the content of a compressed or encrypted file that is no save.
    fn inside(&self, bytes: &[u8], options: &Options) -> Option<Guess> {
        let file = options.unwrapped(bytes)?;
        let is_whole = |format: &&'static dyn Format| {
            format.name() != SAVES.name() && format.sniff(file.content()) == Confidence::Whole
        };
        let format = self.iter().find(is_whole)?;
        Some(Guess { format, confidence: Confidence::Whole, is_wrapped: true })
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`guess`](Self::guess); or if the file is damaged, encrypted, or means different things to several engines.
    pub fn open(&self, bytes: &[u8], options: &Options) -> Result<File> {
        let (guess, document) = self.detected(bytes, options)?;
        let document = match document {
            Some(document) => document,
            None => Configured::new(guess, options).open(bytes)?,
        };
        Ok(File::new(guess, options, document))
    }

    /// Reads what is left of a damaged file, and lists what is lost. Of a save, the rest is a file without the layers that
    /// were around it.
    ///
    /// ```
    /// use formwork_file::{Dialect, Formats, Options, to_vec, variant};
    ///
    /// let save = variant!({ "gold": 5, "bag": ["lamp", "rope"], "name": "Kim" });
    /// let mut bytes = to_vec(&save, Dialect::GODOT4)?;
    /// bytes.truncate(bytes.len() - 4);
    /// let options = Options::new().engine(Dialect::GODOT4);
    /// assert!(options.open(&bytes).is_err());
    ///
    /// let (file, lost) = Formats::OURS.recover(&bytes, &options)?;
    /// assert_eq!(file.get("bag")?.to_string(), r#"["lamp","rope"]"#);
    /// assert!(!lost.is_empty());
    /// # Ok::<(), formwork_file::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`guess`](Self::guess); or if nothing can be read.
    pub fn recover(&self, bytes: &[u8], options: &Options) -> Result<(File, Vec<Lost>)> {
        let guess = self.guess(bytes, options)?;
        let recovered = Configured::new(guess, options).recover(bytes)?;
        let guess = Guess { is_wrapped: false, ..guess };
        Ok((File::new(guess, options, recovered.document), recovered.lost))
    }

    /// Makes a file of its JSON: of the format that the options name, or else a save.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON does not fit the format.
    pub fn make(&self, json: &Json, options: &Options) -> Result<File> {
        let format = self.named(options.format.as_deref().unwrap_or(SAVES.name()));
        let format = format.ok_or_else(|| Error::new(KNOWN, 0, "a known format", "another"))?;
        let guess = Guess { format, confidence: Confidence::Whole, is_wrapped: false };
        let document = Configured::new(guess, options).make(json)?;
        Ok(File::new(guess, options, document))
    }
}

impl Options {
    /// Opens a file of any of [our formats](Formats::OURS).
    ///
    /// # Errors
    ///
    /// As [`crate::open`].
    pub fn open(&self, bytes: &[u8]) -> Result<File> {
        Formats::OURS.open(bytes, self)
    }
}
