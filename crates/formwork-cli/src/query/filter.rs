//! Filters: read, made ready, and run.

use jaq_core::load::lex::{StrPart, Tok, Token};
use jaq_core::load::parse::{Def, Parser, Term};
use jaq_core::load::{Arena, File, Lexer, Loader, span};
use jaq_core::{Compiler, Ctx, Error, Vars};
use jaq_std::input::RcIter;

use super::kind::{Kind, Known};
use super::value::Value;
use super::{functions, guard};
use crate::failure::{Failure, Status};
use crate::style::shown;

/// Bytes of a filter, at most: what reads it calls itself for each bracket.
const LONGEST: usize = 1 << 16;

/// Characters of a message that show a value.
const SHOWN: usize = 400;

/// The name of the definition that the filter is.
const MAIN: &str = "formwork_main";

/// A filter that can be run.
pub(super) struct Filter {
    filter: jaq_core::Filter<Kind>,
    arguments: Vec<Value>,
}

/// The inputs of a filter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Feed {
    /// Each value by itself.
    Each,
    /// All values as a list.
    Slurped,
    /// Nothing; it asks for the values.
    Nothing,
}

impl Filter {
    /// Reads a filter, which knows these variables.
    pub(super) fn new(code: &str, arguments: Vec<(String, Value)>) -> Result<Self, Failure> {
        if code.len() > LONGEST {
            let message = format!("the filter is too long: at most {LONGEST} bytes can be read");
            return Err(Failure::usage(message));
        }
        let (names, arguments): (Vec<_>, Vec<_>) =
            arguments.into_iter().map(|(name, value)| (format!("${name}"), value)).unzip();
        let unread = || Failure::usage("the filter could not be read");
        let main = Def { name: MAIN, args: Vec::new(), body: parsed(code)? };
        let arena = Arena::default();
        #[expect(
            clippy::map_identity,
            reason = "the closure lets definitions live as long as the filter"
        )]
        let definitions = functions::definitions().map(|def| -> Def<&str> { def }).chain([main]);
        let modules = Loader::new(definitions).load(&arena, File { code: MAIN, path: () });
        let compiled = Compiler::default()
            .with_funs(functions::functions())
            .with_global_vars(names.iter().map(String::as_str))
            .compile(modules.map_err(|_| unread())?);
        let filter = compiled.map_err(|errors| {
            let Some((name, what)) = errors.into_iter().flat_map(|(_, errors)| errors).next()
            else {
                return unread();
            };
            let what = what.as_str();
            let failure = fault(code, name, &format!("there is no {what} '{}'", shown(name)));
            match what {
                "filter" => failure.hint(format!("for the value at a key, write .{}", shown(name))),
                _ => failure,
            }
        })?;
        Ok(Self { filter, arguments })
    }

    /// Runs the filter, and hands each value that it gives to `take`.
    pub(super) fn run(
        &self,
        inputs: Vec<Value>,
        feed: Feed,
        mut take: impl FnMut(Value) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut first, rest) = match feed {
            Feed::Slurped => (Some(inputs.into_iter().collect()), Vec::new()),
            Feed::Nothing => (Some(Value::default()), inputs),
            Feed::Each => (None, inputs),
        };
        let rest: RcIter<Box<dyn Iterator<Item = Result<Value, String>>>> =
            RcIter::new(Box::new(rest.into_iter().map(Ok)));
        let known = Known { lut: &self.filter.lut, inputs: &rest };
        loop {
            let next = match feed {
                Feed::Each => (&rest).next().and_then(Result::ok),
                Feed::Slurped | Feed::Nothing => first.take(),
            };
            let Some(input) = next else { return Ok(()) };
            let context = Ctx::<Kind>::new(known, Vars::new(self.arguments.iter().cloned()));
            for made in self.filter.id.run((context, input)) {
                guard::checked().map_err(failed)?;
                let stopped = match made {
                    Ok(value) => {
                        take(value)?;
                        continue;
                    }
                    Err(stopped) => {
                        stopped.get_err().map_err(|it| it.get_halt().unwrap_or_default())
                    }
                };
                return Err(match stopped {
                    Ok(error) => failed(error),
                    // The filter ended by itself, with 'halt' or 'halt_error'.
                    Err(0) => return Ok(()),
                    Err(code) => {
                        let code = u8::try_from(code).unwrap_or(Status::No as u8);
                        Failure::said(Status::No).ending_with(code)
                    }
                });
            }
            guard::checked().map_err(failed)?;
        }
    }
}

