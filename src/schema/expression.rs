//! The conditions and counts of a declaration, read from the text that the schema keeps.
//!
//! ```text
//! any        = all { "||" all }
//! all        = comparison { "&&" comparison }
//! comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum        = quotient { "+" quotient }
//! quotient   = operand [ "/" operand ]
//! operand    = { "!" } ( integer | path )
//! path       = name { "." name } [ "(" ")" ]
//! ```
//!
//! A path's first name is an earlier field of the same record, or `header`, the header word of the
//! packet; the names behind it are fields of that field, or parts of a bit-packed word (which Rust
//! reads with a call, hence the parentheses). `list.sum()` is what the numbers of a list come to.

use std::fmt;

/// A condition or count.
///
/// ```
/// use formwork::schema::Expression;
///
/// let condition = Expression::parse("!header.as_id() && object.class.length > 0").unwrap();
/// let holds = condition.evaluate(&mut |path| match path {
///     ["header", "as_id"] => Some(0),
///     ["object", "class", "length"] => Some(6),
///     _ => None,
/// });
/// assert_eq!(holds, Some(1));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Expression<'t> {
    /// A number.
    Number(i128),
    /// The value of a field or of a part of a word.
    Path(Vec<&'t str>),
    /// True where the operand is false.
    Not(Box<Self>),
    /// So many times the second is in the first, without a remainder.
    Quotient(Box<Self>, Box<Self>),
    /// All of them together.
    Sum(Vec<Self>),
    /// A comparison of two operands.
    Compare(Box<Self>, Comparison, Box<Self>),
    /// True where all are.
    All(Vec<Self>),
    /// True where one is.
    Any(Vec<Self>),
}

macro_rules! comparisons {
    ($( $(#[doc = $doc:literal])+ $name:ident $operator:tt; )+) => {
        /// How two numbers are compared.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Comparison { $( $(#[doc = $doc])+ $name, )+ }

        impl Comparison {
            /// The operator.
            #[must_use]
            pub const fn operator(self) -> &'static str {
                match self { $( Self::$name => stringify!($operator), )+ }
            }

            const fn holds(self, left: i128, right: i128) -> bool {
                match self { $( Self::$name => left $operator right, )+ }
            }

            const ALL: &'static [Self] = &[ $( Self::$name, )+ ];
        }
    };
}

// An operator stands before those that it starts with.
comparisons! {
    /// They are the same.
    Equal ==;
    /// They differ.
    Differs !=;
    /// The first is smaller or the same.
    AtMost <=;
    /// The first is larger or the same.
    AtLeast >=;
    /// The first is smaller.
    Less <;
    /// The first is larger.
    More >;
}

/// A text that is no [`Expression`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SyntaxError {
    /// Where the text goes wrong, in bytes from its start.
    pub offset: usize,
    /// What should stand there.
    pub expected: &'static str,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {} of the expression", self.expected, self.offset)
    }
}

impl std::error::Error for SyntaxError {}

impl<'t> Expression<'t> {
    /// The expression that `text` is.
    ///
    /// # Errors
    ///
    /// Where `text` is no expression.
    pub fn parse(text: &'t str) -> Result<Self, SyntaxError> {
        let mut parser = Parser { text, rest: text };
        let expression = parser.any()?;
        match parser.peek() {
            "" => Ok(expression),
            _ => Err(parser.expected("the end")),
        }
    }

