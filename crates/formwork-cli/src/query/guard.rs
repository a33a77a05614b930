//! A guard against filters that run out of stack: they call themselves without a limit.
//!
//! Each definition of a filter and of the prelude first looks how much of the stack is left. (The others of jaq's library
//! call themselves at most as often as a value nests, which is limited.) So that useful recursion has room, the
//! filter runs in a thread with a large stack. Where there are no threads (WASI), it runs in the main one, whose stack is
//! to be at least as large as [`SMALL`].

use std::cell::Cell;

use jaq_core::box_iter::box_once;
use jaq_core::load::lex::{StrPart, Tok, Token};
use jaq_core::{Error, Native};

use super::filter::Kind;
use super::value::Value;

/// Bytes of the stack of the thread; memory that is not used is not taken. Calls may use half of them. The rest is for the
/// code between two calls and for deep values.
const LARGE: usize = 512 << 20;

/// Bytes of the stack that a filter has without threads.
const SMALL: usize = 8 << 20;

/// The name of the check. No filter can call it: it is no word.
pub(super) const NAME: &str = "(stack)";

thread_local! {
    static START: Cell<usize> = const { Cell::new(0) };
    static ROOM: Cell<usize> = const { Cell::new(0) };
    static TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs what runs filters where they have enough stack.
pub(super) fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    let mut run = Some(run);
    let mut begin = |room: usize| {
        START.set(here());
        ROOM.set(room / 2);
        run.take().map(|run| run())
    };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("filter".to_owned()).stack_size(LARGE);
        thread.spawn_scoped(scope, || begin(LARGE)).map(|thread| thread.join())
    });
    match ended {
        Ok(ended) => ended.ok().flatten(),
        Err(_) => begin(SMALL),
    }
}

/// Returns where in the stack it is called.
#[inline(never)]
fn here() -> usize {
    let mark = 0_u8;
    std::ptr::from_ref(&mark).addr()
}

/// Remembers that a value was made that is nested too deep, where no error can be given.
pub(super) fn note_too_deep() {
    TOO_DEEP.set(true);
}

/// Fails if the stack comes to its end, or if a value was nested too deep since this was last asked.
pub(super) fn checked() -> Result<(), Error<Value>> {
    if START.get().abs_diff(here()) > ROOM.get() {
        return Err(Error::str("the filter calls itself too often"));
    }
    match TOO_DEEP.replace(false) {
        true => Err(Error::str("a value nests too deep")),
        false => Ok(()),
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
            && !tokens.get(at.wrapping_sub(1)).is_some_and(|Token(text, _)| *text == ".");
        if is_one && let Some(colon) = tokens[at..].iter().position(|Token(text, _)| *text == ":") {
            let body = at + colon + 1;
            tokens.splice(body..body, [Token(NAME, Tok::Word), Token("|", Tok::Sym)]);
        }
        at += 1;
    }
}
