//! Compiled scripts (`.gdc`), as exports of a game contain them: names and literal values of the script, and
//! its tokens.
//!
//! The names and values show what the script does. The tokens are kept as bytes, as each release of the engine numbers
//! them differently. Scripts are only read.
//!
//! ```
//! use formwork_godot::script::{Head, read};
//! use formwork_variant::{Decoder, Variant};
//!
//! // Version 13, no names, one constant (the int 7), no lines, no tokens.
//! let file = b"GDSC\x0d\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\x07\0\0\0";
//! let head = Head::of(file)?;
//! assert_eq!(head.releases(), "Godot 3.1 to 3.6");
//!
//! let script = read(file, &Decoder::new(head.dialect()))?;
//! assert_eq!(script.constants, [Variant::Int(7)]);
//! # Ok::<(), formwork::Error>(())
//! ```

mod content;
mod read;
mod record;
pub mod rule;
mod version;

pub use content::{Content, content};
pub use read::{Line, Script, read};
pub use record::{
    Identifier, LineToken, ScriptContent, ScriptContent100, ScriptFile, ScriptHead, ScriptMark,
    Token, TokenByte, TokenIndex, TokenPlace, WideIdentifier,
};
pub use version::{Head, is_shader_cache, newer};
