//! Expressions in the language of Kaitai Struct.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::names::snake;
use super::{Need, State, Through, argument, ids, last_named, refused, through};
use crate::error::Result;
use crate::schema::{Expression, Integer, Layout, Meaning, Operator, Record, ViewFrom};

/// An expression of Kaitai.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// Whether it needs no parentheses.
    is_whole: bool,
    /// Whether the position of an element is in it.
    pub(super) is_by_index: bool,
}

/// The kind of an expression.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Bool,
    Number(Integer),
    Bytes,
    Text,
    Other,
}

impl Kind {
    /// Returns the type of a parameter.
    pub(super) fn parameter(self) -> Option<String> {
        Some(match self {
            Self::Bool => "bool".to_owned(),
            Self::Bytes => "bytes".to_owned(),
            Self::Number(Integer { bits: 0, .. }) => "s8".to_owned(),
            Self::Number(Integer { bits: 1, .. }) => "u1".to_owned(),
            Self::Number(it) => format!("{}{}", if it.signed { 's' } else { 'u' }, it.bytes()),
            Self::Text | Self::Other => return None,
        })
    }
}

impl Said {
    pub(super) fn new(text: impl Into<String>, kind: Kind) -> Self {
        Self { text: text.into(), kind, is_whole: false, is_by_index: false }
    }

    pub(super) fn whole(text: impl Into<String>, kind: Kind) -> Self {
        Self { is_whole: true, ..Self::new(text, kind) }
    }

