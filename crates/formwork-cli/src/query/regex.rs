//! Regular expressions in filters, in the syntax that jq reads: Oniguruma's.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Match, Regex, RegexBuilder};
use formwork_variant::{Real, VariantString};
use jaq_core::native::{Filter, bome, v};
use jaq_core::{Error, RunPtr, ValR};

use super::data::Kind;
use super::value::Value;

/// The definitions of jaq that are otherwise here: its expressions know neither look-around nor letters beyond ASCII.
pub(super) const REPLACED: [&str; 10] = [
    "capture_of_match",
    "test",
    "scan_",
    "match",
    "capture",
    "split",
    "splits",
    "sub",
    "gsub",
    "scan",
];

/// Returns the functions that the definitions of regular expressions call.
pub(super) fn functions<R: Real>() -> Vec<Filter<RunPtr<Kind<R>>>> {
    vec![
        ("matches", v(2), |mut cv| {
            let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
            bome(matches(&cv.1, &pattern, &flags))
        }),
        ("joined", v(0), |cv| bome(joined(&cv.1))),
    ]
}

/// A text with the places of its characters, in which matches are counted.
struct Letters {
    text: String,
    numbers: Vec<u32>,
    /// The offset of each character, and the end of the last one.
    starts: Vec<usize>,
}

impl Letters {
    /// Returns the characters; what no UTF-8 holds matches as U+FFFD, and is kept in what is found.
    fn of(text: &VariantString) -> Self {
        let numbers: Vec<u32> = text.numbers().collect();
        let (mut searched, mut starts) = (String::new(), Vec::with_capacity(numbers.len() + 1));
        for number in &numbers {
            starts.push(searched.len());
            searched.push(char::from_u32(*number).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        starts.push(searched.len());
        Self { text: searched, numbers, starts }
    }

    /// Returns the number of the character that starts at a byte.
    fn number(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start < byte)
    }

    /// Returns what an expression, or a group of it, matched, as jq describes it.
    fn described<R: Real>(
        &self,
        found: Option<Match<'_>>,
        more: (&'static str, Value<R>),
    ) -> ValR<Value<R>> {
        let (offset, length, string) = match found {
            None => (Value::Int(-1), Value::Int(0), Value::Nil),
            Some(found) => {
                let (start, end) = (self.number(found.start()), self.number(found.end()));
                let string = self.numbers[start..end].iter().copied();
                let string = Value::text(VariantString::from_numbers(string));
                (Value::from(start), Value::from(end - start), string)
            }
        };
        let members = [("offset", offset), ("length", length), ("string", string), more];
        let members = members.into_iter().map(|(name, value)| (Value::text(name), value));
        jaq_core::ValT::from_map(members)
    }
}

/// Returns all matches, or the first one, as jq describes them.
fn matches<R: Real>(value: &Value<R>, pattern: &Value<R>, flags: &Value<R>) -> ValR<Value<R>> {
    let (searched, pattern) = (string(value)?, string(pattern)?);
    let flags = match flags {
        Value::Nil => String::new(),
        flags => string(flags)?.to_string_lossy().into_owned(),
    };
    let regex = compiled(&pattern.to_string_lossy(), &flags).map_err(Error::str)?;
    let letters = Letters::of(searched);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = letters.starts.get(at) {
        let captures = regex.captures_from_pos(letters.text.as_str(), *start);
        // An expression that goes back again and again is stopped.
        let captures = captures
            .map_err(|error| Error::str(format_args!("the regular expression: {error}")))?;
        let Some((captures, whole)) = captures.and_then(|all| all.get(0).map(|it| (all, it)))
        else {
            break;
        };
        at = letters.number(whole.end()) + usize::from(whole.start() == whole.end());
        let mut groups = Vec::new();
        for (number, name) in regex.capture_names().enumerate().skip(1) {
            let name = name.map_or(Value::Nil, Value::text);
            groups.push(letters.described(captures.get(number), ("name", name))?);
        }
        let groups = Value::list(groups).map_err(Error::str)?;
        found.push(letters.described(Some(whole), ("captures", groups))?);
        if !flags.contains('g') {
            break;
        }
    }
    Value::list(found).map_err(Error::str)
}

fn string<R: Real>(value: &Value<R>) -> Result<&VariantString, Error<Value<R>>> {
    match value {
        Value::Text(text) => Ok(&text.text),
        value => {
            Err(Error::str(format_args!("{value} cannot be matched, because it is no string")))
        }
    }
}

/// Returns the texts of a list as one.
fn joined<R: Real>(parts: &Value<R>) -> ValR<Value<R>> {
    let parts = parts.elements().ok_or_else(|| Error::typ(parts.clone(), "array"))?;
    let mut numbers = Vec::new();
    for part in &parts {
        match part {
            Value::Text(text) => numbers.extend(text.text.numbers()),
            part => return Err(Error::typ(part.clone(), "string")),
        }
    }
    Ok(Value::text(VariantString::from_numbers(numbers)))
}

/// Returns the expression; one that is used for every element of a list is made ready once.
fn compiled(pattern: &str, flags: &str) -> Result<Rc<Regex>, String> {
    /// Expressions that are kept, at most.
    const KEPT: usize = 64;
    thread_local! {
        static READY: RefCell<HashMap<(String, String), Rc<Regex>>> = RefCell::default();
    }
    let known = (pattern.to_owned(), flags.to_owned());
    if let Some(regex) = READY.with_borrow(|ready| ready.get(&known).cloned()) {
        return Ok(regex);
    }
    let mut builder = RegexBuilder::new(&at_line_break(pattern));
    builder.oniguruma_mode(true);
    for flag in flags.chars() {
        match flag {
            'g' | 's' => &mut builder,
            'i' => builder.case_insensitive(true),
            'x' => builder.ignore_whitespace(true),
            'n' => builder.find_not_empty(true),
            'p' => builder.dot_matches_new_line(true),
            'l' => builder.leftmost_longest(true),
            _ => return Err(format!("{flags} is not a valid modifier string")),
        };
    }
    let regex = builder.build();
    let regex =
        regex.map_err(|error| format!("{pattern} (at offset 0) is not a valid regex: {error}"))?;
    let regex = Rc::new(regex);
    READY.with_borrow_mut(|ready| {
        if ready.len() == KEPT {
            ready.clear();
        }
        ready.insert(known, Rc::clone(&regex));
    });
    Ok(regex)
}

/// Returns the expression with `$` as Oniguruma has it: before a line break at the very end, too.
fn at_line_break(pattern: &str) -> String {
    let (mut made, mut is_escaped, mut in_class) = (String::new(), false, false);
    for letter in pattern.chars() {
        let is_end = letter == '$' && !is_escaped && !in_class;
        made.push_str(if is_end { "\\" } else { "" });
        made.push(if is_end { 'Z' } else { letter });
        in_class = match letter {
            '[' if !is_escaped => true,
            ']' if !is_escaped => false,
            _ => in_class,
        };
        is_escaped = letter == '\\' && !is_escaped;
    }
    made
}
