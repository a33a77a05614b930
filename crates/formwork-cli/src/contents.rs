//! Contents of an input: packets of values, an ALB1 file, a pack of a game, JSON text and so on.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;
use formwork_variant::Dialect;

use super::alb1;
use super::config_file;
use super::documents;
use super::documents::registry::{self, Detected};
use super::failure::Failure;
use super::file::File;
use super::format::{Format, LimitOptions, bytes};
use super::framing::FramingName;
use super::guess::Guess;
use super::input::stdin_once;
use super::key::{KeyOptions, asked};
use super::pack;
use super::packets::Input;
use super::resource;
use super::script;
use super::source::Source;

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

    /// Returns whether the bytes start like a compiled script, and no option names ALB1.
    pub(crate) fn is_script(&self, bytes: &[u8]) -> bool {
        self.format != Some(Format::Alb1) && Other::by_start(bytes) == Some(Other::GodotScript)
    }

    /// Returns whether the bytes start like a binary resource, and no option names ALB1.
    pub(crate) fn is_resource(&self, bytes: &[u8]) -> bool {
        let resources = [Some(Other::GodotResource), Some(Other::GodotCompressedResource)];
        self.format != Some(Format::Alb1) && resources.contains(&Other::by_start(bytes))
    }

    /// Returns whether the bytes have a format that is known by its start, in any container.
    pub(crate) fn is_known(&self, bytes: &[u8]) -> bool {
        self.is_alb1(bytes) || self.is_script(bytes) || self.is_resource(bytes)
    }

    /// Returns the format that a source is a document of, unless an option names another one.
    pub(crate) fn document(&self, source: &Source) -> Result<Option<Detected>, Failure> {
        let is_open = self.format.is_none() && self.framing.is_none();
        if is_open { registry::detected(source, self.own_format.as_deref()) } else { Ok(None) }
    }

    /// Returns the dialect that an option names.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        self.format.and_then(Format::dialect)
    }
}

/// An input, by the kind of its content.
#[derive(Debug)]
pub(crate) enum Contents {
    /// Packets of values.
    Packets(Input),
    /// An ALB1 file.
    Alb1(alb1::File),
    /// Settings as text.
    Config(config_file::File),
    /// A pack of a game.
    Pack(pack::File),
    /// A resource or scene of Godot.
    Resource(resource::File),
    /// A compiled script of Godot.
    Script(script::File),
    /// A document of a format that the library reads through its traits: JSON text.
    Document(documents::File),
}

impl InputOptions {
    /// Refuses options that have no meaning for a file of Terrain Builder.
    pub(crate) fn refuse_for_alb1(&self, source: &Source) -> Result<(), Failure> {
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
}

impl Contents {
    /// Returns the file, whatever its format.
    pub(crate) fn file(self) -> Box<dyn File> {
        match self {
            Self::Packets(input) => Box::new(input),
            Self::Alb1(file) => Box::new(file),
            Self::Config(file) => Box::new(file),
            Self::Pack(file) => Box::new(file),
            Self::Resource(file) => Box::new(file),
            Self::Script(file) => Box::new(file),
            Self::Document(file) => Box::new(file),
        }
    }

    /// Returns the source of the input, or the ALB1 file, which keeps no source.
    pub(crate) const fn source(&self) -> Result<&Source, &alb1::File> {
        match self {
            Self::Packets(input) => Ok(&input.source),
            Self::Alb1(file) => Err(file),
            Self::Config(file) => Ok(&file.source),
            Self::Pack(file) => Ok(&file.source),
            Self::Resource(file) => Ok(&file.source),
            Self::Script(file) => Ok(&file.source),
            Self::Document(file) => Ok(&file.source),
        }
    }

    /// Reads the input, removes its containers, and detects what the options leave open.
    pub(crate) fn open(
        path: &Path,
        options: &InputOptions,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        Self::of(Source::open(path, options.skip, key, limits)?, options, limits)
    }

    /// Returns whether a source without containers can only be packets of values.
    pub(crate) fn are_packets(source: &Source, options: &InputOptions) -> bool {
        let content = source.content();
        let is_text = || options.framing.is_none() && config_file::is_one(source);
        let is_document = || options.document(source).is_ok_and(|it| it.is_some());
        let is_one = || is_text() || is_document();
        !(options.is_pack(content) || options.is_known(content) || is_one())
    }

    /// Opens a source without containers.
    pub(crate) fn of(
        source: Source,
        options: &InputOptions,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        if let Some((format, confidence)) = options.document(&source)? {
            return Ok(Self::Document(documents::File { source, format, confidence }));
        }
        let dialect = options.dialect().or(source.engine);
        let refuse_framing = |what: &str| match options.framing {
            None => Ok(()),
            Some(_) => {
                let name = &source.name;
                Err(Failure::usage(format!("{name}: this is a {what}, which has no framing")))
            }
        };
        if options.is_pack(source.content()) {
            return Ok(Self::Pack(pack::File::new(source, limits)));
        }
        if options.is_resource(source.content()) {
            refuse_framing("binary resource")?;
            return Ok(Self::Resource(resource::File::new(source, dialect, limits)));
        }
        if options.is_script(source.content()) {
            refuse_framing("compiled script")?;
            return script::File::new(source, dialect, limits).map(Self::Script);
        }
        if options.framing.is_none() && config_file::is_one(&source) {
            return Ok(Self::Config(config_file::File::new(source, options.dialect())));
        }
        if !options.is_alb1(source.content()) {
            let (dialect, framing) = (options.dialect(), options.framing);
            let guess = Guess::of(&source, dialect, framing);
            return Input::settled(guess, source, limits).map(Self::Packets);
        }
        options.refuse_for_alb1(&source)?;
        Ok(Self::Alb1(alb1::File::new(source, limits)))
    }
}

/// An input that may be a container around any content, or any file of a pack.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A known content.
    Contents(Contents),
    /// The content of a container or pack that is neither, and its kind, if that is known.
    Other(Source, Option<Other>),
}

impl Opened {
    /// Reads the input like [`Contents::open`].
    pub(crate) fn open(
        path: &Path,
        options: &InputOptions,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        let source = Source::open(path, options.skip, key, limits)?;
        let is_known = options.is_known(source.content())
            || options.is_pack(source.content())
            || options.document(&source)?.is_some();
        let is_alone = source.layers().is_empty() && !source.is_in_pack;
        if is_alone || options.framing.is_some() || is_known {
            return Contents::of(source, options, limits).map(Self::Contents);
        }
        match (Guess::of(&source, None, None), options.format) {
            (Guess::Nothing(other), None) => Ok(Self::Other(source, other)),
            // Text is text, also where another format is named.
            (Guess::Nothing(Some(other)), Some(_)) => Ok(Self::Other(source, Some(other))),
            (_, Some(_)) => Contents::of(source, options, limits).map(Self::Contents),
            (guess, None) => {
                Input::settled(guess, source, limits).map(Contents::Packets).map(Self::Contents)
            }
        }
    }
}

impl InputOptions {
    /// Returns whether the bytes are a pack of a game, alone or appended to an executable. Returns
    /// false where an option names another format.
    pub(crate) fn is_pack(&self, bytes: &[u8]) -> bool {
        self.format.is_none() && self.framing.is_none() && formwork_godot::pack::is_pack(bytes)
    }
}
