//! Opens an input as what it is: packets of values, an ALB1 file, a pack of a game, JSON text and so on.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use formwork_godot::detect::Other;
use formwork_godot::pack::is_zip;
use formwork_godot::wrapper::Key;
use formwork_variant::Dialect;

use super::alb1;
use super::config_file;
use super::container::Torn;
use super::documents;
use super::documents::registry::{self, Detected};
use super::failure::{Failure, Status};
use super::file::{File, whole_or_not};
use super::format::{Format, LimitOptions, bytes};
use super::framing::FramingName;
use super::guess::{Guess, guessed, nothing, settled};
use super::input::stdin_once;
use super::key::{KeyOptions, asked};
use super::pack;
use super::packets::Input;
use super::resource;
use super::script;
use super::source::Source;
use super::unknown;
use super::value_text::TextOfValue;
use super::values::{nothing_left, readable};

/// Options that say what an input is.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InputOptions {
    /// Format of the file, such as godot3, godot4.2, pandemonium or alb1 [default: detected]
    #[arg(short, long, value_name = "FORMAT", value_parser = super::format::format, value_hint = ValueHint::Other)]
    pub(crate) format: Option<Format>,
    /// Format of the file [default: detected]
    #[arg(long, value_name = "FORMAT", hide = true)]
    pub(crate) own_format: Option<String>,
    /// How the file stores its values [default: detected]
    #[arg(long, value_enum, value_name = "FRAMING")]
    pub(crate) framing: Option<FramingName>,
    /// Skip a header of BYTES bytes, which the game wrote before the values (hex: 0x10)
    ///
    /// In a compressed or encrypted file, these are bytes of the unpacked content. Only one header
    /// can be skipped. If there is another one before the compressed or encrypted part, unpack that
    /// part with --as raw first.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) skip: Option<u64>,
    #[command(flatten)]
    pub(crate) key: KeyOptions,
}

impl InputOptions {
    /// Returns the key for the files, if the options give one. (Standard input may be one of the
    /// files or hold the password, not both.)
    pub(crate) fn key<'p>(
        &'p self,
        files: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<Option<Key>, Failure> {
        stdin_once(files.into_iter().map(PathBuf::as_path).chain(self.key.file()))?;
        self.key.key()
    }

    /// Returns what opens a file: the key of an option, or the password that is asked for if the file is encrypted.
    pub(crate) fn key_to(&self, file: &PathBuf) -> Result<Option<Key>, Failure> {
        match self.key([file])? {
            None if registry::own().is_some() => Ok(None),
            None => asked(file, self.skip.unwrap_or_default()),
            key => Ok(key),
        }
    }

    /// Returns whether the bytes are an ALB1 file: an option names the format, or they start like
    /// one.
    pub(crate) fn is_alb1(&self, bytes: &[u8]) -> bool {
        match self.format {
            Some(format) => format == Format::Alb1,
            None => Other::by_start(bytes) == Some(Other::Alb1),
        }
    }

    /// Returns the dialect that an option names.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        self.format.and_then(Format::dialect)
    }
}

/// The kind of a content without containers.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A document of a format that the library reads through its traits: JSON text.
    Document(Detected),
    /// A pack of a game.
    Pack,
    /// A zip archive.
    Zip,
    /// A resource or scene of Godot.
    Resource,
    /// A compiled script of Godot.
    Script,
    /// Settings as text.
    Config,
    /// Text of one value.
    Value,
    /// An ALB1 file.
    Alb1,
    /// Packets of values, or bytes of no known format.
    Packets,
}

/// A file, or a source with the reason why no format fits it.
pub(crate) type OrUnknown = Result<Box<dyn File>, (Source, Failure)>;

