//! The conditions and counts of a declaration. The derive makes them from the expressions that binrw evaluates: trees
//! of constants.

use std::fmt::{self, Write};

/// A condition or count, which refers to earlier fields of the same record.
///
/// Displayed as it reads outside Rust: without the parentheses after the name of a part of a word.
///
/// ```
/// use formwork_records::schema::{Expression, Operator};
///
/// const CONDITION: Expression = Expression::Binary(
///     &Expression::Not(&Expression::Path(&["header", "as_id"])),
///     Operator::And,
///     &Expression::Binary(
///         &Expression::Path(&["object", "class", "length"]),
///         Operator::More,
///         &Expression::Number(0),
///     ),
/// );
/// let holds = CONDITION.evaluate(&mut |path| match path {
///     ["header", "as_id"] => Some(0),
///     ["object", "class", "length"] => Some(6),
///     _ => None,
/// });
/// assert_eq!(holds, Some(1));
/// assert_eq!(CONDITION.to_string(), "!header.as_id && object.class.length > 0");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Expression {
    /// A number.
    Number(i128),
    /// The value of an earlier field (or of an argument of the record, such as the `header` of a packet), of a field in
    /// it, or of a part of a bit-packed word. `list.sum` is the sum of the numbers of a list.
    Path(&'static [&'static str]),
    /// True if the operand is false.
    Not(&'static Self),
    /// The negative of the operand.
    Negative(&'static Self),
    /// An operator on two operands.
    Binary(&'static Self, Operator, &'static Self),
    /// A function of two numbers.
    Call(&'static Self, Function, &'static Self),
    /// The operand truncated to a width.
    Cast(&'static Self, Width),
    /// Rust code without a value here. It is shown, and not evaluated.
    Text(&'static str),
}

/// A width to which a number is truncated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Width {
    /// 1, 2 or 4.
    pub bytes: u8,
    /// Whether its highest bit is the sign.
    pub signed: bool,
}

macro_rules! operators {
    ($( $(#[doc = $doc:literal])+ $name:ident $text:literal $binds:literal; )+) => {
        /// An operator on two operands.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[non_exhaustive]
        pub enum Operator { $( $(#[doc = $doc])+ $name, )+ }

        impl Operator {
            /// Returns the operator as Rust writes it.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }

            /// Returns its precedence.
            const fn binds(self) -> u8 {
                match self { $( Self::$name => $binds, )+ }
            }
        }
    };
}

operators! {
    /// The product.
    Times "*" 9;
    /// The quotient, without the remainder.
    Quotient "/" 9;
    /// The remainder.
    Remainder "%" 9;
    /// The sum.
    Plus "+" 8;
    /// The difference.
    Minus "-" 8;
    /// The first, shifted left by the second.
    ShiftUp "<<" 7;
    /// The first, shifted right by the second.
    ShiftDown ">>" 7;
    /// The bits that both have.
    BitAnd "&" 6;
    /// The bits that exactly one has.
    BitXor "^" 5;
    /// The bits that at least one has.
    BitOr "|" 4;
    /// The operands are equal.
    Equal "==" 3;
    /// The operands differ.
    Differs "!=" 3;
    /// The first is smaller or equal.
    AtMost "<=" 3;
    /// The first is larger or equal.
    AtLeast ">=" 3;
    /// The first is smaller.
    Less "<" 3;
    /// The first is larger.
    More ">" 3;
    /// Both are true.
    And "&&" 2;
    /// At least one is true.
    Or "||" 1;
}

macro_rules! functions {
    ($( $(#[doc = $doc:literal])+ $name:ident $text:literal; )+) => {
        /// A function of two numbers.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        #[non_exhaustive]
        pub enum Function { $( $(#[doc = $doc])+ $name, )+ }

        impl Function {
            /// Returns the name of Rust's method.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }
        }
    };
}

functions! {
    /// The larger one.
    Max "max";
    /// The smaller one.
    Min "min";
    /// The difference, or 0 if it is negative.
    SaturatingSub "saturating_sub";
    /// The quotient, rounded up.
    DivCeil "div_ceil";
    /// The first, or the next number that the second divides.
    NextMultipleOf "next_multiple_of";
}

impl Expression {
    /// Returns the value, with the values of the paths from `value_of`; [`None`] if it returns [`None`] for one. True
    /// is 1, false is 0.
    pub fn evaluate(
        &self,
        value_of: &mut dyn FnMut(&[&'static str]) -> Option<i128>,
    ) -> Option<i128> {
        Some(match self {
            Self::Number(number) => *number,
            Self::Path(path) => value_of(path)?,
            Self::Not(inner) => i128::from(inner.evaluate(value_of)? == 0),
            Self::Negative(inner) => inner.evaluate(value_of)?.checked_neg()?,
            Self::Binary(left, Operator::And, right) => {
                i128::from(left.evaluate(value_of)? != 0 && right.evaluate(value_of)? != 0)
            }
            Self::Binary(left, Operator::Or, right) => {
                i128::from(left.evaluate(value_of)? != 0 || right.evaluate(value_of)? != 0)
            }
            Self::Binary(left, operator, right) => {
                operator.apply(left.evaluate(value_of)?, right.evaluate(value_of)?)?
            }
            Self::Call(left, function, right) => {
                function.apply(left.evaluate(value_of)?, right.evaluate(value_of)?)?
            }
            Self::Cast(inner, width) => width.cut(inner.evaluate(value_of)?),
            Self::Text(_) => return None,
        })
    }

    /// Passes every path in the expression to `visit`.
    pub fn paths(&self, visit: &mut dyn FnMut(&[&'static str])) {
        match self {
            Self::Number(_) | Self::Text(_) => {}
            Self::Path(path) => visit(path),
            Self::Not(inner) | Self::Negative(inner) | Self::Cast(inner, _) => inner.paths(visit),
            Self::Binary(left, _, right) | Self::Call(left, _, right) => {
                left.paths(visit);
                right.paths(visit);
            }
        }
    }

    /// Whether it refers to the field `name`.
    #[must_use]
    pub fn speaks_of(&self, name: &str) -> bool {
        let mut spoken_of = false;
        self.paths(&mut |path| spoken_of |= path.first() == Some(&name));
        spoken_of
    }

    /// Returns the precedence of the outermost operation.
    const fn binds(&self) -> u8 {
        match self {
            Self::Binary(_, operator, _) => operator.binds(),
            Self::Cast(..) => 10,
            Self::Not(_) | Self::Negative(_) => 11,
            _ => 12,
        }
    }

    /// Writes an operand of an operation with this precedence.
    fn operand(&self, binds: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.binds() < binds { write!(f, "({self})") } else { fmt::Display::fmt(self, f) }
    }
}

impl Operator {
    fn apply(self, left: i128, right: i128) -> Option<i128> {
        let bits = || u32::try_from(right).ok();
        Some(match self {
            Self::Times => left.checked_mul(right)?,
            Self::Quotient => left.checked_div(right)?,
            Self::Remainder => left.checked_rem(right)?,
            Self::Plus => left.checked_add(right)?,
            Self::Minus => left.checked_sub(right)?,
            Self::ShiftUp => left.checked_mul(1_i128.checked_shl(bits()?)?)?,
            Self::ShiftDown => left.checked_shr(bits()?)?,
            Self::BitAnd => left & right,
            Self::BitXor => left ^ right,
            Self::BitOr => left | right,
            Self::Equal => i128::from(left == right),
            Self::Differs => i128::from(left != right),
            Self::AtMost => i128::from(left <= right),
            Self::AtLeast => i128::from(left >= right),
            Self::Less => i128::from(left < right),
            Self::More => i128::from(left > right),
            Self::And => i128::from(left != 0 && right != 0),
            Self::Or => i128::from(left != 0 || right != 0),
        })
    }
}

impl Function {
    fn apply(self, left: i128, right: i128) -> Option<i128> {
        Some(match self {
            Self::Max => left.max(right),
            Self::Min => left.min(right),
            Self::SaturatingSub => left.checked_sub(right)?.max(0),
            Self::DivCeil => {
                let rest = left.checked_rem_euclid(right)?;
                left.checked_div_euclid(right)?.checked_add(i128::from(rest > 0))?
            }
            Self::NextMultipleOf => match left.checked_rem_euclid(right)? {
                0 => left,
                rest => left.checked_add(right.checked_sub(rest)?)?,
            },
        })
    }
}

impl Width {
    const fn cut(self, number: i128) -> i128 {
        match (self.bytes, self.signed) {
            (1, false) => number as u8 as i128,
            (1, true) => number as i8 as i128,
            (2, false) => number as u16 as i128,
            (2, true) => number as i16 as i128,
            (4, false) => number as u32 as i128,
            (4, true) => number as i32 as i128,
            _ => number,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Path(path) => {
                for (position, name) in path.iter().enumerate() {
                    if position > 0 {
                        f.write_char('.')?;
                    }
                    f.write_str(name)?;
                }
                Ok(())
            }
            Self::Not(inner) => {
                f.write_char('!')?;
                inner.operand(11, f)
            }
            Self::Negative(inner) => {
                f.write_char('-')?;
                inner.operand(11, f)
            }
            Self::Binary(left, operator, right) => {
                let binds = operator.binds();
                // Comparisons cannot be chained in Rust.
                left.operand(if binds == 3 { 4 } else { binds }, f)?;
                write!(f, " {} ", operator.text())?;
                right.operand(binds + 1, f)
            }
            Self::Call(left, function, right) => {
                left.operand(12, f)?;
                write!(f, ".{}({right})", function.text())
            }
            Self::Cast(inner, width) => {
                inner.operand(10, f)?;
                let kind = if width.signed { 'i' } else { 'u' };
                write!(f, " as {kind}{}", 8 * u32::from(width.bytes))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: Expression = Expression::Path(&["three"]);
    const FLAG: Expression = Expression::Path(&["word", "flag"]);
    const CLEAR: Expression = Expression::Path(&["word", "clear"]);
    const SUM: Expression = Expression::Path(&["list", "sum"]);
    const NOWHERE: Expression = Expression::Path(&["nowhere"]);

    macro_rules! binary {
        ($left:expr, $operator:ident, $right:expr) => {
            Expression::Binary(&$left, Operator::$operator, &$right)
        };
    }
    use Expression::Number;

    #[test]
    fn expressions_have_the_values_and_the_text_that_rust_gives_them() {
        let value = |expression: Expression| {
            expression.evaluate(&mut |path| match path {
                ["three"] => Some(3),
                ["word", "flag"] => Some(1),
                ["word", "clear"] => Some(0),
                ["list", "sum"] => Some(10),
                _ => None,
            })
        };
        for (expression, text, expected) in [
            (THREE, "three", Some(3)),
            (FLAG, "word.flag", Some(1)),
            (
                binary!(Expression::Not(&CLEAR), And, binary!(THREE, More, Number(2))),
                "!word.clear && three > 2",
                Some(1),
            ),
            (binary!(CLEAR, And, NOWHERE), "word.clear && nowhere", Some(0)),
            (binary!(FLAG, And, NOWHERE), "word.flag && nowhere", None),
            (
                binary!(binary!(THREE, Equal, Number(4)), Or, binary!(THREE, Differs, Number(4))),
                "three == 4 || three != 4",
                Some(1),
            ),
            (
                binary!(binary!(CLEAR, Or, FLAG), And, FLAG),
                "(word.clear || word.flag) && word.flag",
                Some(1),
            ),
            (
                binary!(binary!(SUM, Quotient, THREE), Plus, Number(1)),
                "list.sum / three + 1",
                Some(4),
            ),
            (
                binary!(SUM, Minus, binary!(THREE, Minus, FLAG)),
                "list.sum - (three - word.flag)",
                Some(8),
            ),
            (binary!(THREE, Quotient, CLEAR), "three / word.clear", None),
            (
                Expression::Call(&binary!(SUM, Plus, THREE), Function::NextMultipleOf, &Number(4)),
                "(list.sum + three).next_multiple_of(4)",
                Some(16),
            ),
            (
                Expression::Call(&SUM, Function::DivCeil, &THREE),
                "list.sum.div_ceil(three)",
                Some(4),
            ),
            (
                Expression::Cast(&Expression::Negative(&THREE), Width { bytes: 1, signed: false }),
                "-three as u8",
                Some(253),
            ),
            (Expression::Text("matches!(three, 3)"), "matches!(three, 3)", None),
        ] {
            assert_eq!(expression.to_string(), text);
            assert_eq!(value(expression), expected, "{text}");
        }
    }
}
