//! Expressions of counts, sizes and conditions: their values, and which values give a wanted one.

use std::cmp::Ordering;
use std::fmt;

/// The type of a whole number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Integer {
    /// Its width: 8, 16, 32, 64 or 128; 1 for `bool`, 0 for a number whose type is that of its neighbour.
    pub bits: u8,
    /// Whether it may be negative.
    pub signed: bool,
}

impl Integer {
    /// A number whose type is that of its neighbour in the expression: a literal.
    pub const ANY: Self = Self { bits: 0, signed: true };
    /// A truth.
    pub const BOOL: Self = Self { bits: 1, signed: false };
    /// A number of bytes, or a position.
    pub(crate) const U64: Self = Self { bits: 64, signed: false };

    /// Returns its width in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        (self.bits as usize).div_ceil(8)
    }

    /// Returns whether the type has the number.
    #[must_use]
    pub const fn holds(self, number: i128) -> bool {
        match (self.bits, self.signed) {
            (0, _) => true,
            (1, _) => number == 0 || number == 1,
            // Such a number is in no expression, and an unsigned one is these bits.
            (128.., _) => true,
            (bits, false) => number >= 0 && number >> bits == 0,
            (bits, true) => matches!(number >> (bits - 1), 0 | -1),
        }
    }

    /// Returns the number that `as` makes of it.
    const fn cut(self, number: i128) -> i128 {
        if self.bits == 0 || self.bits >= 128 {
            return number;
        }
        let low = number & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) == 1 { low - (1 << self.bits) } else { low }
    }

    /// Returns the largest and the smallest number.
    const fn limits(self) -> (i128, i128) {
        match (self.bits, self.signed) {
            (0 | 128.., _) => (i128::MIN, i128::MAX),
            (bits, false) => (0, (1 << bits) - 1),
            (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        }
    }

    /// Returns the number in these bytes, whose order is big endian or not; of one of 16 bytes its bits.
    #[must_use]
    pub fn read(self, bytes: &[u8], big: bool) -> i128 {
        if self.bits >= 128 {
            return wide(bytes, big) as i128;
        }
        let raw = raw(bytes, big);
        self.cut(raw.into())
    }

    /// Returns the digits of the number in these bytes, whose order is big endian or not.
    pub(crate) fn digits(self, bytes: &[u8], big: bool) -> String {
        let number = self.read(bytes, big);
        if self.is_wide() && !self.signed {
            (number as u128).to_string()
        } else {
            number.to_string()
        }
    }

    /// Returns whether it has 16 bytes: it is in no expression then.
    pub(crate) const fn is_wide(self) -> bool {
        self.bits >= 128
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bits {
            0 => f.write_str("number"),
            1 => f.write_str("bool"),
            bits => write!(f, "{}{bits}", if self.signed { 'i' } else { 'u' }),
        }
    }
}

/// Returns the unsigned number in up to eight bytes, whose order is big endian or not.
#[must_use]
pub fn raw(bytes: &[u8], big: bool) -> u64 {
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
}

/// Returns the unsigned number in up to sixteen bytes, whose order is big endian or not.
pub(crate) fn wide(bytes: &[u8], big: bool) -> u128 {
    let add = |number: u128, byte: &u8| number << 8 | u128::from(*byte);
    if big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
}

/// Returns a number whose lowest bits are set.
pub(crate) const fn low_bits(width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => u64::MAX >> (64 - width),
        _ => u64::MAX,
    }
}

/// Operators of two numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(missing_docs, reason = "their names are those of Rust")]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    BitXor,
    BitAnd,
    BitOr,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Max,
    Min,
    SaturatingSub,
    SaturatingAdd,
    SaturatingMul,
    DivCeil,
    NextMultiple,
    RemEuclid,
    DivEuclid,
}

