//! The options that open and close encrypted files.

use super::source;
use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;

use super::echo::Silence;
use super::failure::Failure;
use super::input;
use super::source::{is_stdin, without_mark};
use super::store;
use super::terminal;

/// The heading of the options about containers in the help.
pub const HEADING: &str = "Compressed and encrypted files";

/// The key or password of encrypted files.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub struct KeyOptions {
    /// Password of the encrypted file
    ///
    /// The game's scripts contain it, in a call of open_encrypted_with_pass or save_encrypted_pass.
    /// Other users of this computer may see the command line; use --password-file to avoid that.
    #[arg(long, value_name = "PASSWORD", help_heading = HEADING)]
    password: Option<Secret>,
    /// Read the password from the first line of PATH ('-' for standard input)
    #[arg(long, value_name = "PATH", help_heading = HEADING, hide_short_help = true)]
    password_file: Option<PathBuf>,
    /// Key of the encrypted file, if the game has no password: 64 hex digits or 32 characters
    #[arg(long, value_name = "KEY", help_heading = HEADING, hide_short_help = true)]
    key: Option<Secret>,
}

/// The key or password of new files, if it is another one.
#[derive(Args, Clone, Debug, Default)]
#[group(multiple = false)]
pub struct NewKeyOptions {
    /// Encrypt with this password [default: the password or key of the input]
    #[arg(long, value_name = "PASSWORD", help_heading = HEADING, hide_short_help = true)]
    new_password: Option<Secret>,
    /// Read the new password from the first line of PATH ('-' for standard input)
    #[arg(long, value_name = "PATH", help_heading = HEADING, hide_short_help = true)]
    new_password_file: Option<PathBuf>,
    /// Encrypt with this key: 64 hex digits or 32 characters
    #[arg(long, value_name = "KEY", help_heading = HEADING, hide_short_help = true)]
    new_key: Option<Secret>,
}

impl KeyOptions {
    /// The hint for a missing password or key.
    pub const HINT: &str = "use --password PASSWORD, --password-file PATH or --key KEY";

    /// Returns the key from the options.
    pub fn key(&self) -> Result<Option<Key>, Failure> {
        let Self { password, password_file, key } = self;
        chosen(password.as_ref(), password_file.as_deref(), key.as_ref(), "--key")
    }

    /// Returns the path of the file with the password.
    pub fn file(&self) -> Option<&Path> {
        self.password_file.as_deref()
    }
}

impl NewKeyOptions {
    /// Returns the key from the options.
    pub fn key(&self) -> Result<Option<Key>, Failure> {
        let Self { new_password, new_password_file, new_key } = self;
        let file = new_password_file.as_deref();
        chosen(new_password.as_ref(), file, new_key.as_ref(), "--new-key")
    }

    /// Returns the path of the file with the password.
    pub fn file(&self) -> Option<&Path> {
        self.new_password_file.as_deref()
    }
}

/// A password or key as typed. No message may contain it.
#[derive(Clone)]
struct Secret(String);

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

fn chosen(
    password: Option<&Secret>,
    file: Option<&Path>,
    key: Option<&Secret>,
    option: &str,
) -> Result<Option<Key>, Failure> {
    if let Some(Secret(key)) = key {
        return typed(key).map(Some).ok_or_else(|| {
            // The message must not repeat the key, so it is not left to the parser of the options.
            Failure::usage(format!("{option}: a key is 64 hex digits, or 32 characters"))
        });
    }
    match (password, file) {
        (Some(Secret(password)), _) => Ok(Some(Key::from_password(password))),
        (None, Some(file)) => first_line(file).map(|password| Some(Key::from_password(&password))),
        (None, None) => Ok(None),
    }
}

/// Asks for the password of an encrypted file, which starts after `skip` bytes. Returns [`None`] for other files, for an
/// empty line, and where standard input or error is no terminal.
pub fn asked(file: &Path, skip: u64) -> Result<Option<Key>, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let is_encrypted = |(_, start): (_, Vec<u8>)| {
        let start = usize::try_from(skip).ok().and_then(|skip| start.get(skip..));
        start.and_then(Other::by_start) == Some(Other::GodotEncrypted)
    };
    if !input::file_and_start(file).is_some_and(is_encrypted) {
        return Ok(None);
    }
    let Some(_silence) = Silence::begin() else { return Ok(None) };
    let mut out = terminal::stderr();
    // Without the question, the answer is still read.
    let _ = write!(out, "password of {}: ", source::name(file)).and_then(|()| out.flush());
    let password = first_line(Path::new("-"))?;
    Ok((!password.is_empty()).then(|| Key::from_password(&password)))
}

/// Parses a key in hexadecimal digits, or in characters that are 32 bytes.
fn typed(text: &str) -> Option<Key> {
    if let Ok(bytes) = text.as_bytes().try_into() {
        return Some(Key::new(bytes));
    }
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let mut key = [0; 32];
    if pairs.len() != key.len() {
        return None;
    }
    for (byte, digits) in key.iter_mut().zip(pairs) {
        let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? << 4 | low?).ok()?;
    }
    Some(Key::new(key))
}

/// Reads the first line of a file, without its line break.
fn first_line(path: &Path) -> Result<String, Failure> {
    /// Size limit, larger than any password: a wrong file is not read to its end.
    const LONGEST: u64 = 1 << 16;
    let name = source::name(path);
    let mut line = Vec::new();
    let read = if is_stdin(path) {
        io::stdin().lock().take(LONGEST).read_until(b'\n', &mut line)
    } else {
        store::open(path)
            .and_then(|file| BufReader::new(file).take(LONGEST).read_until(b'\n', &mut line))
    };
    match read {
        Err(error) => return Err(Failure::stream("could not be read", &name, &error)),
        Ok(0) => return Err(Failure::unreadable(format!("{name}: the file contains no password"))),
        Ok(_) => {}
    }
    if line.len() as u64 == LONGEST {
        return Err(Failure::unreadable(format!(
            "{name}: the first line is too long for a password"
        )));
    }
    let line = without_mark(&line);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(line) => Ok(line.to_owned()),
        Err(_) => Err(Failure::unreadable(format!("{name}: the password in it is not UTF-8"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_64_hex_digits_or_32_bytes() {
        let is_key = |text: &str| typed(text).is_some();
        assert!(is_key(&"0aF9".repeat(16)));
        assert!(is_key(&"x".repeat(32)));
        // Sixteen characters, but 32 bytes.
        assert!(is_key(&"\u{e9}".repeat(16)));
        for wrong in ["", "x", &"x".repeat(64), &"00".repeat(31), &"0".repeat(63), "+1"] {
            assert!(!is_key(wrong), "{wrong}");
        }
        assert!(!is_key(&"+1".repeat(32)));
    }

    #[test]
    fn a_secret_is_not_shown() {
        let options =
            KeyOptions { password: Some(Secret("hunter2".into())), ..KeyOptions::default() };
        let shown = format!("{options:?}");
        assert!(!shown.contains("hunter2") && shown.contains("hidden"), "{shown}");
    }
}