    /// The value, with the values of the paths as `value_of` gives them; [`None`] where it gives
    /// none. True is 1, false is 0.
    pub fn evaluate(&self, value_of: &mut dyn FnMut(&[&'t str]) -> Option<i128>) -> Option<i128> {
        Some(match self {
            Self::Number(number) => *number,
            Self::Path(path) => value_of(path)?,
            Self::Not(inner) => i128::from(inner.evaluate(value_of)? == 0),
            Self::Quotient(left, right) => {
                left.evaluate(value_of)?.checked_div(right.evaluate(value_of)?)?
            }
            Self::Sum(parts) => {
                let mut sum: i128 = 0;
                for part in parts {
                    sum = sum.checked_add(part.evaluate(value_of)?)?;
                }
                sum
            }
            Self::Compare(left, comparison, right) => {
                let (left, right) = (left.evaluate(value_of)?, right.evaluate(value_of)?);
                i128::from(comparison.holds(left, right))
            }
            // As in Rust, what stands behind a decided condition is not looked at: its fields may
            // not be there.
            Self::All(parts) => {
                for part in parts {
                    if part.evaluate(value_of)? == 0 {
                        return Some(0);
                    }
                }
                1
            }
            Self::Any(parts) => {
                for part in parts {
                    if part.evaluate(value_of)? != 0 {
                        return Some(1);
                    }
                }
                0
            }
        })
    }

    /// Hands every path in the expression to `visit`.
    pub fn paths(&self, visit: &mut dyn FnMut(&[&'t str])) {
        match self {
            Self::Number(_) => {}
            Self::Path(path) => visit(path),
            Self::Not(inner) => inner.paths(visit),
            Self::Compare(left, _, right) | Self::Quotient(left, right) => {
                left.paths(visit);
                right.paths(visit);
            }
            Self::Sum(parts) | Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.paths(visit);
                }
            }
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn peek(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn take(&mut self, token: &str) -> bool {
        match self.peek().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expected(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.text.len() - self.rest.len(), expected }
    }

    fn any(&mut self) -> Result<Expression<'t>, SyntaxError> {
        self.list("||", Self::all, Expression::Any)
    }

    fn all(&mut self) -> Result<Expression<'t>, SyntaxError> {
        self.list("&&", Self::comparison, Expression::All)
    }

    fn list(
        &mut self,
        operator: &str,
        part: fn(&mut Self) -> Result<Expression<'t>, SyntaxError>,
        join: fn(Vec<Expression<'t>>) -> Expression<'t>,
    ) -> Result<Expression<'t>, SyntaxError> {
        let first = part(self)?;
        if !self.peek().starts_with(operator) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take(operator) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn comparison(&mut self) -> Result<Expression<'t>, SyntaxError> {
        let left = self.sum()?;
        let comparison = Comparison::ALL.iter().find(|comparison| self.take(comparison.operator()));
        match comparison {
            None => Ok(left),
            Some(&comparison) => {
                Ok(Expression::Compare(Box::new(left), comparison, Box::new(self.sum()?)))
            }
        }
    }

    fn sum(&mut self) -> Result<Expression<'t>, SyntaxError> {
        self.list("+", Self::quotient, Expression::Sum)
    }

    fn quotient(&mut self) -> Result<Expression<'t>, SyntaxError> {
        let left = self.operand()?;
        if !self.take("/") {
            return Ok(left);
        }
        Ok(Expression::Quotient(Box::new(left), Box::new(self.operand()?)))
    }

    fn operand(&mut self) -> Result<Expression<'t>, SyntaxError> {
        let mut negated = false;
        let mut negations = 0;
        while !self.peek().starts_with("!=") && self.take("!") {
            negated = !negated;
            negations += 1;
        }
        let operand = match self.peek().chars().next() {
            Some('0'..='9') => {
                let digits = self.word();
                let number = digits.parse().map_err(|_| self.expected("an operator"))?;
                Expression::Number(number)
            }
            Some(first) if first.is_ascii_alphabetic() || first == '_' => self.path()?,
            _ => return Err(self.expected("a number or a field")),
        };
        Ok(match (negations, negated) {
            (0, _) => operand,
            (_, true) => Expression::Not(Box::new(operand)),
            // `!!x` is the truth of x.
            (_, false) => Expression::Not(Box::new(Expression::Not(Box::new(operand)))),
        })
    }

