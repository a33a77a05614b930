//! Facts about a file that are known before it is opened.

use formwork_alb1::Limits;
use formwork_godot::Framing;
use formwork_godot::Opener;
use formwork_godot::document::SaveFormat;
use formwork_godot::file::take_out_all;
use formwork_godot::wrapper::{Key, Unwrapped};
use formwork_variant::Dialect;

/// Known facts about a file; everything else is detected.
///
/// ```
/// use formwork_file::{Dialect, Options, to_vec, variant};
///
/// let save = to_vec(&variant!({ "gold": 5 }), Dialect::GODOT3)?;
/// let file = [b"SAVE".as_slice(), &save].concat();
/// let file = Options::new().engine(Dialect::GODOT3).skip(4).open(&file)?;
/// assert_eq!(file.get("gold")?.to_string(), "5");
/// # Ok::<(), formwork_file::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) format: Option<String>,
    pub(crate) engine: Option<Dialect>,
    framing: Option<Framing>,
    skip: Option<u64>,
    pub(crate) key: Option<Key>,
    pub(crate) limits: Limits,
}

impl Options {
    /// Knows nothing, and has the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the format: `png`, `save`; the name of an engine, `godot3`, means a save of it.
    #[must_use]
    pub fn format(mut self, name: &str) -> Self {
        match name.parse() {
            Ok(engine) => self.engine = Some(engine),
            Err(_) => self.format = Some(name.to_owned()),
        }
        self
    }

    /// Names the engine that wrote a file of values.
    #[must_use]
    pub const fn engine(mut self, engine: Dialect) -> Self {
        self.engine = Some(engine);
        self
    }

    /// Names the framing of a save's values.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.framing = Some(framing);
        self
    }

    /// Sets the length in bytes of the header that a game wrote before its values.
    #[must_use]
    pub const fn skip(mut self, bytes: u64) -> Self {
        self.skip = Some(bytes);
        self
    }

    /// Gives the password of an encrypted save.
    #[must_use]
    pub fn password(self, password: &str) -> Self {
        self.key(Key::from_password(password))
    }

    /// Gives the key of an encrypted save.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns whether the options say that the file is a save.
    pub(crate) const fn are_of_save(&self) -> bool {
        self.framing.is_some() || self.skip.is_some()
    }

    /// Returns what opens a save.
    pub(crate) fn opener(&self) -> Opener {
        let mut opener = Opener::new().limits(self.limits);
        if let Some(engine) = self.engine {
            opener = opener.dialect(engine);
        }
        if let Some(framing) = self.framing {
            opener = opener.framing(framing);
        }
        if let Some(bytes) = self.skip {
            opener = opener.header(bytes);
        }
        match &self.key {
            Some(key) => opener.key(key.clone()),
            None => opener,
        }
    }

    /// Returns the content of a compressed or encrypted file; [`None`] if it is in no container, or in one that cannot be
    /// opened.
    pub(crate) fn unwrapped(&self, bytes: &[u8]) -> Option<Unwrapped> {
        let mut file = Unwrapped::new(bytes);
        take_out_all(&mut file, self.key.as_ref(), &self.limits).ok()?;
        (!file.layers().is_empty()).then_some(file)
    }

    /// Returns the format of saves with the options.
    pub(crate) fn saves(&self) -> SaveFormat {
        SaveFormat::new(self.opener())
    }
}
