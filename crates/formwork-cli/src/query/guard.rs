//! A guard against filters that run out of stack: they call themselves without a limit.
//!
//! Each definition of a filter and of the prelude first looks how much of the stack is left. (The others of jaq's library
//! call themselves at most as often as a value nests, which is limited.) So that useful recursion has room, the
//! filter runs in a thread with a large stack. Where there are no threads (WASI), it runs in the main one, whose stack is
//! to be at least as large as `stack::SMALL`.

use jaq_core::box_iter::box_once;
use jaq_core::load::lex::{StrPart, Tok, Token};
use jaq_core::{Error, Native};

use super::kind::Kind;
use super::stack;
use super::value::Value;

/// The name of the check. No filter can call it: it is no word.
pub(super) const NAME: &str = "(stack)";

/// Fails if the stack comes to its end, or if a value was nested too deep since this was last asked.
pub(super) fn checked() -> Result<(), Error<Value>> {
    match stack::fault() {
        Some(fault) => Err(Error::str(fault)),
        None => Ok(()),
    }
}

/// Returns the check, as a filter that gives what it is given.
pub(super) fn check() -> Native<Kind> {
    Native::<Kind>::new(|cv| box_once(checked().map(|()| cv.1).map_err(Into::into)))
        .with_paths(|cv| box_once(checked().map(|()| cv.1).map_err(Into::into)))
        .with_update(|cv, f| match checked() {
            Ok(()) => f(cv.1),
            Err(error) => box_once(Err(error.into())),
        })
}

/// Puts the check at the start of each definition: `def f: g;` becomes `def f: check | g;`.
pub(super) fn guard(tokens: &mut Vec<Token<&str>>) {
    for Token(_, token) in &mut *tokens {
        match token {
            Tok::Block(tokens) => guard(tokens),
            Tok::Str(parts) => parts.iter_mut().for_each(|part| {
                if let StrPart::Term(Token(_, Tok::Block(tokens))) = part {
                    guard(tokens);
                }
            }),
            _ => {}
        }
    }
    let mut at = 0;
    while at < tokens.len() {
        let is_one = matches!(tokens[at], Token("def", Tok::Word))
            && matches!(tokens.get(at + 1), Some(Token(_, Tok::Word)))
            && tokens.get(at.wrapping_sub(1)).is_none_or(|Token(text, _)| *text != ".");
        if is_one && let Some(colon) = tokens[at..].iter().position(|Token(text, _)| *text == ":") {
            let body = at + colon + 1;
            tokens.splice(body..body, [Token(NAME, Tok::Word), Token("|", Tok::Sym)]);
        }
        at += 1;
    }
}
