//! Containers of files: the compression and encryption of the engines, removed and added.

use super::layers::inside;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use formwork_godot::detect::Other;
use formwork_godot::file::{end_text_by_length, take_out_stream};
use formwork_godot::inspect::Inspector;
use formwork_godot::wrapper;
use formwork_godot::wrapper::{
    Cipher, ClosedFile, Compression, Key, Layer, MAX_LAYERS, Salvaged, WrapperHeader, Wrapping,
};
use formwork_variant::{Dialect, Error, PathSegment, Rule};

use super::custom;
use super::failure::Failure;
use super::format::LimitOptions;
use super::key::{HEADING, KeyOptions, NewKeyOptions};
use super::remark;
use super::source::Source;

impl Source {
    /// Reads `path`, or standard input for `-`, and removes the containers. The first `skip` bytes,
    /// before the containers or at the start of their content, are a header of the game.
    pub fn open(
        path: &Path,
        skip: Option<u64>,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        Self::read_with(path, key)?.unwrapped(skip, key, limits)
    }

    /// Removes the containers of a source that was read, like [`Source::open`].
    pub fn unwrapped(
        self,
        skip: Option<u64>,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Self, Failure> {
        let mut source = self.skipping(skip);
        source.take_out_all(key, limits)?;
        Ok(source)
    }

    /// Removes the containers, and refuses a file that is shorter than the given header.
    pub fn take_out_all(&mut self, key: Option<&Key>, limits: LimitOptions) -> Result<(), Failure> {
        while self.take_out(key, limits)?.is_some() {}
        self.header_is_there()?;
        self.take_out_stream(limits);
        end_text_by_length(&mut self.file);
        Ok(())
    }

    /// Reads a damaged file like [`Source::open`], with the readable part of its containers.
    pub fn open_damaged(
        path: &Path,
        skip: Option<u64>,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<(Self, Torn), Failure> {
        let mut source = Self::read_with(path, key)?.skipping(skip);
        let mut torn = Torn::default();
        while source.container().is_some() && source.layers().len() < MAX_LAYERS {
            let salvaged = wrapper::salvage_outermost(source.content(), key, &limits.limits());
            let salvaged = salvaged.map_err(|error| unopened(&source, error))?;
            let Some((layer, salvaged)) = salvaged else { break };
            let Salvaged { content, gaps, faults, .. } = salvaged;
            torn.faults.extend(faults);
            // Gaps of an outer container are filled with zeros in the inner one.
            torn.gaps = gaps;
            source.file.replace(layer, content);
        }
        source.header_is_there()?;
        source.take_out_stream(limits);
        Ok((source, torn))
    }

    /// Unpacks compressed data without the engine's frame, if values or text are in it.
    pub fn take_out_stream(&mut self, limits: LimitOptions) -> Option<Layer> {
        // A program for custom formats reads no others.
        let is_open = custom::own().is_none();
        is_open.then(|| take_out_stream(&mut self.file, &limits.limits())).flatten()
    }

    /// Returns the kind of container that the bytes after the header are, if they are one that the program opens.
    pub fn container(&mut self) -> Option<Other> {
        // A program for custom formats reads no others.
        let is_open = custom::own().is_none() && self.file.is_wrapped();
        is_open.then(|| Other::by_start(self.content())).flatten()
    }

    /// Returns an inspector of the fields that are declared for the outermost container, which may be damaged.
    pub fn around(&self) -> Inspector<'_> {
        let seen = WrapperHeader::of(self.content()).map(|outside| outside.layer);
        let (name, usual) = match Other::by_start(self.content()) {
            Some(Other::GodotCompressed) => ("compressed", Layer::Compressed(Compression::FastLz)),
            _ => ("encrypted", Layer::Encrypted(Cipher::Cfb)),
        };
        let record = seen.and_then(Layer::record).or(usual.record());
        let record = record
            .unwrap_or(const { formwork_records::schema::record_of::<wrapper::CompressedFile>() });
        Inspector::of_record(self.bytes(), name, record).behind(self.skipped())
    }

    /// Removes the outermost container, if there is one. Leaves the source unchanged where this
    /// fails.
    pub fn take_out(
        &mut self,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Result<Option<Layer>, Failure> {
        if self.container().is_none() {
            return Ok(None);
        }
        if self.layers().len() == MAX_LAYERS {
            return Err(Failure::no(format!(
                "{}: the file has more than {MAX_LAYERS} wrappers around it",
                self.name
            )));
        }
        let taken = self.file.take_out(key, &limits.limits());
        taken.map_err(|error| unopened(self, error))
    }
}

/// The damage in the containers around a content.
#[derive(Debug, Default)]
pub struct Torn {
    /// The faults of the containers, outermost first.
    pub faults: Vec<Error>,
    /// The ranges of the content that are missing.
    pub gaps: Vec<Range<u64>>,
}

impl Torn {
    /// Returns whether all of a content of this length is lost.
    pub fn has_lost_all_of(&self, length: u64) -> bool {
        let missing: u64 =
            self.gaps.iter().map(|gap| gap.end.min(length).saturating_sub(gap.start)).sum();
        !self.faults.is_empty() && missing >= length
    }

    /// Returns whether the checksum of the decrypted bytes differs: the key may be wrong.
    pub fn may_be_garbage(&self) -> bool {
        self.faults.iter().any(|error| error.rule() == wrapper::rule::GDEC_KEY)
    }
}

/// Makes the failure for an outermost container that cannot be opened.
fn unopened(source: &Source, error: Error) -> Failure {
    let name = &source.name;
    match error.rule() {
        wrapper::rule::GDEC_KEY_GIVEN => {
            let inside = inside(source.layers());
            Failure::usage(format!(
                "{name}: {inside}this is encrypted: a password or key is needed"
            ))
            .hint(KeyOptions::HINT)
        }
        wrapper::rule::GDEC_KEY => {
            Failure::no(format!("{name}: the password or key is wrong, or the file is damaged"))
                .line("The checksum in the file does not match what was decrypted.")
        }
        rule => {
            let announced = [PathSegment::Field("total"), PathSegment::Field("length")];
            let is_large = rule == Rule::SIZE_LIMIT
                && error.path().steps().last().is_some_and(|last| announced.contains(last));
            let failure = Failure::in_source(source, error.shifted(source.skipped() as u64));
            let hint = "to allow more, use --max-unpacked SIZE";
            if is_large { failure.hint(hint) } else { failure }
        }
    }
}

/// Options for the wrapper of the output.
#[derive(Args, Clone, Debug)]
pub struct ContainerOptions {
    /// Compress or encrypt the output [default: like the original file, otherwise none]
    ///
    /// WRAPPER is none, fastlz, deflate, zstd, gzip or encrypted. Join several with '+', the
    /// outermost first: zstd+encrypted.
    #[arg(long = "wrapper", alias = "container", value_name = "WRAPPER", value_parser = parse, help_heading = HEADING)]
    container: Option<Wanted>,
    #[allow(missing_docs, reason = "a comment here would be the heading of its options")]
    #[command(flatten)]
    pub new_key: NewKeyOptions,
    /// Whether the options are for several files, of which some may not be encrypted.
    #[arg(skip)]
    several: bool,
}

/// Containers, outermost first.
#[derive(Clone, Debug)]
struct Wanted(Vec<Kind>);

/// A kind of container.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// This container.
    Exactly(Layer),
    /// Encryption in the form of the target engine.
    Encrypted,
}

impl Kind {
    /// Returns the layer, in the form of the dialect's engines.
    fn layer(self, dialect: Option<Dialect>) -> Result<Layer, Failure> {
        match (self, dialect) {
            (Self::Exactly(layer), _) => Ok(layer),
            (Self::Encrypted, Some(dialect)) => Ok(Layer::Encrypted(Cipher::of(dialect))),
            (Self::Encrypted, None) => Err(Failure::usage(
                "engines encrypt in two ways: use --format, or --wrapper with encrypted-ecb (Godot 1 \
                 to 3, Pandemonium) or encrypted-cfb (Godot 4)",
            )),
        }
    }
}

/// Parses the names of containers.
fn parse(text: &str) -> Result<Wanted, String> {
    if text == "none" {
        return Ok(Wanted(Vec::new()));
    }
    let kinds = text.split('+').map(|name| match name {
        ENCRYPTED => Ok(Kind::Encrypted),
        name => name.parse().map(Kind::Exactly).map_err(|_| name),
    });
    kinds.collect::<Result<_, _>>().map(Wanted).map_err(|name| {
        let names: Vec<_> = Layer::all().map(|layer| layer.to_string()).collect();
        let names = names.join(", ");
        let fault = match name {
            "none" => "'none' cannot be joined with others".to_owned(),
            name => format!("unknown wrapper '{name}'"),
        };
        format!("{fault}; use none, {ENCRYPTED}, {names}")
    })
}

const ENCRYPTED: &str = "encrypted";

/// Containers to add around bytes, and their key.
#[derive(Debug)]
pub struct Closing {
    wrapping: Wrapping,
    key: Option<Key>,
}

impl ContainerOptions {
    /// Returns the containers for a file that `dialect`'s engines read: those from the options, or
    /// else those of `model` in the form of these engines. (Without a dialect, any engine's form is
    /// allowed.) The key is the one from the options, or else `key`, which opened the model.
    pub fn closing(
        &self,
        model: &[Layer],
        dialect: Option<Dialect>,
        key: Option<Key>,
    ) -> Result<Closing, Failure> {
        let kinds: Vec<_> = match &self.container {
            Some(Wanted(kinds)) => kinds.clone(),
            None => model
                .iter()
                .map(|&layer| match layer {
                    Layer::Encrypted(_) if dialect.is_some() => Kind::Encrypted,
                    layer => Kind::Exactly(layer),
                })
                .collect(),
        };
        let layers: Vec<_> =
            kinds.into_iter().map(|kind| kind.layer(dialect)).collect::<Result<_, _>>()?;
        if let Some(&layer) = layers.iter().find(|&&layer| !is_written(layer, dialect)) {
            return Err(unwritten(layer, dialect));
        }
        let mut closing = Closing { wrapping: Wrapping::new(layers), key };
        if self.several && !closing.is_encrypted() && !self.is_said() {
            static IS_TOLD: AtomicBool = AtomicBool::new(false);
            if self.new_key.key()?.is_some() && !IS_TOLD.swap(true, Ordering::Relaxed) {
                remark(
                    "the new password or key is for the encrypted files; the others stay as open as they are",
                );
            }
            return Ok(Closing { key: None, ..closing });
        }
        // With a password, a file that anybody can read is written only if an option asks for it.
        if closing.key.is_some() && !closing.is_encrypted() && !self.is_said() {
            return Err(Failure::usage(
                "the output is not encrypted, so the password or key has no use",
            )
            .hint("use --wrapper encrypted, or --wrapper none if that is what you want"));
        }
        let new_key = self.new_key.key()?;
        if new_key.is_some() && !closing.is_encrypted() {
            return Err(Failure::usage(
                "the output is not encrypted, so the new password or key has no use",
            )
            .hint("use --wrapper encrypted"));
        }
        closing.key = new_key.or(closing.key);
        if closing.is_encrypted() && closing.key.is_none() {
            return Err(
                Failure::usage("a password or key is needed to encrypt").hint(KeyOptions::HINT)
            );
        }
        Ok(closing)
    }

