//! Runs the engine itself, if it is installed.

use std::io::{self, ErrorKind};
use std::process::{Command, Stdio};

/// The program: Godot 3 without a screen.
pub const PROGRAM: &str = "godot3-server";

/// The nanoseconds that `bytes2var` and `var2bytes` take for a packet, for each measurement.
#[derive(Default)]
pub struct Times {
    /// For reading it.
    pub decode: Vec<f64>,
    /// For writing its value again.
    pub encode: Vec<f64>,
}

/// Lets the engine read and write a packet several times; [`None`] if it is not installed.
///
/// # Errors
///
/// Returns an error if there is no room for its files, or if it cannot be run.
///
/// # Panics
///
/// Panics if it writes another packet for the value, or none.
pub fn times(packet: &[u8]) -> io::Result<Option<Times>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path();
    std::fs::write(path.join("project.godot"), "config_version=4\n")?;
    std::fs::write(path.join("main.gd"), include_str!("engine.gd"))?;
    std::fs::write(path.join("packet.bin"), packet)?;
    let mut command = Command::new(PROGRAM);
    command.arg("--path").arg(path).args(["-s", "main.gd"]).current_dir(path).env("HOME", path);
    let output = match command.stdin(Stdio::null()).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output?,
    };
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.lines().any(|line| line == "same True"), "the engine printed {printed}");
    let mut times = Times::default();
    for line in printed.lines().filter_map(|line| line.strip_prefix("> ")) {
        let microseconds = |time: &str| time.parse::<f64>().expect("it is a number");
        let (decode, encode) = line.split_once(' ').expect("there are two numbers");
        times.decode.push(microseconds(decode) * 1e3);
        times.encode.push(microseconds(encode) * 1e3);
    }
    Ok(Some(times))
}
