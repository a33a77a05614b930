//! The files of a pack, as lines and as JSON.

use super::guess::engine_name;
use super::store::dialect;
use formwork_godot::detect::Detector;
use formwork_godot::detect::Other;
use formwork_godot::detect::detect;
use formwork_godot::detect::text;
use formwork_godot::pack::{Pack, PackedFile, within_game};
use formwork_variant::Dialect;
use formwork_variant::{Array, Variant};

use super::quantity::{counted, integer};
use super::style::shown;

/// The facts about a file of a pack.
#[derive(Debug)]
pub(crate) struct Listed {
    name: String,
    kind: String,
    offset: u64,
    size: u64,
    digest: Option<String>,
    /// The MD5 sum of the content, whether the directory has it or not.
    content: Option<String>,
    is_encrypted: bool,
}

impl Listed {
    /// Collects the facts about a file.
    pub(crate) fn of(pack: &Pack<'_>, file: &PackedFile) -> Self {
        let hex = |digest: [u8; 16]| digest.iter().map(|it| format!("{it:02x}")).collect();
        let digest = file.digest().map(hex);
        let sum = || pack.sum(file).ok().map(hex);
        let content = digest.clone().or_else(sum);
        Self {
            name: within_game(&file.name()).to_owned(),
            kind: kind(pack, file),
            offset: file.offset(),
            size: file.size(),
            digest,
            content,
            is_encrypted: file.is_encrypted(),
        }
    }

    /// Lists all files, in the order of the directory.
    pub(crate) fn all(pack: &Pack<'_>) -> Vec<Self> {
        pack.files().iter().map(|file| Self::of(pack, file)).collect()
    }

    /// Returns the name, within the game.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of the file, in a word.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// Lists the files as aligned lines: size, kind, name.
    pub(crate) fn lines(files: &[Self]) -> Vec<String> {
        let width = |of: fn(&Self) -> usize| files.iter().map(of).max().unwrap_or_default();
        let size = width(|file| file.size.to_string().len());
        let kind = width(|file| file.kind.len());
        let line = |file: &Self| {
            let name = shown(&file.name);
            format!("{:>size$}  {:kind$}  {name}", file.size, file.kind)
        };
        files.iter().map(line).collect()
    }

    /// Returns the name of the file, and a short description of its content.
    pub(crate) fn compared(&self) -> (Variant, Variant) {
        let sum = self.content.as_deref().map(|digest| format!(", MD5 {digest}"));
        let content = counted(self.size, "byte") + &sum.unwrap_or_default();
        (self.name.as_str().into(), content.into())
    }

    /// Returns the facts as a value that plain JSON can hold.
    pub(crate) fn value(&self) -> Variant {
        let Self { name, kind, offset, size, digest, is_encrypted, .. } = self;
        [
            ("name", Variant::from(name.as_str())),
            ("kind", Variant::from(kind.as_str())),
            ("offset", integer(*offset)),
            ("size", integer(*size)),
            ("md5", digest.as_deref().map_or(Variant::Nil, Variant::from)),
            ("encrypted", Variant::Bool(*is_encrypted)),
        ]
        .into_iter()
        .collect()
    }

    /// Returns the files as a list that plain JSON can hold.
    pub(crate) fn values(files: &[Self]) -> Variant {
        Variant::Array(files.iter().map(Self::value).collect::<Array>())
    }
}

/// Returns the kind of a file of a pack, in a word of `info`.
pub(crate) fn kind(pack: &Pack<'_>, file: &PackedFile) -> String {
    /// Number of bytes that are searched for values.
    const LOOKED_AT: usize = 1 << 16;
    if file.is_removal() {
        return "removed".into();
    }
    if file.is_encrypted() {
        return "encrypted".into();
    }
    if file.is_delta() {
        return "delta".into();
    }
    let Ok(content) = pack.content(file) else { return "unknown".into() };
    if content.is_empty() {
        return "empty".into();
    }
    if let Some(other) = Other::by_start(content) {
        return other.name().into();
    }
    if content.len() <= LOOKED_AT {
        let detection = detect(content);
        if let Some(best) = detection.best() {
            // A pack may hold a save of another engine than the one that wrote the pack.
            let fits = |own: &Dialect| {
                Detector::new().family(own.family()).detect(content).best().is_some()
            };
            let own = dialect(pack).filter(fits).map(|own| own.to_string());
            let engine = own.unwrap_or_else(|| engine_name(best.dialect));
            return format!("{engine} values");
        }
        if let Some(other) = detection.other {
            return other.name().into();
        }
    }
    text(content).map_or("unknown", Other::name).into()
}
