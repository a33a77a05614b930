//! The containers around the content of a file, for `info`.

use formwork_godot::detect::Other;
use formwork_godot::wrapper::{Cipher, Key, Layer, WrapperHeader};
use formwork_variant::Dialect;
use formwork_variant::{Array, Variant};

use super::failure::Failure;
use super::format::LimitOptions;
use super::quantity::counted;
use super::quantity::integer;
use super::source::Source;

/// A container around a content.
#[derive(Debug)]
pub(crate) struct Container {
    /// The kind of container, if it is known.
    layer: Option<Layer>,
    kind: Option<Other>,
    /// Size of the container.
    packed: u64,
    /// Size of the content; from the header, where the container could not be opened.
    unpacked: Option<u64>,
}

/// A container that cannot be opened, and the failure.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) kind: Other,
    pub(crate) failure: Failure,
}

/// Removes the containers of the source, outermost first, as far as possible.
pub(crate) fn take_out_all(
    source: &mut Source,
    key: Option<&Key>,
    limits: LimitOptions,
) -> (Vec<Container>, Option<Closed>) {
    let mut containers = Vec::new();
    while let Some(kind) = source.container() {
        let packed = source.bytes().len() as u64;
        let seen = WrapperHeader::of(source.content());
        match source.take_out(key, limits) {
            Ok(layer) => {
                let unpacked = Some(source.bytes().len() as u64);
                containers.push(Container { layer, kind: Some(kind), packed, unpacked });
            }
            Err(failure) => {
                let (layer, unpacked) = (seen.map(|it| it.layer), seen.map(|it| it.length));
                containers.push(Container { layer, kind: Some(kind), packed, unpacked });
                return (containers, Some(Closed { kind, failure }));
            }
        }
    }
    let packed = source.content().len() as u64;
    if let Some(layer) = source.take_out_stream(limits) {
        let unpacked = Some(source.bytes().len() as u64);
        containers.push(Container { layer: Some(layer), kind: None, packed, unpacked });
    }
    (containers, None)
}

const fn method(cipher: Cipher) -> &'static str {
    match cipher {
        Cipher::Ecb => "AES-256-ECB",
        Cipher::Cfb => "AES-256-CFB",
    }
}

impl Container {
    /// Returns the container as lines of text.
    pub(crate) fn lines(&self) -> [String; 2] {
        let Self { layer, kind, packed, unpacked } = self;
        let name = layer.map_or_else(String::new, |layer| format!("{layer}: "));
        let size = match unpacked {
            Some(unpacked) => format!("{}, {unpacked} unpacked", counted(*packed, "byte")),
            None => counted(*packed, "byte"),
        };
        let engines = match self.engines().as_slice() {
            [] => String::new(),
            engines => format!("; read by {}", engines.join(", ")),
        };
        let how = match layer {
            Some(Layer::Encrypted(cipher)) => format!(", {}", method(*cipher)),
            Some(Layer::Compressed(compression)) => format!(", mode {}", compression.mode()),
            Some(Layer::Stream(_)) | None => String::new(),
        };
        let kind = match (layer, kind) {
            (Some(Layer::Stream(stream)), _) => stream.description(),
            (_, kind) => kind.map_or("", Other::description),
        };
        [format!("{name}{kind}{how}"), format!("{size}{engines}")]
    }

    /// Returns the container as a value that plain JSON can hold.
    pub(crate) fn value(&self) -> Variant {
        let Self { layer, kind, packed, unpacked } = self;
        let kind_name = match (layer, kind) {
            (Some(Layer::Stream(_)), _) => "stream",
            (_, kind) => kind.map_or("", Other::name),
        };
        let engines = self.engines().into_iter().map(|name| Variant::from(name.as_str()));
        [
            ("name", Variant::from(layer.map_or(kind_name, Layer::name))),
            ("kind", Variant::from(kind_name)),
            match layer {
                Some(Layer::Encrypted(cipher)) => ("cipher", Variant::from(method(*cipher))),
                Some(Layer::Compressed(it)) => ("mode", integer(it.mode().into())),
                Some(Layer::Stream(_)) | None => ("mode", Variant::Nil),
            },
            ("size", integer(*packed)),
            ("unpacked_size", unpacked.map_or(Variant::Nil, integer)),
            ("engines", Variant::Array(engines.collect::<Array>())),
        ]
        .into_iter()
        .collect()
    }

    /// Lists the engines whose scripts read such files: `godot3`, without releases.
    fn engines(&self) -> Vec<String> {
        /// All releases of this engine have one form.
        const PANDEMONIUM: &str = "pandemonium";
        let Some(layer) = self.layer else { return Vec::new() };
        let mut engines: Vec<String> = Vec::new();
        for dialect in Dialect::all().filter(|&dialect| layer.is_read_by(dialect)) {
            let name = dialect.name();
            let engine = match name.starts_with(PANDEMONIUM) {
                true => PANDEMONIUM,
                false => name.split('.').next().unwrap_or(&name),
            };
            if !engines.iter().any(|known| known == engine) {
                engines.push(engine.to_owned());
            }
        }
        engines
    }
}