impl Operator {
    /// Returns how strongly it binds, and its sign; `None` for a method.
    const fn sign(self) -> Option<(u8, &'static str)> {
        Some(match self {
            Self::Mul => (9, "*"),
            Self::Div => (9, "/"),
            Self::Rem => (9, "%"),
            Self::Add => (8, "+"),
            Self::Sub => (8, "-"),
            Self::Shl => (7, "<<"),
            Self::Shr => (7, ">>"),
            Self::BitAnd => (6, "&"),
            Self::BitXor => (5, "^"),
            Self::BitOr => (4, "|"),
            Self::Eq => (3, "=="),
            Self::Ne => (3, "!="),
            Self::Lt => (3, "<"),
            Self::Le => (3, "<="),
            Self::Gt => (3, ">"),
            Self::Ge => (3, ">="),
            Self::And => (2, "&&"),
            Self::Or => (1, "||"),
            _ => return None,
        })
    }

    const fn method(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::SaturatingSub => "saturating_sub",
            Self::SaturatingAdd => "saturating_add",
            Self::SaturatingMul => "saturating_mul",
            Self::DivCeil => "div_ceil",
            Self::RemEuclid => "rem_euclid",
            Self::DivEuclid => "div_euclid",
            _ => "next_multiple_of",
        }
    }
}

/// A function of the bytes of a field.
#[derive(Debug)]
pub struct Function {
    /// The function, as it is declared.
    pub name: &'static str,
    /// Computes the number; `None` where the bytes do not fit its argument.
    pub value: fn(&[u8]) -> Option<i128>,
    /// Returns bytes of which the function makes the number.
    pub inverse: Option<Inverse>,
}

/// Returns bytes of which a [`Function`] makes the number.
pub type Inverse = fn(i128) -> Option<Vec<u8>>;

