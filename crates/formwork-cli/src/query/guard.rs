//! A guard against filters that run out of stack: filters recurse without a limit.
//!
//! A filter runs in a thread with a large stack. Each call of a definition first looks how much of that is
//! left.

use std::cell::Cell;
use std::io;

use formwork_variant::Real;
use jaq_core::box_iter::box_once;
use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::path::{Opt, Part, Path};
use jaq_core::{Error, Native};

use super::data::Kind;
use super::value::{TooDeep, Value};

/// Bytes of the stack; memory that is not used is not taken.
const STACK: usize = 512 << 20;

/// Bytes of it that calls may use. The rest is for the code between two calls and for deep values.
const FOR_CALLS: usize = 256 << 20;

/// The name of the check. No filter can call it: it is no word.
pub(super) const NAME: &str = "(stack)";

/// The names of `first` and `last` that no filter can define anew.
pub(super) const FIRST: &str = "(first)";
pub(super) const LAST: &str = "(last)";

thread_local! {
    static START: Cell<usize> = const { Cell::new(0) };
    static TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs what runs filters in a thread with enough stack.
pub(super) fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("filter".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || {
            START.set(here());
            run()
        })?;
        thread.join().map_err(|_| io::Error::other("the filter could not be run"))
    })
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

/// Whether such a value was made since this was last asked.
pub(super) fn was_too_deep() -> bool {
    TOO_DEEP.replace(false)
}

fn checked<R: Real>() -> Result<(), Error<Value<R>>> {
    if START.get().abs_diff(here()) > FOR_CALLS {
        return Err(Error::str("the filter calls itself too often"));
    }
    if TOO_DEEP.get() {
        return Err(Error::str(TooDeep));
    }
    Ok(())
}

/// Returns the check, as a filter that gives what it is given.
pub(super) fn check<R: Real>() -> Native<Kind<R>> {
    Native::<Kind<R>>::new(|cv| box_once(checked().map(|()| cv.1).map_err(Into::into)))
        .with_paths(|cv| box_once(checked().map(|()| cv.1).map_err(Into::into)))
        .with_update(|cv, f| match checked() {
            Ok(()) => f(cv.1),
            Err(error) => box_once(Err(error.into())),
        })
}

/// Whose a definition is. The ones that come with the program are written for the `reduce` of jaq.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Author {
    Program,
    User,
}

/// Returns a definition that checks the stack when it is called.
pub(super) fn guarded(def: Def<&str>, author: Author) -> Def<&str> {
    let Def { name, args, body } = def;
    let check = Box::new(Term::Call(NAME, Vec::new()));
    let body = Term::BinOp(check, BinaryOp::Pipe(None), Box::new(guarded_inside(body, author)));
    Def { name, args, body }
}

/// Returns a term whose definitions check the stack when they are called.
fn guarded_inside(term: Term<&str>, author: Author) -> Term<&str> {
    let inside = |term| guarded_inside(term, author);
    let pattern_inside = |pattern| pattern_inside(pattern, author);
    let boxed = |term: Box<Term<_>>| Box::new(inside(*term));
    let all = |terms: Vec<Term<_>>| terms.into_iter().map(inside).collect();
    match term {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) | Term::Var(_) => term,
        Term::Str(format, parts) => {
            let parts = parts.into_iter().map(|part| match part {
                StrPart::Term(term) => StrPart::Term(inside(term)),
                other => other,
            });
            Term::Str(format, parts.collect())
        }
        Term::Arr(term) => Term::Arr(term.map(boxed)),
        Term::Obj(pairs) => Term::Obj(
            pairs.into_iter().map(|(key, value)| (inside(key), value.map(inside))).collect(),
        ),
        Term::Neg(term) => Term::Neg(boxed(term)),
        Term::BinOp(left, BinaryOp::Pipe(Some(pattern)), right) => {
            Term::BinOp(boxed(left), BinaryOp::Pipe(Some(pattern_inside(pattern))), boxed(right))
        }
        Term::BinOp(left, operator, right) => Term::BinOp(boxed(left), operator, boxed(right)),
        Term::Label(name, term) => Term::Label(name, boxed(term)),
        Term::Fold(name, of, pattern, terms) => {
            let mut terms: Vec<_> = all(terms);
            if let ("reduce", Author::User, [_, update]) = (name, author, &mut terms[..])
                && !gives_one(update)
            {
                *update = last_or_null(std::mem::replace(update, Term::Id));
            }
            Term::Fold(name, boxed(of), pattern_inside(pattern), terms)
        }
        Term::TryCatch(term, catch) => Term::TryCatch(boxed(term), catch.map(boxed)),
        Term::IfThenElse(cases, other) => Term::IfThenElse(
            cases.into_iter().map(|(one, other)| (inside(one), inside(other))).collect(),
            other.map(boxed),
        ),
        Term::Def(defs, term) => {
            Term::Def(defs.into_iter().map(|def| guarded(def, author)).collect(), boxed(term))
        }
        Term::Call(name, arguments) => Term::Call(name, all(arguments)),
        Term::Path(term, Path(parts)) => {
            let parts = parts.into_iter().map(|(part, opt)| {
                let part = match part {
                    Part::Index(index) => Part::Index(inside(index)),
                    Part::Range(from, to) => Part::Range(from.map(inside), to.map(inside)),
                };
                (part, opt)
            });
            Term::Path(boxed(term), Path(parts.collect()))
        }
    }
}

/// Whether a term gives one value, or an error.
fn gives_one(term: &Term<&str>) -> bool {
    match term {
        Term::Id | Term::Num(_) | Term::Var(_) | Term::Arr(_) => true,
        Term::BinOp(left, BinaryOp::Math(_) | BinaryOp::Cmp(_) | BinaryOp::Pipe(None), right) => {
            gives_one(left) && gives_one(right)
        }
        Term::Path(term, Path(parts)) => {
            let is_one = |(part, opt): &(Part<Term<&str>>, Opt)| match (part, opt) {
                (Part::Index(index), Opt::Essential) => gives_one(index),
                _ => false,
            };
            gives_one(term) && parts.iter().all(is_one)
        }
        Term::Str(None, parts) => parts.iter().all(|part| !matches!(part, StrPart::Term(_))),
        _ => false,
    }
}

/// Returns a term that gives the last value of a term, or null where it gives none, as the updates of `reduce` do in jq.
fn last_or_null(term: Term<&str>) -> Term<&str> {
    let zero = (Part::Index(Term::Num("0")), Opt::Essential);
    let null = Term::Path(Box::new(Term::Arr(None)), Path(vec![zero]));
    let last = Term::Call(LAST, vec![term]);
    Term::Call(FIRST, vec![Term::BinOp(Box::new(last), BinaryOp::Comma, Box::new(null))])
}

fn pattern_inside(pattern: Pattern<&str>, author: Author) -> Pattern<&str> {
    let inside = |pattern| pattern_inside(pattern, author);
    match pattern {
        Pattern::Var(_) => pattern,
        Pattern::Arr(patterns) => Pattern::Arr(patterns.into_iter().map(inside).collect()),
        Pattern::Obj(pairs) => Pattern::Obj(
            pairs
                .into_iter()
                .map(|(key, value)| (guarded_inside(key, author), inside(value)))
                .collect(),
        ),
    }
}