    /// Returns whether an option names a container.
    pub fn is_wrapping(&self) -> bool {
        self.container.as_ref().is_some_and(|Wanted(kinds)| !kinds.is_empty())
    }

    /// Makes the options those of several files: a password is for those that are encrypted.
    #[must_use]
    pub fn of_several(self) -> Self {
        Self { several: true, ..self }
    }

    /// Returns whether an option names the containers, or none.
    pub const fn is_said(&self) -> bool {
        self.container.is_some()
    }
}

impl Closing {
    /// Returns the containers, outermost first.
    pub fn layers(&self) -> &[Layer] {
        self.wrapping.layers()
    }

    /// Returns whether a key is used.
    pub fn is_encrypted(&self) -> bool {
        self.wrapping.is_encrypted()
    }

    /// Adds the header of the game again, which the model has before its content.
    pub fn keeping(mut self, model: &Source) -> Self {
        self.wrapping = self.wrapping.header_of(&model.file);
        self
    }

    /// Puts bytes into the containers, and says what becomes of a header of the game; `name` is the name of their source.
    pub fn close(&self, name: &str, content: &[u8]) -> Result<Vec<u8>, Failure> {
        let closed = self.wrapping.close_and_tell(content, self.key.as_ref());
        let closed = closed.map_err(|error| Failure::in_value(name, error))?;
        told(&closed).iter().for_each(|told| remark(&format!("{name}: {told}")));
        Ok(closed.bytes)
    }
}

/// Returns what became of the header of the game, for remarks.
pub fn told(closed: &ClosedFile) -> Vec<String> {
    if closed.has_unknown_header {
        return vec![
            "the game's header stays as it is; if it holds a length or checksum of what follows, the game will refuse the file".to_owned(),
        ];
    }
    closed.followed.iter().map(|it| format!("in the game's header: {it}")).collect()
}

fn is_written(layer: Layer, dialect: Option<Dialect>) -> bool {
    match dialect {
        Some(dialect) => layer.is_written_by(dialect),
        None => Dialect::all().any(|dialect| layer.is_written_by(dialect)),
    }
}

/// Makes the failure for a container that no engine, or not the target engine, writes.
fn unwritten(layer: Layer, dialect: Option<Dialect>) -> Failure {
    let names: Vec<_> = Layer::all()
        .filter(|&layer| is_written(layer, dialect))
        .map(|layer| layer.to_string())
        .collect();
    let whose = match dialect {
        Some(dialect) => dialect.to_string(),
        None => "no engine".to_owned(),
    };
    let reads = if dialect.is_some() { "does not read" } else { "reads" };
    Failure::usage(format!("{whose} {reads} {layer} files"))
        .hint(format!("use --wrapper with one of {}, or none", names.join(", ")))
}