/// An expression over the fields and parameters of a record.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    /// A number.
    Number(i128),
    /// A constant, with its text.
    Constant(i128, &'static str),
    /// The field at this position, the parts of it in turn, and the text.
    Field(u16, &'static [&'static str], &'static str),
    /// The parameter at this position, the parts of it in turn, and the text.
    Parameter(u16, &'static [&'static str], &'static str),
    /// `!a`
    Not(&'static Expression),
    /// `-a`
    Negative(&'static Expression),
    /// `a.into()`: the number, of any type.
    Untyped(&'static Expression),
    /// `a as u32`
    Cast(&'static Expression, Integer),
    /// `a + b`
    Binary(&'static Expression, Operator, &'static Expression),
    /// `if a { b } else { c }`
    If(&'static Expression, &'static Expression, &'static Expression),
    /// `a.unwrap_or(b)`: `b` where the field is not there.
    Or(&'static Expression, &'static Expression),
    /// `function(&field)`
    Call(&'static Function, &'static Expression),
    /// `list[index]`, and the parts of the element in turn.
    Element(&'static Expression, &'static Expression, &'static [&'static str]),
    /// The sum of a number of all elements of a list, which these parts in turn lead to.
    Total(&'static Expression, &'static [&'static str]),
    /// The position of the element that gets an argument.
    Index,
    /// `here`: the number of bytes of the record before the field at this position.
    Here(u16),
    /// `left`: the number of bytes from the field at this position on, up to the end of the region.
    Left(u16),
    /// `field == b".."`, and the other comparisons of bytes.
    Bytes(&'static Expression, Operator, &'static [u8]),
}

/// A number and its type.
pub(crate) type Typed = (i128, Integer);

/// The names that an expression is evaluated with.
pub(crate) trait Names {
    /// Returns the number of a field or parameter.
    fn number(&mut self, name: &Expression) -> Option<Typed>;
    /// Returns the bytes of a field.
    fn bytes(&mut self, name: &Expression) -> Option<Vec<u8>>;
    /// Returns a number in an element of a list.
    fn element(&mut self, list: &Expression, index: i128, parts: &[&str]) -> Option<Typed> {
        let _ = (list, index, parts);
        None
    }
    /// Returns the position of the element whose arguments these are.
    fn index(&self) -> Option<u64> {
        None
    }
    /// Returns the number of bytes of the record before a field.
    fn here(&mut self, slot: usize) -> Option<u64> {
        let _ = slot;
        None
    }
    /// Returns the number of bytes of the region from a field on.
    fn left(&mut self, slot: usize) -> Option<u64> {
        let _ = slot;
        None
    }
}

/// Names that can be set, to solve an expression.
pub(crate) trait SetNames: Names {
    /// Sets a field or parameter, and returns whether that can be done.
    fn set(&mut self, name: &Expression, number: i128) -> bool;
    /// Sets the bytes of a field.
    fn set_bytes(&mut self, name: &Expression, bytes: &[u8]) -> bool;
    /// Sets a number in an element of a list.
    fn set_element(
        &mut self,
        list: &Expression,
        index: i128,
        parts: &[&str],
        number: i128,
    ) -> bool {
        let _ = (list, index, parts, number);
        false
    }
}

/// The values of fields and parameters by name.
struct ByName<F>(F);

impl<F> Names for ByName<F>
where
    F: FnMut(&'static str, &'static [&'static str]) -> Option<Typed>,
{
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        let (name, parts) = name.path()?;
        (self.0)(name, parts)
    }

    fn bytes(&mut self, _: &Expression) -> Option<Vec<u8>> {
        None
    }
}

impl Expression {
    /// Returns the value of part of an expression: most are names and numbers, which need no call.
    #[inline]
    fn operand(&self, names: &mut (impl Names + ?Sized)) -> Option<Typed> {
        match self {
            Self::Number(number) | Self::Constant(number, _) => Some((*number, Integer::ANY)),
            Self::Field(..) | Self::Parameter(..) => names.number(self),
            _ => self.value(names),
        }
    }

    /// Returns the value; `None` where Rust would overflow, divide by zero, or find no such value.
    pub(crate) fn value(&self, names: &mut (impl Names + ?Sized)) -> Option<Typed> {
        Some(match self {
            Self::Number(number) | Self::Constant(number, _) => (*number, Integer::ANY),
            Self::Field(..) | Self::Parameter(..) => names.number(self)?,
            Self::Not(inner) => match inner.operand(names)? {
                (number, Integer::BOOL) => (i128::from(number == 0), Integer::BOOL),
                (number, ty) => (ty.cut(!number), ty),
            },
            Self::Negative(inner) => {
                let (number, ty) = inner.operand(names)?;
                let number = number.checked_neg()?;
                ty.holds(number).then_some((number, ty))?
            }
            Self::Untyped(inner) => (inner.operand(names)?.0, Integer::ANY),
            Self::Cast(inner, ty) => (ty.cut(inner.operand(names)?.0), *ty),
            Self::If(condition, yes, no) => {
                if condition.operand(names)?.0 != 0 {
                    yes.operand(names)?
                } else {
                    no.operand(names)?
                }
            }
            Self::Or(inner, other) => match inner.operand(names) {
                Some(value) => value,
                None => other.operand(names)?,
            },
            Self::Call(function, field) => {
                let bytes = names.bytes(field)?;
                ((function.value)(&bytes)?, Integer::ANY)
            }
            Self::Index => (names.index()?.into(), Integer::U64),
            Self::Here(slot) => (names.here((*slot).into())?.into(), Integer::U64),
            Self::Left(slot) => (names.left((*slot).into())?.into(), Integer::U64),
            Self::Element(list, index, parts) => {
                let index = index.operand(names)?.0;
                names.element(list, index, parts)?
            }
            Self::Total(list, parts) => {
                let (count, ty) = list.length(names)?;
                let mut sum = 0_u64;
                for index in 0..count {
                    let (number, _) = names.element(list, index, parts)?;
                    sum = sum.saturating_add(u64::try_from(number).ok()?);
                }
                (sum.into(), ty)
            }
            Self::Bytes(field, operator, other) => {
                let order = names.bytes(field)?.as_slice().cmp(*other);
                (operator.fits(order)?.into(), Integer::BOOL)
            }
            // The right side is not evaluated where the left one decides.
            Self::Binary(left, Operator::And, right) => {
                let holds = left.operand(names)?.0 != 0 && right.operand(names)?.0 != 0;
                (holds.into(), Integer::BOOL)
            }
            Self::Binary(left, Operator::Or, right) => {
                let holds = left.operand(names)?.0 != 0 || right.operand(names)?.0 != 0;
                (holds.into(), Integer::BOOL)
            }
            Self::Binary(left, operator, right) => {
                operator.apply(left.operand(names)?, right.operand(names)?)?
            }
        })
    }

    /// Gives the expression a value by setting one of the names in it, and returns whether that could be done.
    pub(crate) fn solve(&self, wanted: i128, names: &mut dyn SetNames) -> bool {
        match self {
            Self::Number(number) | Self::Constant(number, _) => *number == wanted,
            Self::Field(..) | Self::Parameter(..) => names.set(self, wanted),
            Self::Untyped(inner) | Self::Cast(inner, _) => inner.solve(wanted, names),
            Self::Negative(inner) => {
                wanted.checked_neg().is_some_and(|wanted| inner.solve(wanted, names))
            }
            Self::Not(inner) => inner.solve((wanted == 0).into(), names),
            Self::Or(inner, other) => match inner.value(names) {
                Some(_) => inner.solve(wanted, names),
                // What is not there may have to be.
                None => other.solve(wanted, names) || inner.solve(wanted, names),
            },
            Self::Call(function, field) => {
                let bytes = function.inverse.and_then(|inverse| inverse(wanted));
                bytes.is_some_and(|bytes| {
                    (function.value)(&bytes) == Some(wanted) && names.set_bytes(field, &bytes)
                })
            }
            Self::Index | Self::Here(_) | Self::Left(_) | Self::Total(..) => {
                self.value(names).is_some_and(|it| it.0 == wanted)
            }
            Self::Element(list, index, parts) => match index.value(names) {
                Some((index, _)) => names.set_element(list, index, parts, wanted),
                None => false,
            },
            Self::Bytes(field, operator, other) => {
                let is_so = self.value(names).is_some_and(|it| (it.0 != 0) == (wanted != 0));
                is_so
                    || match (operator, wanted != 0) {
                        (Operator::Eq | Operator::Le | Operator::Ge, true)
                        | (Operator::Ne | Operator::Lt | Operator::Gt, false) => {
                            names.set_bytes(field, other)
                        }
                        (Operator::Eq, false) | (Operator::Ne, true) => {
                            let mut bytes = other.to_vec();
                            bytes.iter_mut().rev().take(1).for_each(|last| *last ^= 1);
                            !bytes.is_empty() && names.set_bytes(field, &bytes)
                        }
                        _ => false,
                    }
            }
            Self::If(condition, yes, no) => match condition.value(names) {
                // Where the branch that is taken has no such value, the other one may.
                Some((0, _)) => {
                    no.solves(wanted, names) && self.is(wanted, names)
                        || condition.solve(1, names) && yes.solve(wanted, names)
                }
                Some(_) => {
                    yes.solves(wanted, names) && self.is(wanted, names)
                        || condition.solve(0, names) && no.solve(wanted, names)
                }
                None => false,
            },
            Self::Binary(left, Operator::And, right) if wanted != 0 => {
                left.solve(1, names) && right.solve(1, names)
            }
            Self::Binary(left, Operator::And, right) => {
                left.solve(0, names) || right.solve(0, names)
            }
            Self::Binary(left, Operator::Or, right) if wanted != 0 => {
                left.solve(1, names) || right.solve(1, names)
            }
            Self::Binary(left, Operator::Or, right) => {
                left.solve(0, names) && right.solve(0, names)
            }
            Self::Binary(left, operator, right) => {
                self.solve_binary(left, *operator, right, wanted, names)
            }
        }
    }

    /// Returns whether no field and no parameter can give it another value.
    const fn is_fixed(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Constant(..) | Self::Here(_) | Self::Left(_))
    }

    fn is(&self, wanted: i128, names: &mut dyn SetNames) -> bool {
        self.value(names).is_some_and(|it| it.0 == wanted)
    }

    /// Gives the expression a value, and returns whether it has it.
    fn solves(&self, wanted: i128, names: &mut dyn SetNames) -> bool {
        self.solve(wanted, names) && self.is(wanted, names)
    }

    fn solve_binary(
        &self,
        left: &Self,
        operator: Operator,
        right: &Self,
        wanted: i128,
        names: &mut dyn SetNames,
    ) -> bool {
        let is_fixed = left.is_fixed();
        let (open, fixed) = if is_fixed { (right, left) } else { (left, right) };
        let Some((fixed, _)) = fixed.value(names) else { return false };
        let holds = wanted != 0;
        let solve = |open: &Self, wanted: Option<i128>, names: &mut dyn SetNames| {
            wanted.is_some_and(|wanted| open.solve(wanted, names))
        };
        match operator {
            Operator::Add | Operator::SaturatingAdd => {
                solve(open, wanted.checked_sub(fixed), names)
                    || !is_fixed
                        && (right.solve(0, names) && left.solve(wanted, names)
                            || left.value(names).is_some_and(|(left, _)| {
                                solve(right, wanted.checked_sub(left), names)
                            }))
            }
            Operator::Sub if is_fixed => solve(open, fixed.checked_sub(wanted), names),
            Operator::SaturatingSub if is_fixed => {
                wanted <= fixed && solve(open, fixed.checked_sub(wanted), names)
            }
            Operator::Sub | Operator::SaturatingSub => {
                solve(open, wanted.checked_add(fixed), names)
                    || left
                        .value(names)
                        .is_some_and(|(left, _)| solve(right, left.checked_sub(wanted), names))
            }
            Operator::Mul | Operator::SaturatingMul => {
                fixed != 0
                    && wanted.checked_rem(fixed) == Some(0)
                    && solve(open, wanted.checked_div(fixed), names)
            }
            Operator::Div | Operator::DivCeil | Operator::DivEuclid if !is_fixed => {
                solve(open, wanted.checked_mul(fixed), names)
            }
            Operator::Max => wanted >= fixed && open.solve(wanted, names),
            Operator::Min => wanted <= fixed && open.solve(wanted, names),
            // The bits that the shift drops stay.
            Operator::Shr if !is_fixed && (0..64).contains(&fixed) => match open.value(names) {
                Some((old, _)) => {
                    let low = old & ((1 << fixed) - 1);
                    solve(open, wanted.checked_mul(1 << fixed).map(|high| high | low), names)
                }
                None => false,
            },
            Operator::BitAnd if wanted & !fixed == 0 => match open.value(names) {
                Some((old, _)) => open.solve(old & !fixed | wanted, names),
                None => false,
            },
            Operator::BitOr if wanted & fixed == fixed => open.solve(wanted & !fixed, names),
            Operator::Eq | Operator::Ne if holds == (operator == Operator::Eq) => {
                open.solve(fixed, names)
            }
            Operator::Eq | Operator::Ne => {
                if self.value(names).map(|it| it.0) == Some(wanted) {
                    return true;
                }
                // Of bits that are masked out one of the others changes.
                let mask = match open {
                    Self::Binary(
                        _,
                        Operator::BitAnd,
                        Self::Number(mask) | Self::Constant(mask, _),
                    ) => *mask,
                    Self::Binary(
                        Self::Number(mask) | Self::Constant(mask, _),
                        Operator::BitAnd,
                        _,
                    ) => *mask,
                    _ => 1,
                };
                open.solve(fixed ^ (mask & mask.wrapping_neg()), names)
            }
            Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge => {
                // `3 < open` is `open > 3`.
                let operator = match operator {
                    Operator::Lt if is_fixed => Operator::Gt,
                    Operator::Gt if is_fixed => Operator::Lt,
                    Operator::Le if is_fixed => Operator::Ge,
                    Operator::Ge if is_fixed => Operator::Le,
                    other => other,
                };
                let step = match (operator, holds) {
                    (Operator::Lt, true) | (Operator::Ge, false) => -1,
                    (Operator::Gt, true) | (Operator::Le, false) => 1,
                    _ => 0,
                };
                solve(open, fixed.checked_add(step), names)
            }
            Operator::Rem if !is_fixed && fixed != 0 => match open.value(names) {
                Some((old, _)) => solve(open, (old - old % fixed).checked_add(wanted), names),
                None => false,
            },
            Operator::RemEuclid if !is_fixed && fixed != 0 => match open.value(names) {
                Some((old, _)) => {
                    solve(open, (old - old.rem_euclid(fixed)).checked_add(wanted), names)
                }
                None => false,
            },
            Operator::NextMultiple if !is_fixed && fixed != 0 && wanted % fixed == 0 => {
                open.solve(wanted, names)
            }
            _ => self.value(names).map(|it| it.0) == Some(wanted),
        }
    }

    /// Returns the value, computed from those of the fields and parameters by name; `None` where one has none, or where
    /// Rust would overflow. A truth is 1 or 0.
    ///
    /// ```
    /// use formwork::schema::{Expression, Integer, Operator};
    ///
    /// const COUNT: Expression = Expression::Field(0, &["count"], "head.count");
    /// const LAST: Expression = Expression::Binary(&COUNT, Operator::Sub, &Expression::Number(1));
    /// let three = |_: &str, _: &[&str]| Some((3, Integer::ANY));
    /// assert_eq!(LAST.evaluate(three), Some(2));
    /// assert_eq!(LAST.evaluate(|_, _| None), None);
    /// ```
    pub fn evaluate(
        &self,
        value_of: impl FnMut(&'static str, &'static [&'static str]) -> Option<(i128, Integer)>,
    ) -> Option<i128> {
        self.value(&mut ByName(value_of)).map(|value| value.0)
    }

    /// Returns the name of a field or parameter, and the parts of it in turn; `None` for any other expression.
    #[must_use]
    pub fn path(&self) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            Self::Field(_, parts, text) | Self::Parameter(_, parts, text) => {
                Some((text.split_once('.').map_or(*text, |it| it.0), parts))
            }
            Self::Untyped(inner) => inner.path(),
            _ => None,
        }
    }

    /// Returns whether the expression uses the field or parameter.
    #[must_use]
    pub fn uses(&self, name: &str) -> bool {
        let mut is_used = false;
        self.names(&mut |it| is_used |= it.path().is_some_and(|path| path.0 == name));
        is_used
    }

    /// Returns the number of elements of a list.
    fn length(&self, names: &mut (impl Names + ?Sized)) -> Option<Typed> {
        match *self {
            Self::Field(slot, [], text) => names.number(&Self::Field(slot, &["len"], text)),
            _ => None,
        }
    }

    /// Returns whether the position of an element is in the expression.
    pub(crate) fn is_by_index(&self) -> bool {
        self.has(&|part| matches!(part, Self::Index))
    }

    /// Returns whether `here` or `left` is in the expression.
    pub(crate) fn has_place(&self) -> bool {
        self.has(&|part| matches!(part, Self::Here(_) | Self::Left(_)))
    }

    /// Adds the numbers at which comparisons of something become true or false.
    pub(crate) fn turns(&self, is_it: &dyn Fn(&Self) -> bool, out: &mut Vec<i128>) {
        let number = |it: &Self| match it {
            Self::Number(number) | Self::Constant(number, _) => Some(*number),
            _ => None,
        };
        match self {
            Self::Not(inner) => inner.turns(is_it, out),
            Self::Binary(left, Operator::And | Operator::Or, right) => {
                left.turns(is_it, out);
                right.turns(is_it, out);
            }
            Self::Binary(left, operator, right) => {
                let (is_left, is_right) = (is_it(left), is_it(right));
                let other = if is_left { number(right) } else { number(left) };
                let (Some(other), true) = (other, is_left || is_right) else { return };
                out.push(match (operator, is_left) {
                    (Operator::Gt, true) | (Operator::Lt, false) => other.saturating_add(1),
                    (Operator::Le, true) | (Operator::Ge, false) => other.saturating_add(1),
                    _ => other,
                });
            }
            _ => {}
        }
    }

    /// Returns whether this expression or a part of it is such a one.
    fn has(&self, is_such: &dyn Fn(&Self) -> bool) -> bool {
        let mut has = false;
        self.each(&mut |part| has |= is_such(part));
        has
    }

    /// Returns the bytes of a key: of a field, or a number of one byte.
    pub(crate) fn key(&self, names: &mut (impl Names + ?Sized)) -> Option<Vec<u8>> {
        let bytes = self.place().and_then(|place| names.bytes(place));
        bytes.or_else(|| Some(vec![u8::try_from(self.value(names)?.0).ok()?]))
    }

    /// Returns the field or parameter that is handed over as it is.
    pub(crate) fn place(&self) -> Option<&Self> {
        match self {
            Self::Field(..) | Self::Parameter(..) => Some(self),
            Self::Untyped(inner) => inner.place(),
            _ => None,
        }
    }

    /// Calls `use_name` with each field and parameter in the expression.
    pub fn names(&self, use_name: &mut dyn FnMut(&Self)) {
        self.each(&mut |part| {
            if matches!(part, Self::Field(..) | Self::Parameter(..)) {
                use_name(part);
            }
        });
    }

    /// Calls a function with the expression and all parts of it, from left to right.
    pub(crate) fn each(&self, call: &mut dyn FnMut(&Self)) {
        call(self);
        match self {
            Self::Number(_)
            | Self::Constant(..)
            | Self::Field(..)
            | Self::Parameter(..)
            | Self::Index
            | Self::Here(_)
            | Self::Left(_) => {}
            Self::Not(inner)
            | Self::Negative(inner)
            | Self::Untyped(inner)
            | Self::Cast(inner, _)
            | Self::Total(inner, _)
            | Self::Call(_, inner)
            | Self::Bytes(inner, ..) => inner.each(call),
            Self::Element(left, right, _)
            | Self::Binary(left, _, right)
            | Self::Or(left, right) => {
                left.each(call);
                right.each(call);
            }
            Self::If(condition, yes, no) => {
                condition.each(call);
                yes.each(call);
                no.each(call);
            }
        }
    }

    /// How strongly the outermost operator binds.
    const fn binding(&self) -> u8 {
        match self {
            Self::Binary(_, operator, _) => match operator.sign() {
                Some((binding, _)) => binding,
                None => 12,
            },
            Self::Cast(..) => 10,
            Self::Not(_) | Self::Negative(_) => 11,
            Self::If(..) => 0,
            Self::Bytes(..) => 3,
            Self::Untyped(inner) => inner.binding(),
            _ => 12,
        }
    }
}

impl Operator {
    /// Returns whether a comparison holds of two that have this order.
    const fn fits(self, order: Ordering) -> Option<bool> {
        Some(match self {
            Self::Eq => order.is_eq(),
            Self::Ne => order.is_ne(),
            Self::Lt => order.is_lt(),
            Self::Le => order.is_le(),
            Self::Gt => order.is_gt(),
            Self::Ge => order.is_ge(),
            _ => return None,
        })
    }

    /// Computes as Rust does in the type of the operands, and fails where Rust would overflow.
    fn apply(self, (a, left): Typed, (b, right): Typed) -> Option<Typed> {
        let is_shift = matches!(self, Self::Shl | Self::Shr);
        let ty = if left.bits > 0 || is_shift { left } else { right };
        let truth = |holds: bool| Some((i128::from(holds), Integer::BOOL));
        let (least, most) = ty.limits();
        let number = match self {
            Self::Add => a.checked_add(b)?,
            Self::Sub => a.checked_sub(b)?,
            Self::Mul => a.checked_mul(b)?,
            Self::Div => a.checked_div(b)?,
            Self::Rem => a.checked_rem(b)?,
            Self::BitXor => a ^ b,
            Self::BitAnd => a & b,
            Self::BitOr => a | b,
            // `<<` drops bits, as in Rust; the distance alone is checked.
            Self::Shl | Self::Shr => {
                let width = if ty.bits > 1 { ty.bits.into() } else { 64 };
                let distance = u32::try_from(b).ok().filter(|distance| *distance < width)?;
                if self == Self::Shr {
                    a >> distance
                } else {
                    ty.cut((a & i128::from(low_bits(64))) << distance)
                }
            }
            Self::Eq => return truth(a == b),
            Self::Ne => return truth(a != b),
            Self::Lt => return truth(a < b),
            Self::Le => return truth(a <= b),
            Self::Gt => return truth(a > b),
            Self::Ge => return truth(a >= b),
            Self::Max => a.max(b),
            Self::Min => a.min(b),
            Self::SaturatingSub => a.checked_sub(b)?.clamp(least, most),
            Self::SaturatingAdd => a.checked_add(b)?.clamp(least, most),
            Self::SaturatingMul => a.checked_mul(b).unwrap_or(most).clamp(least, most),
            Self::DivCeil => {
                let (whole, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
                whole + i128::from(rest != 0 && (rest > 0) == (b > 0))
            }
            Self::RemEuclid => a.checked_rem_euclid(b)?,
            Self::DivEuclid => a.checked_div_euclid(b)?,
            Self::NextMultiple => match a.checked_rem_euclid(b)? {
                0 => a,
                rest => a.checked_add(b)?.checked_sub(rest)?,
            },
            Self::And | Self::Or => return None,
        };
        ty.holds(number).then_some((number, ty))
    }
}

/// As a person writes it: `length - 12`, `flags.extended()`.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = |f: &mut fmt::Formatter<'_>, inner: &Self, least: u8| {
            if inner.binding() < least { write!(f, "({inner})") } else { write!(f, "{inner}") }
        };
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Constant(_, text) | Self::Field(_, _, text) | Self::Parameter(_, _, text) => {
                f.write_str(text)
            }
            Self::Not(inner) => {
                f.write_str("!")?;
                inside(f, inner, 11)
            }
            Self::Negative(inner) => {
                f.write_str("-")?;
                inside(f, inner, 11)
            }
            Self::Untyped(inner) => inner.fmt(f),
            Self::Cast(inner, ty) => {
                inside(f, inner, 10)?;
                write!(f, " as {ty}")
            }
            Self::Binary(left, operator, right) => match operator.sign() {
                Some((binding, sign)) => {
                    // Rust has no chains of comparisons.
                    let least = if binding == 3 { 4 } else { binding };
                    inside(f, left, least)?;
                    write!(f, " {sign} ")?;
                    inside(f, right, binding + 1)
                }
                None => {
                    inside(f, left, 12)?;
                    write!(f, ".{}({right})", operator.method())
                }
            },
            Self::If(condition, yes, no) => write!(f, "if {condition} {{ {yes} }} else {{ {no} }}"),
            Self::Or(inner, other) => {
                inside(f, inner, 12)?;
                write!(f, ".unwrap_or({other})")
            }
            Self::Call(function, field) => write!(f, "{}({field})", function.name),
            Self::Index => f.write_str("index"),
            Self::Here(_) => f.write_str("here"),
            Self::Left(_) => f.write_str("left"),
            Self::Element(list, index, parts) => {
                write!(f, "{list}[{index}]")?;
                parts.iter().try_for_each(|part| write!(f, ".{part}"))
            }
            Self::Total(list, parts) => write!(f, "{list}.total({})", parts.join(".")),
            Self::Bytes(field, operator, bytes) => {
                let sign = operator.sign().map_or("", |it| it.1);
                write!(f, "{field} {sign} b\"{}\"", bytes.escape_ascii())
            }
        }
    }
}
