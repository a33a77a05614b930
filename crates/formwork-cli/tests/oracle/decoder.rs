//! Decoders for the tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the decoder that obeys the packets, compiled once.
fn misbehaving() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/decoders/misbehaving.rs");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let program = folder.join(format!("misbehaving{}", std::env::consts::EXE_SUFFIX));
        // Another test run may be using the old program, so the new one first gets another name.
        let fresh = folder.join(format!("misbehaving-{}", std::process::id()));
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let made = Command::new(rustc)
            .args(["--edition", "2024", "-O", "-o"])
            .args([&fresh, &source])
            .status()
            .expect("there is a compiler");
        assert!(made.success(), "the decoder is not compiled");
        std::fs::rename(&fresh, &program).expect("it can be renamed");
        program
    })
}

/// Returns the command that runs the decoder with arguments.
pub fn command(arguments: &str) -> String {
    let program = misbehaving().to_str().expect("the folder has a name in UTF-8");
    format!("'{program}' {arguments}")
}
