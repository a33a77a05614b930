//! A format that a file may have.

use std::fmt;
use std::ops::Deref;

use formwork::document::{Confidence, Format};
use formwork_alb1::ALB1;
use formwork_godot::document::{
    CONFIG_FILES, ConfigFormat, RESOURCES, SAVES, SCRIPTS, TEXT_RESOURCES, VALUE_TEXTS,
    ValueTextFormat,
};

use crate::Options;
use crate::wrapped::Wrapped;

/// A format that a file may have.
#[derive(Clone, Copy)]
pub struct Guess {
    /// The format.
    pub format: &'static dyn Format,
    /// How well the file fits.
    pub confidence: Confidence,
    /// Whether it is the content of a compressed or encrypted file, and no save, which knows its containers itself.
    pub is_wrapped: bool,
}

impl Guess {
    /// Returns in a few words why the format is thought to be that of the file.
    #[must_use]
    pub const fn why(&self) -> &'static str {
        match self.confidence {
            Confidence::Whole => "all of it can be read",
            Confidence::Start => "it begins like one, and is damaged",
            Confidence::None => "it was named",
        }
    }
}

impl fmt::Debug for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.format.name(), self.confidence)
    }
}

/// A format with the engine, the key and the limits that options name.
pub(crate) enum Configured {
    /// A format that takes options.
    Own(Box<dyn Format>),
    /// A format that takes none.
    Plain(&'static dyn Format),
}

impl Configured {
    pub(crate) fn new(guess: Guess, options: &Options) -> Self {
        let format = Self::of(guess.format, options);
        match guess.is_wrapped {
            false => format,
            true => {
                let (key, limits) = (options.key.clone(), options.limits);
                Self::Own(Box::new(Wrapped { format, key, limits }))
            }
        }
    }

    fn of(format: &'static dyn Format, options: &Options) -> Self {
        let (name, limits, engine) = (format.name(), options.limits, options.engine);
        let config = |format: ConfigFormat| {
            let format = format.limits(limits);
            engine.map_or(format, |engine| format.engine(engine))
        };
        if name == SAVES.name() {
            Self::Own(Box::new(options.saves()))
        } else if name == CONFIG_FILES.name() {
            Self::Own(Box::new(config(CONFIG_FILES)))
        } else if name == TEXT_RESOURCES.name() {
            Self::Own(Box::new(config(TEXT_RESOURCES)))
        } else if name == RESOURCES.name() {
            let format = RESOURCES.limits(limits);
            Self::Own(Box::new(engine.map_or(format, |engine| format.engine(engine))))
        } else if name == VALUE_TEXTS.name() {
            let format = engine.map_or(VALUE_TEXTS, ValueTextFormat::new);
            Self::Own(Box::new(format.limits(limits)))
        } else if name == SCRIPTS.name() {
            let format = SCRIPTS.limits(limits);
            Self::Own(Box::new(engine.map_or(format, |engine| format.engine(engine))))
        } else if name == ALB1.name() {
            Self::Own(Box::new(ALB1.limits(limits)))
        } else {
            Self::Plain(format)
        }
    }

    /// Returns whether a format takes an engine and is no save.
    pub(crate) fn is_beside_saves(format: &dyn Format) -> bool {
        let formats: [&dyn Format; 5] =
            [&CONFIG_FILES, &TEXT_RESOURCES, &RESOURCES, &SCRIPTS, &VALUE_TEXTS];
        formats.iter().any(|it| it.name() == format.name())
    }
}

impl Deref for Configured {
    type Target = dyn Format;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Own(format) => &**format,
            Self::Plain(format) => *format,
        }
    }
}