    fn path(&mut self) -> Result<Expression<'t>, SyntaxError> {
        let mut path = vec![self.word()];
        while self.take(".") {
            self.peek();
            match self.word() {
                "" => return Err(self.expected("a field")),
                name => path.push(name),
            }
        }
        if self.take("(") && !self.take(")") {
            return Err(self.expected("')'"));
        }
        Ok(Expression::Path(path))
    }

    /// Letters, digits and underscores.
    fn word(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::pages::alb1_shapes;
    use crate::schema::{Field, Occurs, Record, Shape};
    use crate::variant::dialect::{Dialect, Precision};
    use crate::variant::packet::Header;

    fn value(text: &str) -> Option<i128> {
        let expression = Expression::parse(text).unwrap();
        expression.evaluate(&mut |path| match path {
            ["three"] => Some(3),
            ["word", "flag"] => Some(1),
            ["word", "clear"] => Some(0),
            ["list", "sum"] => Some(10),
            _ => None,
        })
    }

    #[test]
    fn operators_bind_as_in_rust() {
        for (text, expected) in [
            ("three", Some(3)),
            ("word.flag()", Some(1)),
            ("word . clear ( )", Some(0)),
            ("!word.clear() && three > 2", Some(1)),
            ("word.clear() && nowhere", Some(0)),
            ("word.flag() && nowhere", None),
            ("three == 4 || three != 4", Some(1)),
            ("three == 4 || three <= 2 && word.flag()", Some(0)),
            ("!!three", Some(1)),
            ("three >= 3", Some(1)),
            ("list.sum() / three + 1", Some(4)),
            ("1 + three / 2 + three", Some(5)),
            ("three + 1 == 4", Some(1)),
            ("three / word.clear()", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_said_where() {
        for (text, offset) in
            [("", 0), ("three ==", 8), ("a.", 2), ("a(b)", 2), ("a b", 2), ("3 & 4", 2), ("3x", 2)]
        {
            assert_eq!(
                Expression::parse(text).map_err(|error| error.offset),
                Err(offset),
                "{text}"
            );
        }
    }

    /// Whether the path leads to something that stands before it.
    fn resolves(path: &[&str], header: Option<Header>, earlier: &[Field]) -> bool {
        let Some((&first, rest)) = path.split_first() else { return true };
        if rest == ["sum"] {
            let list = earlier.iter().rev().find(|field| field.name == first);
            return list.is_some_and(|list| {
                matches!((list.shape, list.occurs), (Shape::Integer { .. }, Occurs::Times(_)))
            });
        }
        let shape = match header {
            Some(header) if first == "header" => Some(Shape::Word(header.word())),
            _ => earlier.iter().rev().find(|field| field.name == first).map(|field| field.shape),
        };
        match shape {
            Some(Shape::Record(record)) => !rest.is_empty() && resolves(rest, None, record.fields),
            Some(Shape::Word(word)) => {
                matches!(rest, [part] if word.bits.iter().any(|bits| bits.name == *part))
            }
            Some(Shape::Integer { .. }) => rest.is_empty(),
            _ => false,
        }
    }

    fn check(fields: &[Field], header: Option<Header>, at: &str, seen: &mut HashSet<String>) {
        for (position, field) in fields.iter().enumerate() {
            let at = format!("{at}.{}", field.name);
            match field.occurs {
                Occurs::Once | Occurs::ToEnd => {}
                Occurs::Fill(text)
                | Occurs::Times(text)
                | Occurs::If(text)
                | Occurs::After(text)
                | Occurs::AfterOrEnd(text) => {
                    seen.insert(text.to_owned());
                    let expression = Expression::parse(text).expect(&at);
                    expression.paths(&mut |path| {
                        assert!(resolves(path, header, &fields[..position]), "{at}: {path:?}");
                    });
                }
            }
            if let Shape::Record(Record { fields, .. }) = field.shape {
                check(fields, None, &at, seen);
            }
        }
    }

    #[test]
    fn every_declared_expression_speaks_of_earlier_fields() {
        let mut seen = HashSet::new();
        for single in Dialect::all() {
            for dialect in [Some(single), single.with_precision(Precision::Double)] {
                let Some(dialect) = dialect else { continue };
                check(crate::variant::frame::RECORD.fields, None, "frame", &mut seen);
                for row in dialect.rows() {
                    let packet = dialect.packet(row.variant_type).unwrap();
                    check(packet.payload, Some(packet.header), row.name, &mut seen);
                }
            }
        }
        for shape in alb1_shapes() {
            if let Shape::Record(Record { name, fields, .. }) = shape {
                check(fields, None, name, &mut seen);
            }
        }
        #[cfg(feature = "container")]
        for layer in crate::variant::container::Layer::all() {
            let Record { name, fields, .. } = layer.record();
            check(fields, None, name, &mut seen);
        }
        for text in ["blob_size", "group_count", "object_count"] {
            assert!(seen.contains(text), "{text}");
        }
        assert!(seen.len() > 10, "{seen:?}");
    }
}