/// Returns the names of members with which a filter begins, if it looks at nothing else of its input: `player` and `bag` of
/// `.player.bag[0] | f`. The filters after the first `|` see only the value there.
pub(super) fn leading(code: &str) -> Vec<String> {
    let Ok(tokens) = Lexer::new(code).lex() else { return Vec::new() };
    let is_literal = |token: &Token<&str>| match &token.1 {
        Tok::Num => true,
        Tok::Sym => matches!(token.0, ":" | "-"),
        Tok::Str(parts) => !parts.iter().any(|part| matches!(part, StrPart::Term(_))),
        _ => false,
    };
    let is_step = |token: &Token<&str>| match &token.1 {
        Tok::Sym => token.0 == "?" || token.0.starts_with('.') && token.0 != "..",
        Tok::Block(inside) => {
            let inside = inside.split_last().map_or(&[][..], |(_, inside)| inside);
            token.0.starts_with('[') && inside.iter().all(is_literal)
        }
        _ => false,
    };
    let is_pipe = |token: &Token<&str>| token.0 == "|";
    if !tokens.iter().take_while(|token| !is_pipe(token)).all(is_step) {
        return Vec::new();
    }
    let name = |token: &Token<&str>| match &token.1 {
        Tok::Sym if token.0.len() > 1 => token.0.strip_prefix('.').map(str::to_owned),
        _ => None,
    };
    tokens.iter().map_while(name).collect()
}

/// Reads a filter, and puts the guard of the stack into it.
fn parsed(code: &str) -> Result<Term<&str>, Failure> {
    let unread = || Failure::usage("the filter could not be read");
    let mut tokens = Lexer::new(code).lex().map_err(|errors| match errors.into_iter().next() {
        Some((expected, rest)) => {
            fault(code, word(rest), &format!("expected {}", expected.as_str()))
        }
        None => unread(),
    })?;
    guard::guard(&mut tokens);
    Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        let Some((expected, found)) = errors.into_iter().next() else { return unread() };
        let expected = match expected.as_str() {
            "" | "nothing" => "the end".to_owned(),
            word if word.starts_with(char::is_alphabetic) => word.to_owned(),
            sign => format!("'{sign}'"),
        };
        fault(code, word(Token::opt_as_str(found, code)), &format!("expected {expected}"))
    })
}

/// Returns the first word of a part of a filter, for a message.
fn word(part: &str) -> &str {
    let end = part.find(char::is_whitespace).unwrap_or(part.len()).max(1);
    part.get(..end).unwrap_or(part)
}

/// A fault in a filter, and its place.
fn fault(code: &str, part: &str, what: &str) -> Failure {
    /// Columns of a line that is shown with its place.
    const WIDTH: usize = 200;
    let bytes = code.as_bytes().as_ptr_range();
    let is_inside = (bytes.start..=bytes.end).contains(&part.as_ptr());
    let at = if is_inside { span(code, part).start } else { 0 };
    let start = code[..at].rfind('\n').map_or(0, |line| line + 1);
    let text = code[start..].lines().next().unwrap_or_default();
    let column = code[start..at].chars().count();
    let line = match code[..at].matches('\n').count() {
        0 => String::new(),
        lines => format!("line {}, ", lines + 1),
    };
    let found = match part {
        _ if !what.starts_with("expected") => String::new(),
        "" => ", found the end".to_owned(),
        part => format!(", found '{}'", shown(part)),
    };
    let failure = Failure::usage(format!("the filter, {line}column {}: {what}{found}", column + 1));
    match text.chars().count() {
        0..=WIDTH => failure.line(shown(text)).line(format!("{}^", " ".repeat(column))),
        _ => failure,
    }
}

/// The error that a filter raises.
fn failed(error: Error<Value>) -> Failure {
    let value = error.into_val();
    let text = value.text().unwrap_or_else(|| value.to_string());
    let text = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    };
    Failure::no(format!("the filter: {}", shown(text)))
}
