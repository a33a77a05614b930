//! The decoder with the planted defects, as a program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use formwork_kit::Format;
use formwork_kit::oracle::target::TargetSpec;
use formwork_variant::Dialect;

/// The formats that the decoder reads.
pub(crate) const FORMATS: [Format; 3] =
    [Format::Variant(Dialect::GODOT3), Format::Variant(Dialect::GODOT4), Format::Alb1];

/// A mistake that can be planted in the decoder.
pub(crate) struct Defect {
    pub(crate) name: String,
    /// The formats in which the mistake shows.
    pub(crate) formats: Vec<Format>,
    pub(crate) description: String,
}

/// Returns all defects of the decoder.
pub(crate) fn list() -> Vec<Defect> {
    let output = Command::new(program()).arg("--list").output().expect("the decoder starts");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("names are text");
    text.lines()
        .map(|line| {
            let mut columns = line.split('\t').map(str::to_owned);
            let mut column = || columns.next().expect("three columns");
            let (name, formats, description) = (column(), column(), column());
            let format = |name: &str| name.parse().expect("a format by name");
            Defect { name, formats: formats.split(',').map(format).collect(), description }
        })
        .collect()
}

/// Returns how the decoder is started.
pub(crate) fn spec(format: Format, defect: Option<&str>) -> TargetSpec {
    TargetSpec::persistent(&command(format, defect)).expect("a command")
}

/// Returns the command line that starts the decoder.
pub(crate) fn command(format: Format, defect: Option<&str>) -> String {
    let program = program().to_str().expect("the path is text");
    let mut words = vec![program.to_owned(), "--format".into(), name(format).into()];
    words.extend(defect.into_iter().flat_map(|name| ["--defect".to_owned(), name.to_owned()]));
    let words = words.iter().map(|word| format!("'{word}'"));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the format's name without its version.
pub(crate) fn name(format: Format) -> &'static str {
    match format {
        Format::Alb1 => "alb1",
        Format::Variant(dialect) if dialect == Dialect::GODOT3 => "godot3",
        Format::Variant(_) => "godot4",
    }
}

/// Returns the path of the decoder, compiled on the first call. It needs only the standard library, so one
/// call of the compiler builds it optimised, independent of the profile of the tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/defective_decoder/main.rs");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("defective_decoder{}", std::env::consts::EXE_SUFFIX));
        // Cargo's compiler is in the same folder.
        let compiler = Path::new(env!("CARGO"))
            .with_file_name(format!("rustc{}", std::env::consts::EXE_SUFFIX));
        let status = Command::new(compiler)
            .args(["--edition", "2024", "-O", "-C", "lto=off", "-C", "strip=debuginfo", "-o"])
            .args([&program, &source])
            .status()
            .expect("the compiler starts");
        assert!(status.success(), "the decoder does not compile");
        program
    })
}
