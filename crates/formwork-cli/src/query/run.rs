//! Filters: read, made ready, and run.

use formwork_variant::Dialect;
use formwork_variant::Real;
use jaq_core::load::parse::{Def, Parser, Term};
use jaq_core::load::{Arena, File, Lexer, Loader, span};
use jaq_core::{Compiler, Ctx, Error, Vars};
use jaq_std::input::{Inputs, RcIter};

use super::data::{Kind, Known};
use super::guard::Author;
use super::value::{TooDeep, Value};
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
pub(super) struct Filter<R: Real> {
    filter: jaq_core::Filter<Kind<R>>,
    arguments: Vec<Value<R>>,
    dialect: Option<Dialect>,
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

/// Whether a filter is to go on.
pub(super) type Next = Result<(), Failure>;

impl<R: Real> Filter<R> {
    /// Reads a filter, which knows these variables.
    pub(super) fn new(
        code: &str,
        arguments: Vec<(String, Value<R>)>,
        dialect: Option<Dialect>,
    ) -> Result<Self, Failure> {
        if code.len() > LONGEST {
            let message = format!("the filter is too long: at most {LONGEST} bytes can be read");
            return Err(Failure::usage(message));
        }
        let (names, arguments): (Vec<_>, Vec<_>) =
            arguments.into_iter().map(|(name, value)| (format!("${name}"), value)).unzip();
        let main = Def { name: MAIN, args: Vec::new(), body: parsed(code)? };
        let known = functions::definitions().map(shorter);
        let known = known.map(|def| guard::guarded(def, Author::Program));
        let definitions = known.chain([guard::guarded(main, Author::User)]);
        let arena = Arena::default();
        let loaded = Loader::new(definitions).load(&arena, File { code: MAIN, path: () });
        let modules = loaded.map_err(|_| Failure::usage("the filter could not be read"))?;
        let filter = Compiler::default()
            .with_funs(functions::functions())
            .with_global_vars(names.iter().map(String::as_str))
            .compile(modules)
            .map_err(|errors| {
                let found = errors.into_iter().flat_map(|(_, errors)| errors).next();
                found.map_or_else(
                    || Failure::usage("the filter could not be read"),
                    |(name, what)| {
                        let what = what.as_str();
                        let failure =
                            fault(code, name, &format!("there is no {what} '{}'", shown(name)));
                        match what {
                            "filter" => failure
                                .hint(format!("for the value at a key, write .{}", shown(name))),
                            _ => failure,
                        }
                    },
                )
            })?;
        Ok(Self { filter, arguments, dialect })
    }

    /// Runs the filter, and hands each value that it gives to `take`.
    pub(super) fn run(
        &self,
        inputs: Vec<Value<R>>,
        feed: Feed,
        mut take: impl FnMut(Value<R>) -> Next,
    ) -> Result<(), Failure> {
        let (first, rest) = match feed {
            Feed::Slurped => (vec![Value::list(inputs).map_err(deep)?], Vec::new()),
            Feed::Nothing => (vec![Value::Nil], inputs),
            Feed::Each => (Vec::new(), inputs),
        };
        let rest: RcIter<Box<dyn Iterator<Item = Result<Value<R>, String>>>> =
            RcIter::new(Box::new(rest.into_iter().map(Ok)));
        let inputs: Inputs<'_, Value<R>> = &rest;
        let mut first = first.into_iter();
        loop {
            let input = match feed {
                Feed::Each => (&rest).next().and_then(Result::ok),
                Feed::Slurped | Feed::Nothing => first.next(),
            };
            let Some(input) = input else { return Ok(()) };
            let known = Known { lut: &self.filter.lut, inputs, dialect: self.dialect };
            let context = Ctx::<Kind<R>>::new(known, Vars::new(self.arguments.iter().cloned()));
            for made in self.filter.id.run((context, input)) {
                if guard::was_too_deep() {
                    return Err(deep(TooDeep));
                }
                match made {
                    Ok(value) => take(value)?,
                    Err(stopped) => match stopped.get_err() {
                        Ok(error) => return Err(failed(error)),
                        // The filter ended by itself, with 'halt' or 'halt_error'.
                        Err(stopped) => match stopped.get_halt() {
                            Ok(0) | Err(_) => return Ok(()),
                            Ok(code) => {
                                let code = u8::try_from(code).unwrap_or(Status::No as u8);
                                return Err(Failure::said(Status::No).ending_with(code));
                            }
                        },
                    },
                }
            }
        }
    }
}

/// Lets a definition live as long as the filter.
fn shorter<'s>(def: Def<&'static str>) -> Def<&'s str> {
    def
}

fn parsed(code: &str) -> Result<Term<&str>, Failure> {
    let tokens = Lexer::new(code).lex().map_err(|errors| {
        let found = errors.into_iter().next();
        found.map_or_else(
            || Failure::usage("the filter could not be read"),
            |(expected, rest)| fault(code, first(rest), &format!("expected {}", expected.as_str())),
        )
    })?;
    Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        let found = errors.into_iter().next();
        found.map_or_else(
            || Failure::usage("the filter could not be read"),
            |(expected, found)| {
                let found = jaq_core::load::lex::Token::opt_as_str(found, code);
                let expected = match expected.as_str() {
                    "" | "nothing" => "the end".to_owned(),
                    word if word.starts_with(char::is_alphabetic) => word.to_owned(),
                    sign => format!("'{sign}'"),
                };
                fault(code, first(found), &format!("expected {expected}"))
            },
        )
    })
}

/// Returns the first word of a part of a filter, for a message.
fn first(part: &str) -> &str {
    let end = part.find(char::is_whitespace).unwrap_or(part.len());
    let end = if end == 0 { part.len().min(1) } else { end };
    part.get(..end).unwrap_or(part)
}

/// A fault in a filter, and its place.
fn fault(code: &str, part: &str, what: &str) -> Failure {
    let is_inside = code.as_bytes().as_ptr_range().contains(&part.as_ptr())
        || std::ptr::eq(part.as_ptr(), code.as_bytes().as_ptr_range().end);
    let at = if is_inside { span(code, part).start } else { 0 };
    let start = code[..at].rfind('\n').map_or(0, |line| line + 1);
    let end = code[at..].find('\n').map_or(code.len(), |line| at + line);
    let column = code[start..at].chars().count();
    let line = code[..at].matches('\n').count() + 1;
    let place = match line {
        1 => format!("column {}", column + 1),
        line => format!("line {line}, column {}", column + 1),
    };
    let found = match part {
        "" => "the end".to_owned(),
        part => format!("'{}'", shown(part)),
    };
    let found =
        if what.starts_with("expected") { format!(", found {found}") } else { String::new() };
    let failure = Failure::usage(format!("the filter, {place}: {what}{found}"));
    /// Columns of a line that is shown with its place.
    const WIDTH: usize = 200;
    match code[start..end].chars().count() {
        0..=WIDTH => {
            failure.line(shown(&code[start..end])).line(format!("{}^", " ".repeat(column)))
        }
        _ => failure,
    }
}

fn deep(error: TooDeep) -> Failure {
    Failure::no(format!("the filter: {error}"))
}

/// The error that a filter raises.
fn failed<R: Real>(error: Error<Value<R>>) -> Failure {
    let text = match error.into_val() {
        Value::Text(text) => text.text.to_string_lossy().into_owned(),
        value => value.to_string(),
    };
    let text = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    };
    Failure::no(format!("the filter: {}", shown(text)))
}
