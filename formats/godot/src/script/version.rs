//! Finds the engine that wrote a script, by its version.

use super::record::{MAGIC, ScriptContent, ScriptContent100, ScriptFile, ScriptMark};
use super::rule;
use formwork::{Error, Result};
use formwork_records::schema::{Record, record_of};
use formwork_records::wire::{Cursor, read_record, word_at};
use formwork_variant::dialect::Dialect;

/// The version and layout of a script, from its first bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Head {
    /// The version of the format.
    pub version: u32,
    layout: Layout,
}

/// The layout of a script.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Layout {
    /// One record: Godot 1 to 3.
    File,
    /// A head and a content, which has an unused word: Godot 4.3 and 4.4.
    Content100,
    /// A head and a content: Godot 4.5 on.
    Content,
}

/// Versions, with the engines that write them, the dialect of the constants, and the layout.
const VERSIONS: &[(std::ops::RangeInclusive<u32>, &str, Dialect, Layout)] = &[
    (1..=2, "Godot before 1.0", Dialect::GODOT2_0, Layout::File),
    (3..=3, "Godot 1.0", Dialect::GODOT2_0, Layout::File),
    (4..=4, "Godot 1.1", Dialect::GODOT2_0, Layout::File),
    (5..=9, "Godot before 2.0", Dialect::GODOT2_0, Layout::File),
    (10..=10, "Godot 2.0 and 2.1", Dialect::GODOT2_1, Layout::File),
    (11..=11, "Godot before 3.0", Dialect::GODOT3_0, Layout::File),
    (12..=12, "Godot 3.0", Dialect::GODOT3_0, Layout::File),
    (13..=13, "Godot 3.1 to 3.6", Dialect::GODOT3, Layout::File),
    (100..=100, "Godot 4.3 and 4.4", Dialect::GODOT4_4, Layout::Content100),
    (101..=101, "Godot 4.5 on", Dialect::GODOT4, Layout::Content),
];

/// Returns the version of a script that is newer than those that [`Head::of`] reads; [`None`] for all other bytes.
#[must_use]
pub fn newer(bytes: &[u8]) -> Option<u32> {
    /// The newest version of Godot 3. Those of Godot 4 start at 100.
    const GODOT3: u32 = 13;
    let ScriptMark { version } = read_record(&mut Cursor::new(bytes)).ok()?;
    let is_known = VERSIONS.iter().any(|(versions, ..)| versions.contains(&version));
    (version > GODOT3 && !is_known).then_some(version)
}

impl Head {
    /// Reads the first bytes of a script.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a script, or if no known engine writes its version.
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let within = |error: Error| error.within("script");
        let mark: ScriptMark = read_record(&mut Cursor::new(bytes)).map_err(within)?;
        if is_shader_cache(bytes) {
            let expected = "a compiled script";
            let error = Error::new(rule::SHADER_CACHE, 0, expected, "a shader cache of Godot 4");
            return Err(within(error));
        }
        let version = mark.version;
        let row = VERSIONS.iter().find(|(versions, ..)| versions.contains(&version));
        let Some(&(.., layout)) = row else {
            let expected = "a version from 1 to 13, 100 or 101";
            let error = Error::new(rule::VERSION, 4, expected, version.to_string());
            return Err(within(error.within("version")));
        };
        Ok(Self { version, layout })
    }

    fn row(self) -> Option<(&'static str, Dialect)> {
        let row = VERSIONS.iter().find(|(versions, ..)| versions.contains(&self.version));
        row.map(|&(_, releases, dialect, _)| (releases, dialect))
    }

    /// Returns the releases of the engine that write this version.
    #[must_use]
    pub fn releases(self) -> &'static str {
        self.row().map_or("", |(releases, _)| releases)
    }

    /// Returns the dialect in which these releases write the constants.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        self.row().map_or(Dialect::GODOT4, |(_, dialect)| dialect)
    }

    /// Whether the content comes after a separate head and may be packed: Godot 4.
    #[must_use]
    pub const fn has_content(self) -> bool {
        !matches!(self.layout, Layout::File)
    }

    /// Returns the record of the script, or of its content.
    #[must_use]
    pub const fn record(self) -> &'static Record {
        match self.layout {
            Layout::File => record_of::<ScriptFile>(),
            Layout::Content100 => record_of::<ScriptContent100>(),
            Layout::Content => record_of::<ScriptContent>(),
        }
    }

    pub(super) const fn layout(self) -> Layout {
        self.layout
    }
}

/// Whether bytes that start with `GDSC` are a shader cache of Godot 4 and not a script. A shader cache has a version of
/// at most 4, a number of variants, and each variant after its length, up to the very end.
#[must_use]
pub fn is_shader_cache(bytes: &[u8]) -> bool {
    const NEWEST: u32 = 4;
    const WORD: usize = size_of::<u32>();
    let word = |at: usize| word_at::<u32>(bytes, at);
    let (Some(version), Some(count)) = (word(WORD), word(2 * WORD)) else { return false };
    if !bytes.starts_with(MAGIC) || version > NEWEST || count == 0 {
        return false;
    }
    let mut at = 3 * WORD;
    for _ in 0..count {
        let Some(size) = word(at) else { return false };
        let Some(end) = (at + WORD).checked_add(size as usize) else { return false };
        at = end;
    }
    at == bytes.len()
}