    /// Returns the text as part of another one.
    pub(super) fn part(&self) -> String {
        if self.is_whole { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Returns the number of a truth, or the number.
    fn number(self) -> Self {
        match self.kind {
            Kind::Bool => {
                let text = format!("{}.to_i", self.part());
                Self { text, kind: Kind::Number(Integer::BOOL), is_whole: true, ..self }
            }
            _ => self,
        }
    }

    /// Returns the truth.
    pub(super) fn truth(self) -> Self {
        match (self.kind, &*self.text) {
            (Kind::Bool, _) => self,
            (_, "0") => Self::whole("false", Kind::Bool),
            (_, "1") => Self::whole("true", Kind::Bool),
            _ => {
                let text = format!("{} != 0", self.part());
                Self { text, kind: Kind::Bool, is_whole: false, ..self }
            }
        }
    }

    fn integer(&self) -> Integer {
        match self.kind {
            Kind::Number(integer) => integer,
            Kind::Bool => Integer::BOOL,
            _ => Integer::ANY,
        }
    }

    /// Returns whether it may be negative, as far as its type says.
    fn may_be_negative(&self) -> bool {
        self.integer().signed && !self.text.bytes().all(|it| it.is_ascii_digit())
    }
}

/// The names of a record.
pub(super) struct Scope {
    pub(super) record: &'static Record,
    pub(super) ids: Vec<String>,
    /// The parameters that are used, and their names.
    pub(super) parameters: Vec<(Need, String)>,
    /// The sums of lists that expressions use: the field, and what leads to the number in an element.
    pub(super) sums: RefCell<BTreeSet<(usize, Vec<&'static str>)>>,
}

/// Returns the largest number of a type, and the smallest.
fn limits(ty: Integer) -> (i128, i128) {
    let Integer { bits, signed } = ty;
    if signed { ((1 << (bits - 1)) - 1, -(1 << (bits - 1))) } else { ((1 << bits) - 1, 0) }
}

impl Scope {
    /// Returns the name of the place that the offset of a view counts from.
    pub(super) fn start_id(&self, from: ViewFrom) -> String {
        let mut id = match from {
            ViewFrom::Field(slot) => format!("{}_start", self.ids[slot].trim_end_matches('_')),
            _ => "record_start".to_owned(),
        };
        while self.ids.contains(&id) || self.ids.contains(&format!("{id}_at")) {
            id.push_str("_2");
        }
        id
    }

    /// Returns the name of the place in front of a field, or after the last one.
    pub(super) fn place_id(&self, slot: usize) -> String {
        if slot < self.ids.len() {
            return self.start_id(ViewFrom::Field(slot));
        }
        let mut id = "record_end".to_owned();
        while self.ids.contains(&id) || self.ids.contains(&format!("{id}_at")) {
            id.push_str("_2");
        }
        id
    }

    /// Returns the name of a sum over a list.
    pub(super) fn sum_id(&self, slot: usize, parts: &[&str]) -> String {
        let parts = parts.iter().map(|part| format!("_{}", snake(part))).collect::<String>();
        format!("{}{parts}_sums", self.ids[slot].trim_end_matches('_'))
    }

    fn sum(&self, slot: usize, parts: Vec<&'static str>) -> Said {
        let id = self.sum_id(slot, &parts);
        self.sums.borrow_mut().insert((slot, parts));
        let text = format!("{id}.size == 0 ? 0 : {id}.last.sum");
        Said::new(text, Kind::Number(Integer { bits: 64, signed: false }))
    }

    /// Returns a field or parameter, and parts of it in turn.
    pub(super) fn place(&self, name: &Expression, more: &[&'static str]) -> Result<Said> {
        match name {
            Expression::Untyped(inner) => self.place(inner, more),
            Expression::Field(slot, parts, text) => {
                let slot = usize::from(*slot);
                let parts: Vec<_> = parts.iter().chain(more).copied().collect();
                let field = &self.record.fields[slot];
                if let Some(computed) = &field.computed {
                    let kind = self.said(computed)?.kind;
                    return Ok(Said::whole(self.ids[slot].clone(), kind));
                }
                if let [.., "total"] = parts[..] {
                    if parts.len() > 1 {
                        return Err(refused(format!(
                            "`{text}`, a sum of a list in another record"
                        )));
                    }
                    return Ok(self.sum(slot, Vec::new()));
                }
                let layout = (field.layout)();
                reach(&self.ids[slot], (layout, field.meaning, field.used), &parts, text)
            }
            Expression::Parameter(index, parts, text) => {
                let parts: Vec<_> = parts.iter().chain(more).copied().collect();
                let mut all = self.parameters.iter();
                let found =
                    all.find(|(need, _)| need.index == usize::from(*index) && need.parts == parts);
                match found {
                    Some((need, id)) => Ok(Said::whole(id.clone(), need.kind)),
                    None => Err(refused(format!("`{text}`"))),
                }
            }
            other => Err(refused(format!("`{other}`, of which a part is used"))),
        }
    }

    /// Returns a condition.
    pub(super) fn truth(&self, expression: &Expression) -> Result<Said> {
        Ok(self.said(expression)?.truth())
    }

    /// Returns a number.
    pub(super) fn number(&self, expression: &Expression) -> Result<Said> {
        Ok(self.said(expression)?.number())
    }

    /// Returns an expression in the language of Kaitai.
    pub(super) fn said(&self, expression: &Expression) -> Result<Said> {
        let any = Kind::Number(Integer::ANY);
        Ok(match expression {
            Expression::Number(number) | Expression::Constant(number, _) if *number < 0 => {
                Said::new(number.to_string(), any)
            }
            Expression::Number(number) | Expression::Constant(number, _) => {
                Said::whole(number.to_string(), any)
            }
            Expression::Field(..) | Expression::Parameter(..) => self.place(expression, &[])?,
            Expression::Not(inner) => {
                let said = self.said(inner)?;
                match (said.kind, said.integer()) {
                    (Kind::Bool, _) => {
                        Said { text: format!("not {}", said.part()), is_whole: false, ..said }
                    }
                    (_, ty @ Integer { bits: 2.., signed: false }) => {
                        let text = format!("{} ^ {}", said.part(), limits(ty).0);
                        Said { text, is_whole: false, ..said }
                    }
                    _ => Said { text: format!("~{}", said.part()), is_whole: false, ..said },
                }
            }
            Expression::Negative(inner) => {
                let said = self.number(inner)?;
                Said { text: format!("-{}", said.part()), is_whole: false, ..said }
            }
            Expression::Untyped(inner) => {
                let said = self.said(inner)?;
                match said.kind {
                    Kind::Number(_) => Said { kind: any, ..said },
                    _ => said,
                }
            }
            Expression::Cast(inner, ty) => cast(self.number(inner)?, *ty),
            Expression::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.truth(condition)?, self.said(yes)?, self.said(no)?);
                let is_bool = yes.kind == Kind::Bool && no.kind == Kind::Bool;
                let (yes, no) = if is_bool { (yes, no) } else { (yes.number(), no.number()) };
                let kind = if yes.integer().bits == 0 { no.kind } else { yes.kind };
                joined(&[&condition, &yes, &no], kind, |[condition, yes, no]| {
                    format!("{condition} ? {yes} : {no}")
                })
            }
            Expression::Or(inner, other) => {
                let condition = self.is_there(inner)?;
                let (inner, other) = (self.said(inner)?, self.said(other)?);
                let Some(condition) = condition else { return Ok(inner) };
                let (inner, other) = match inner.kind {
                    Kind::Bool => (inner, other.truth()),
                    _ => (inner.number(), other.number()),
                };
                let kind = inner.kind;
                joined(&[&condition, &inner, &other], kind, |[condition, inner, other]| {
                    format!("{condition} ? {inner} : {other}")
                })
            }
            Expression::Call(function, _) => {
                return Err(refused(format!("the function `{}`", function.name)));
            }
            Expression::Index => Said {
                is_by_index: true,
                ..Said::whole("_index", Kind::Number(Integer { bits: 64, signed: false }))
            },
            // What is computed later has to count from the same place: each has an instance.
            Expression::Here(slot) => Said::new(
                format!(
                    "{}_at - {}_at",
                    self.place_id(usize::from(*slot)),
                    self.start_id(ViewFrom::Record)
                ),
                Kind::Number(Integer { bits: 64, signed: false }),
            ),
            Expression::Left(slot) => Said::new(
                format!("_io.size - {}_at", self.place_id(usize::from(*slot))),
                Kind::Number(Integer { bits: 64, signed: false }),
            ),
            Expression::Element(list, index, parts) => {
                let Expression::Field(slot, [], _) = list else {
                    return Err(refused(format!("`{expression}`")));
                };
                let index = self.number(index)?;
                let said = self.element(usize::from(*slot), &index.text, parts)?;
                Said { is_by_index: index.is_by_index, ..said }
            }
            Expression::Total(list, parts) => match list {
                Expression::Field(slot, [], _) => self.sum(usize::from(*slot), parts.to_vec()),
                _ => return Err(refused(format!("`{expression}`"))),
            },
            Expression::Bytes(field, operator, bytes) => {
                let field_said = self.place(field, &[])?;
                if field_said.kind != Kind::Bytes {
                    return Err(refused(format!("`{expression}`: here `{field}` is no bytes")));
                }
                let sign = sign(*operator).unwrap_or("==");
                let text = match bytes {
                    [] => format!("{}.length {sign} 0", field_said.part()),
                    bytes => format!("{} {sign} {}", field_said.part(), list_of(bytes)),
                };
                Said::new(text, Kind::Bool)
            }
            Expression::Binary(left, operator, right) => self.binary(left, *operator, right)?,
        })
    }

    /// Returns when all fields that an expression uses are there; nothing if they always are.
    fn is_there(&self, expression: &Expression) -> Result<Option<Said>> {
        let mut all: Vec<Said> = Vec::new();
        let mut wrong = None;
        expression.names(&mut |name| {
            let Expression::Field(slot, _, text) = name else { return };
            let field = &self.record.fields[usize::from(*slot)];
            let mut layout = (field.layout)();
            while let Layout::Same(of) = layout {
                layout = of();
            }
            if matches!(layout, Layout::OrEnd(_)) {
                wrong = Some(refused(format!("`{text}`, which may be missing at the end")));
            }
            match field.when.as_ref().map(|when| self.truth(when)) {
                Some(Ok(when)) => all.push(when),
                Some(Err(error)) => wrong = Some(error),
                None => {}
            }
        });
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let both =
            |a: Said, b: Said| joined(&[&a, &b], Kind::Bool, |[a, b]| format!("{a} and {b}"));
        Ok(all.into_iter().reduce(both))
    }

    /// Returns a number in an element of a list of this record.
    pub(super) fn element(&self, slot: usize, index: &str, parts: &[&'static str]) -> Result<Said> {
        let field = &self.record.fields[slot];
        let list = self.place(&Expression::Field(slot as u16, &[], field.name), &[])?;
        let mut layout = (field.layout)();
        loop {
            layout = match layout {
                Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) => {
                    let text = format!("{}[{index}]", list.text);
                    return reach(&text, (of(), Meaning::Plain, false), parts, &text);
                }
                Layout::Same(of) | Layout::Within(of) | Layout::Before(of) | Layout::OrEnd(of) => {
                    of()
                }
                _ => return Err(refused(format!("an element of `{}`", field.name))),
            };
        }
    }

    fn binary(&self, left: &Expression, operator: Operator, right: &Expression) -> Result<Said> {
        let (a, b) = (self.said(left)?, self.said(right)?);
        if matches!(operator, Operator::And | Operator::Or) {
            let word = if operator == Operator::And { "and" } else { "or" };
            let (a, b) = (a.truth(), b.truth());
            return Ok(joined(&[&a, &b], Kind::Bool, |[a, b]| format!("{a} {word} {b}")));
        }
        let are_bool = a.kind == Kind::Bool && b.kind == Kind::Bool;
        if are_bool {
            let word = match operator {
                Operator::BitAnd => Some("and"),
                Operator::BitOr => Some("or"),
                Operator::BitXor | Operator::Ne => Some("!="),
                Operator::Eq => Some("=="),
                _ => None,
            };
            if let Some(word) = word {
                return Ok(joined(&[&a, &b], Kind::Bool, |[a, b]| format!("{a} {word} {b}")));
            }
        }
        // A truth, and the number that Kaitai has in its place.
        if matches!(operator, Operator::Eq | Operator::Ne)
            && (a.kind == Kind::Bool || b.kind == Kind::Bool)
        {
            let sign = if operator == Operator::Eq { "==" } else { "!=" };
            let (a, b) = match (a.text.as_str(), b.text.as_str()) {
                (_, "0" | "1") | ("0" | "1", _) => (a.truth(), b.truth()),
                _ => (a.number(), b.number()),
            };
            return Ok(joined(&[&a, &b], Kind::Bool, |[a, b]| format!("{a} {sign} {b}")));
        }
        let (a, b) = (a.number(), b.number());
        let is_shift = matches!(operator, Operator::Shl | Operator::Shr);
        let ty = if a.integer().bits > 0 || is_shift { a.integer() } else { b.integer() };
        let kind = Kind::Number(ty);
        let unlike = || refused(format!("`{left}` and `{right}`, which may be negative, divided"));
        let is_negative = a.may_be_negative() || b.may_be_negative();
        let number = |to: &dyn Fn([String; 2]) -> String| joined(&[&a, &b], kind, to);
        Ok(match operator {
            Operator::Eq
            | Operator::Ne
            | Operator::Lt
            | Operator::Le
            | Operator::Gt
            | Operator::Ge => {
                let sign = sign(operator).unwrap_or("==");
                joined(&[&a, &b], Kind::Bool, |[a, b]| format!("{a} {sign} {b}"))
            }
            Operator::Add => number(&|[a, b]| format!("{a} + {b}")),
            Operator::Sub => number(&|[a, b]| format!("{a} - {b}")),
            Operator::Mul => number(&|[a, b]| format!("{a} * {b}")),
            Operator::BitXor => number(&|[a, b]| format!("{a} ^ {b}")),
            Operator::BitAnd => number(&|[a, b]| format!("{a} & {b}")),
            Operator::BitOr => number(&|[a, b]| format!("{a} | {b}")),
            Operator::Shr => number(&|[a, b]| format!("{a} >> {b}")),
            Operator::Shl => {
                let wide = Said {
                    kind: Kind::Number(Integer::ANY),
                    ..number(&|[a, b]| format!("{a} << {b}"))
                };
                if ty.bits == 0 { wide } else { cast(wide, ty) }
            }
            // Kaitai rounds down; Rust rounds towards zero.
            Operator::Div if !is_negative => number(&|[a, b]| format!("{a} / {b}")),
            Operator::Rem if !is_negative => number(&|[a, b]| format!("{a} % {b}")),
            Operator::Div if !b.may_be_negative() => {
                number(&|[a, b]| format!("{a} < 0 ? -(-{a} / {b}) : {a} / {b}"))
            }
            Operator::Rem if !b.may_be_negative() => {
                number(&|[a, b]| format!("{a} < 0 ? -(-{a} % {b}) : {a} % {b}"))
            }
            Operator::DivEuclid if !b.may_be_negative() => number(&|[a, b]| format!("{a} / {b}")),
            Operator::RemEuclid if !b.may_be_negative() => number(&|[a, b]| format!("{a} % {b}")),
            Operator::DivCeil if !is_negative => number(&|[a, b]| format!("({a} + {b} - 1) / {b}")),
            Operator::NextMultiple if !is_negative => {
                number(&|[a, b]| format!("({a} + {b} - 1) / {b} * {b}"))
            }
            Operator::Max => number(&|[a, b]| format!("{a} > {b} ? {a} : {b}")),
            Operator::Min => number(&|[a, b]| format!("{a} < {b} ? {a} : {b}")),
            Operator::SaturatingSub if ty.bits > 0 && !ty.signed => {
                number(&|[a, b]| format!("{a} > {b} ? {a} - {b} : 0"))
            }
            Operator::SaturatingSub | Operator::SaturatingAdd | Operator::SaturatingMul => {
                let sign = match operator {
                    Operator::SaturatingSub => '-',
                    Operator::SaturatingAdd => '+',
                    _ => '*',
                };
                number(&|[a, b]| {
                    let all = format!("{a} {sign} {b}");
                    if ty.bits == 0 {
                        return all;
                    }
                    let (most, least) = limits(ty);
                    match ty.signed {
                        true => {
                            format!("{all} > {most} ? {most} : ({all} < {least} ? {least} : {all})")
                        }
                        false => format!("{all} > {most} ? {most} : {all}"),
                    }
                })
            }
            _ => return Err(unlike()),
        })
    }

    /// Returns what is handed over for a parameter of a type.
    pub(super) fn handed(
        &self,
        arguments: &'static crate::schema::Arguments,
        need: &Need,
        name: &str,
    ) -> Result<Said> {
        let Some(expression) = argument(arguments, need.index, name) else {
            return Err(refused(format!(
                "the parameter `{name}`, which nothing is handed over for"
            )));
        };
        let said = match need.parts.is_empty() && need.kind != Kind::Bytes {
            true => self.said(expression)?,
            false => self.place(expression, &need.parts)?,
        };
        Ok(match need.kind {
            Kind::Bool => said.truth(),
            Kind::Number(_) => said.number(),
            kind if said.kind == kind => said,
            _ => return Err(refused(format!("`{expression}`, which is handed over as bytes"))),
        })
    }
}

/// Returns parts as one expression.
fn joined<const N: usize>(
    parts: &[&Said; N],
    kind: Kind,
    to: impl FnOnce([String; N]) -> String,
) -> Said {
    let is_by_index = parts.iter().any(|part| part.is_by_index);
    Said { is_by_index, ..Said::new(to(parts.map(Said::part)), kind) }
}

fn cast(said: Said, ty: Integer) -> Said {
    let from = said.integer();
    let kind = Kind::Number(ty);
    let fits = from.bits > 0
        && if ty.signed == from.signed {
            from.bits <= ty.bits
        } else {
            ty.signed && from.bits < ty.bits
        };
    let is_small = said.text.parse::<i128>().is_ok_and(|number| ty.holds(number));
    if fits || is_small || ty.bits == 0 {
        return Said { kind, ..said };
    }
    let (mask, half) = ((1_i128 << ty.bits) - 1, 1_i128 << (ty.bits - 1));
    let low = format!("{} & {mask}", said.part());
    let text = if ty.signed { format!("(({low}) ^ {half}) - {half}") } else { low };
    Said { text, kind, is_whole: false, ..said }
}

const fn sign(operator: Operator) -> Option<&'static str> {
    Some(match operator {
        Operator::Eq => "==",
        Operator::Ne => "!=",
        Operator::Lt => "<",
        Operator::Le => "<=",
        Operator::Gt => ">",
        Operator::Ge => ">=",
        _ => return None,
    })
}

/// Returns bytes as Kaitai writes them.
pub(super) fn list_of(bytes: &[u8]) -> String {
    let all: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
    format!("[{}]", all.join(", "))
}

/// Returns the parts in turn of what has this layout, meaning and use, and is called so.
pub(super) fn reach(
    id: &str,
    (mut layout, mut meaning, mut used): (Layout, Meaning, bool),
    parts: &[&'static str],
    whole: &str,
) -> Result<Said> {
    let no = || Err(refused(format!("`{whole}`")));
    let (mut text, mut parts, mut state) = (id.to_owned(), parts, State::default());
    loop {
        match through(layout, meaning, state) {
            Through::Inner(of, next) => {
                if next.repeats && !state.repeats {
                    return match parts {
                        [] => Ok(Said::whole(text, Kind::Other)),
                        ["len"] => Ok(Said::whole(
                            format!("{text}.size"),
                            Kind::Number(Integer { bits: 64, signed: false }),
                        )),
                        _ => no(),
                    };
                }
                (layout, state) = (of, next);
                continue;
            }
            Through::Wrapped => {
                text.push_str(".it");
                state = State::default();
                continue;
            }
            Through::Here => {}
        }
        let wide = Kind::Number(Integer { bits: 64, signed: false });
        return Ok(match (layout, parts) {
            (Layout::Record(record), [name, rest @ ..]) => {
                let Some(slot) = last_named(record, name) else { return no() };
                let field = &record.fields[slot];
                if super::chooses_order(record) {
                    text.push_str(".it");
                }
                let id = &ids(record)[slot];
                text = format!("{text}.{id}");
                if let Some(computed) = &field.computed {
                    let kind = match computed {
                        Expression::Not(_) | Expression::Bytes(..) => Kind::Bool,
                        Expression::Binary(_, operator, _) if sign(*operator).is_some() => {
                            Kind::Bool
                        }
                        Expression::Binary(_, Operator::And | Operator::Or, _) => Kind::Bool,
                        _ => Kind::Number(Integer::ANY),
                    };
                    return Ok(Said::whole(text, kind));
                }
                if field.when.is_some() && !rest.is_empty() {
                    return no();
                }
                (layout, meaning, used) = ((field.layout)(), field.meaning, field.used);
                (parts, state) = (rest, State::default());
                continue;
            }
            (Layout::Word(word), [name] | [name, "number"]) => {
                let mut found = word.parts.iter().zip(super::part_ids(word));
                let Some((part, id)) = found.rfind(|(part, _)| part.name == *name) else {
                    return no();
                };
                let text = format!("{text}.{id}");
                match part.meaning {
                    Meaning::Names([_, ..]) => {
                        Said::whole(format!("{text}.to_i"), Kind::Number(part.integer()))
                    }
                    _ if part.width == 1 => Said::whole(text, Kind::Bool),
                    _ => Said::whole(text, Kind::Number(part.integer())),
                }
            }
            (Layout::Varint(form), ["value"]) => {
                Said::whole(format!("{text}.value"), Kind::Number(form.number))
            }
            (Layout::Integer { number, names, .. }, [] | ["number"]) => {
                let has_names = !names.is_empty() || matches!(meaning, Meaning::Names([_, ..]));
                let text = if has_names { format!("{text}.to_i") } else { text };
                Said::whole(text, Kind::Number(number))
            }
            (_, ["len"]) => Said::whole(format!("{text}.length"), wide),
            (
                Layout::Array(..)
                | Layout::List(_)
                | Layout::ToEnd(_)
                | Layout::Terminated(_)
                | Layout::Opaque,
                [],
            ) => {
                let is_text = super::text_of(layout, meaning, used).is_some();
                Said::whole(text, if is_text { Kind::Text } else { Kind::Bytes })
            }
            (_, []) => Said::whole(text, Kind::Other),
            _ => return no(),
        });
    }
}