impl InputOptions {
    /// Returns the kind of a content, by an option, its start or its text.
    pub(crate) fn kind(&self, source: &Source) -> Result<Kind, Failure> {
        let content = source.content();
        if self.format.is_none()
            && self.framing.is_none()
            && let Some(detected) = registry::detected(source, self.own_format.as_deref())?
        {
            return Ok(Kind::Document(detected));
        }
        if self.is_pack(content) {
            return Ok(Kind::Pack);
        }
        if self.format.is_none() && self.framing.is_none() && is_zip(content) {
            return Ok(Kind::Zip);
        }
        Ok(match Other::by_start(content).filter(|_| self.format != Some(Format::Alb1)) {
            Some(Other::GodotResource | Other::GodotCompressedResource) => Kind::Resource,
            Some(Other::GodotScript) => Kind::Script,
            _ if self.framing.is_none() && config_file::is_one(source) => Kind::Config,
            _ if self.is_alb1(content) => Kind::Alb1,
            _ if self.framing.is_none() && TextOfValue::is_one(content) => Kind::Value,
            _ => Kind::Packets,
        })
    }

    /// Opens a file: reads it, removes its containers, and detects what the options leave open.
    pub(crate) fn open(
        &self,
        path: &Path,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Box<dyn File>, Failure> {
        self.open_source(Source::open(path, self.skip, key, limits)?, limits)
    }

    /// Opens a source without containers.
    pub(crate) fn open_source(
        &self,
        source: Source,
        limits: LimitOptions,
    ) -> Result<Box<dyn File>, Failure> {
        self.open_as(self.kind(&source)?, source, limits)
    }

    /// Opens a source of this kind.
    pub(crate) fn open_as(
        &self,
        kind: Kind,
        source: Source,
        limits: LimitOptions,
    ) -> Result<Box<dyn File>, Failure> {
        let dialect = self.dialect().or(source.engine);
        Ok(match kind {
            Kind::Document((format, confidence)) => {
                Box::new(documents::File { source, format, confidence })
            }
            Kind::Pack => Box::new(pack::File::new(source, limits)),
            Kind::Zip => Box::new(pack::Zip { source, limits }),
            Kind::Resource => {
                self.refuse_framing(&source, "binary resource")?;
                Box::new(resource::File::new(source, dialect, limits))
            }
            Kind::Script => {
                self.refuse_framing(&source, "compiled script")?;
                Box::new(script::File::new(source, dialect, limits)?)
            }
            Kind::Config => Box::new(config_file::File::new(source, self.dialect())),
            Kind::Value => match TextOfValue::new(source, self.dialect()) {
                Ok(text) => Box::new(text),
                Err(source) => return Err(nothing(&source, Some(Other::Text))),
            },
            Kind::Alb1 => {
                self.refuse_for_alb1(&source)?;
                Box::new(alb1::File::new(source, limits))
            }
            Kind::Packets => {
                let mut source = source;
                let guess = guessed(&mut source, self.dialect(), self.framing);
                Box::new(Input::settled(guess, source, limits)?)
            }
        })
    }

    /// Opens a source, or returns it with the reason why no format fits it.
    pub(crate) fn open_or_unknown(
        &self,
        mut source: Source,
        limits: LimitOptions,
    ) -> Result<OrUnknown, Failure> {
        let kind = match self.kind(&source) {
            Err(failure) if failure.status() == Status::No => return Ok(Err((source, failure))),
            kind => kind?,
        };
        if matches!(kind, Kind::Packets) {
            let guess = guessed(&mut source, self.dialect(), self.framing);
            return Ok(match settled(guess, &source) {
                Err(failure) => Err((source, failure)),
                Ok((dialect, framing)) => {
                    Ok(Box::new(Input::known(source, dialect, framing, limits)))
                }
            });
        }
        // The head of a script may be damaged.
        let kept = matches!(kind, Kind::Script).then(|| source.clone());
        match (self.open_as(kind, source, limits), kept) {
            (Err(failure), Some(source)) => Ok(Err((source, failure))),
            (file, _) => file.map(Ok),
        }
    }

    /// Opens a file like [`open`](Self::open). In a container or a pack it may hold anything.
    pub(crate) fn open_any(
        &self,
        path: &Path,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Box<dyn File>, Failure> {
        let mut source = Source::open(path, self.skip, key, limits)?;
        let kind = self.kind(&source)?;
        if !matches!(kind, Kind::Packets) || self.framing.is_some() {
            return self.open_as(kind, source, limits);
        }
        if !source.is_inside() {
            return match (guessed(&mut source.clone(), None, None), self.format) {
                (Guess::Nothing(other @ Some(it)), None) if it.is_valueless() => {
                    Ok(Box::new(unknown::File { source, other }))
                }
                _ => self.open_as(kind, source, limits),
            };
        }
        match (guessed(&mut source, None, None), self.format) {
            (Guess::Nothing(other), None) => Ok(Box::new(unknown::File { source, other })),
            // Text is text, also where another format is named.
            (Guess::Nothing(other @ Some(_)), _) => Ok(Box::new(unknown::File { source, other })),
            (_, Some(_)) => self.open_as(kind, source, limits),
            (guess, None) => Ok(Box::new(Input::settled(guess, source, limits)?)),
        }
    }

    /// Opens a source that may be damaged.
    pub(crate) fn open_damaged(
        &self,
        source: Source,
        torn: &Torn,
        limits: LimitOptions,
    ) -> Result<Box<dyn File>, Failure> {
        let name = &source.name;
        if self.format.is_none()
            && self.framing.is_none()
            && let Some((format, confidence)) = registry::begun(&source)
        {
            return Ok(Box::new(documents::File { source, format, confidence }));
        }
        match (self.kind(&source)?, self.format) {
            (Kind::Packets, format) => {
                if let Some(format) = format
                    && Other::by_start(source.content()) == Some(Other::Alb1)
                {
                    let failure = format!("{name}: this is an ALB1 file, not {format}");
                    return Err(Failure::usage(failure));
                }
                let mut readable = readable(&source, torn);
                match guessed(&mut readable, self.dialect(), self.framing) {
                    Guess::Nothing(other) => match nothing_left(&source, torn, other) {
                        Some(failure) => Err(failure),
                        // The damage may be in the first bytes.
                        None if source.layers().is_empty() && !source.content().is_empty() => {
                            Ok(Box::new(alb1::File::new(source, limits)))
                        }
                        None => Err(nothing(&source, other)),
                    },
                    guess => {
                        let mut source = source;
                        // Data after the values is only left if nothing can be rescued of it.
                        if torn.gaps.is_empty() && !readable.holds_values_behind() {
                            source.file.leave_behind(readable.content().len());
                        }
                        Ok(Box::new(Input::settled(guess, source, limits)?))
                    }
                }
            }
            (Kind::Script, _) => Err(whole_or_not(name, "a compiled script")),
            (Kind::Alb1, _) => Ok(Box::new(alb1::File::new(source, limits))),
            (kind, _) => self.open_as(kind, source, limits),
        }
    }

    /// Opens a file of a pack, if its format is certain.
    pub(crate) fn open_certain(
        &self,
        mut source: Source,
        limits: LimitOptions,
    ) -> Option<Result<Box<dyn File>, Failure>> {
        match self.kind(&source) {
            Ok(Kind::Document(_) | Kind::Pack | Kind::Zip) | Err(_) => None,
            Ok(Kind::Packets) => match guessed(&mut source, None, None) {
                guess @ (Guess::One(_) | Guess::Alike(_)) => {
                    let input = Input::settled(guess, source, limits);
                    Some(input.map(|input| Box::new(input) as Box<dyn File>))
                }
                _ => None,
            },
            Ok(kind) => Some(self.open_as(kind, source, limits)),
        }
    }

    /// Refuses options that have no meaning for a file of Terrain Builder.
    fn refuse_for_alb1(&self, source: &Source) -> Result<(), Failure> {
        let name = &source.name;
        if source.file.passed_header().is_some() {
            return Err(Failure::usage(format!(
                "{name}: --skip is for the files of engines; an ALB1 file starts with its own header"
            )));
        }
        if self.framing.is_some() {
            return Err(Failure::usage(format!("{name}: an ALB1 file has no framing to be said")));
        }
        Ok(())
    }

    /// Refuses a framing for files that have none.
    fn refuse_framing(&self, source: &Source, what: &str) -> Result<(), Failure> {
        let name = &source.name;
        match self.framing {
            None => Ok(()),
            Some(_) => {
                Err(Failure::usage(format!("{name}: this is a {what}, which has no framing")))
            }
        }
    }

    /// Returns whether the bytes are a pack of a game, alone or appended to an executable. Returns
    /// false where an option names another format.
    pub(crate) fn is_pack(&self, bytes: &[u8]) -> bool {
        self.format.is_none() && self.framing.is_none() && formwork_godot::pack::is_pack(bytes)
    }
}
