//! The options that select the cases.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use formwork_alb1::Reader;
use formwork_godot::detect::Other;
use formwork_godot::settings::Settings;
use formwork_godot::{Framing, Opener};
use formwork_kit::case::{Cases, Profile, Reading};
use formwork_program::failure::Failure;
use formwork_program::format::{Format, LimitOptions, UnpackingLimit};
use formwork_program::framing::FramingName;
use formwork_program::input::stdin_once;
use formwork_program::key::KeyOptions;
use formwork_program::source::Source;
use formwork_variant::generate::{Config, Types};
use formwork_variant::{Decoder, Dialect, Error, VariantType};

/// Options that choose the cases.
#[derive(Args, Clone, Debug)]
pub(crate) struct CaseOptions {
    /// Format to generate, such as godot3, godot4.2, pandemonium or alb1
    #[arg(short, long, value_name = "FORMAT", value_parser = formwork_program::format::format, value_hint = ValueHint::Other)]
    pub(crate) format: Format,
    /// Kinds of packets: enumerate, valid, edge, near-valid, hostile [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    profile: Vec<Profile>,
    /// Seed of the random packets; the same seed gives the same packets [default: 1]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Include objects with class and properties
    #[arg(long)]
    #[arg(hide_short_help = true)]
    allow_objects: bool,
    /// Generate only these types, such as int,String,Array: whatever the kind of packet, and with --from only from
    /// packets of these types
    #[arg(long, value_name = "TYPES", value_delimiter = ',', hide_short_help = true)]
    types: Vec<String>,
    /// Generate at most COUNT values in a packet, containers and keys included
    #[arg(long, value_name = "COUNT", hide_short_help = true)]
    max_nodes: Option<usize>,
    /// Nest values at most DEPTH containers deep
    #[arg(long, value_name = "DEPTH", hide_short_help = true)]
    max_depth: Option<u32>,
    /// Generate at most BYTES bytes of strings and packed arrays in a packet
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    max_bytes: Option<usize>,
    /// Start from the packets in these files and change them ('-' for standard input)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// How those files store their values [default: detected]
    #[arg(long, value_enum, value_name = "FRAMING", requires = "from")]
    #[arg(hide_short_help = true)]
    framing: Option<FramingName>,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    unpacking: UnpackingLimit,
}

impl CaseOptions {
    /// Returns the reading of the decoders under test.
    pub(crate) const fn reading(&self) -> Reading {
        Reading { format: self.format, allow_objects: self.allow_objects }
    }

    /// Returns the seed of the random packets.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Returns the options that select the cases, besides format, seed and objects: they identify a
    /// run.
    pub(crate) fn said(&self) -> Vec<String> {
        let mut said: Vec<String> =
            self.profile.iter().map(|profile| format!("--profile={profile}")).collect();
        said.extend(self.types.iter().map(|name| format!("--types={name}")));
        let numbers = [
            ("nodes", self.max_nodes.map(|most| most as u64)),
            ("depth", self.max_depth.map(u64::from)),
            ("bytes", self.max_bytes.map(|most| most as u64)),
        ];
        let set = numbers.iter().filter_map(|(what, most)| Some((what, (*most)?)));
        said.extend(set.map(|(what, most)| format!("--max-{what}={most}")));
        said.extend(self.from.iter().map(|file| format!("--from={}", file.display())));
        said
    }

    /// Returns the cases.
    pub(crate) fn cases(&self) -> Result<Cases, Failure> {
        let mut config = Config::default();
        config.max_nodes = self.max_nodes.unwrap_or(config.max_nodes);
        config.max_depth = self.max_depth.unwrap_or(config.max_depth);
        config.max_bytes = self.max_bytes.unwrap_or(config.max_bytes);
        config.types = self.types()?;
        let mut cases = Cases::new(self.reading(), self.seed()).config(config);
        if !self.profile.is_empty() {
            cases = cases.profiles(&self.profile);
        }
        let paths = self.from.iter().map(PathBuf::as_path);
        stdin_once(paths.chain(self.key.file()))?;
        let mut packets = Vec::new();
        for file in &self.from {
            self.read(file, &mut packets)?;
        }
        cases = cases.packets(packets);
        if !self.from.is_empty() && !self.types.is_empty() && !cases.has_packets() {
            let types = self.types.join(",");
            let message = format!("--types {types}: every packet of --from has other types, too");
            return Err(
                Failure::usage(message).hint("name all types of the packets, containers too")
            );
        }
        Ok(cases)
    }

    fn types(&self) -> Result<Types, Failure> {
        let Some(dialect) = self.format.dialect() else {
            if self.types.is_empty() {
                return Ok(Types::ALL);
            }
            return Err(Failure::usage("--types does not apply to ALB1 files"));
        };
        if self.types.is_empty() {
            return Ok(Types::ALL);
        }
        self.types.iter().map(|name| named(dialect, name)).collect()
    }

    /// Adds the packets of a file.
    fn read(&self, file: &Path, packets: &mut Vec<Vec<u8>>) -> Result<(), Failure> {
        let limits = LimitOptions::from(self.unpacking);
        let source = Source::open(file, None, self.key.key()?.as_ref(), limits)?;
        let (content, limits) = (source.content(), limits.limits());
        let failed =
            |error: Error| Failure::in_source(&source, error.shifted(source.skipped() as u64));
        let Some(dialect) = self.format.dialect() else {
            if let Some(other) = Other::by_start(content).filter(|&other| other != Other::Alb1) {
                let name = &source.name;
                return Err(Failure::no(format!("{name}: this is {other}, no ALB1 file")));
            }
            // Parsing here reports a wrong file before the run starts.
            Reader::new().limits(limits).read(content).map_err(failed)?;
            packets.push(content.to_vec());
            return Ok(());
        };
        let mut opener = Opener::new().double().dialect(dialect).limits(limits);
        if let Some(framing) = self.framing {
            opener = opener.framing(framing.framing());
        }
        let opened = opener.open(content).map_err(failed)?;
        let decoder = Decoder::new(dialect).double().limits(limits).allow_objects(true);
        let mut add = |packet: &[u8]| {
            let (_, length) = decoder.decode_prefix(packet)?;
            packets.push(packet.get(..length).unwrap_or(packet).to_vec());
            Ok(())
        };
        if opened.framing() == Framing::Settings {
            // The one packet of all settings is in no file: each setting has its own.
            let settings = Settings::new(content).map_err(failed)?.limits(limits);
            for setting in settings {
                let setting = setting.map_err(failed)?;
                add(setting.packet)
                    .map_err(|error: Error| failed(error.shifted(setting.offset)))?;
            }
            return Ok(());
        }
        opened.packets().try_for_each(add).map_err(failed)
    }
}

/// Returns the type with this name in the dialect, or in Godot 4.
fn named(dialect: Dialect, name: &str) -> Result<VariantType, Failure> {
    let called = |row: &&formwork_variant::dialect::Row| {
        row.name.eq_ignore_ascii_case(name) || row.variant_type.name().eq_ignore_ascii_case(name)
    };
    let row = dialect.rows().iter().find(called);
    row.map(|row| row.variant_type).ok_or_else(|| {
        let names: Vec<_> = dialect.rows().iter().map(|row| row.name).collect();
        Failure::usage(format!("--types: {dialect} has no type '{name}'"))
            .hint(format!("its types are {}", names.join(", ")))
    })
}
