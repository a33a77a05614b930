//! The kinds of errors, and rules that can be broken.

use std::fmt;

/// The kind of an error. Every [`Rule`] belongs to one class, except that running out of
/// input is [`ErrorKind::Incomplete`] wherever more input would help (not inside a frame that is whole).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input stops too early: at least `needed` more bytes are missing. Not a fault when more
    /// input may still arrive.
    Incomplete {
        /// A lower bound of the number of bytes that are missing.
        needed: u64,
    },
    /// The bytes (or the text, or the JSON) are wrong, and more input would not mend them.
    Malformed,
    /// A limit would be exceeded.
    Limit,
    /// Something the caller did not allow, such as objects in full form.
    Unsupported,
    /// The value has no form in the format.
    Unrepresentable,
    /// A complete value is followed by more bytes.
    Trailing,
    /// The reader or writer underneath failed.
    Io,
}

impl ErrorKind {
    /// The class's stable name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Incomplete { .. } => "incomplete",
            Self::Malformed => "malformed",
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
            Self::Unrepresentable => "inexpressible",
            Self::Trailing => "trailing",
            Self::Io => "io",
        }
    }
}

/// A rule that bytes, values or texts can break.
///
/// Rules are constants of the module that holds input to them, declared with [`rules!`](crate::rules): those of declared
/// records are in [`wire::rule`](crate::wire::rule). Those that all readers and writers share are constants of this
/// type, such as [`Rule::DEPTH_LIMIT`].
///
/// A rule can be compared and matched:
///
/// ```
/// use formwork::{Rule, record};
///
/// let error = record::from_slice::<u32>(&[1, 0, 0, 0, 0]).unwrap_err();
/// let why = match error.rule() {
///     Rule::INPUT_COMPLETE => "there is more to come",
///     Rule::INPUT_TRAILING => "there is more than that",
///     _ => "it is broken",
/// };
/// assert_eq!(why, "there is more than that");
/// ```
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct Rule(&'static Declaration);

/// The declaration of a [`Rule`]. [`rules!`](crate::rules) makes it.
#[doc(hidden)]
#[derive(Eq, Hash, PartialEq)]
pub struct Declaration {
    pub name: &'static str,
    pub description: &'static str,
    pub class: ErrorKind,
}

/// Declares [rules](crate::Rule), a constant each, and the list of them all.
///
/// The first line names the list. A rule's doc comment is its description, a sentence that says what is
/// demanded; then come its stable name, which tests and scripts may rely on, and the
/// [class](crate::ErrorKind) of errors that break it.
///
/// ```
/// mod rule {
///     formwork::rules! {
///         /// All rules about scores.
///         pub const ALL;
///
///         /// A score is at most
///         /// 9999.
///         pub const SCORE_RANGE = "score.range", Malformed;
///         /// A player's name is at most 16 bytes long.
///         pub const NAME_LENGTH = "name.length", Limit;
///     }
/// }
///
/// assert_eq!(rule::SCORE_RANGE.name(), "score.range");
/// assert_eq!(rule::SCORE_RANGE.description(), "A score is at most 9999.");
/// assert_eq!(rule::NAME_LENGTH.kind(), formwork::ErrorKind::Limit);
/// assert_eq!(rule::ALL, [rule::SCORE_RANGE, rule::NAME_LENGTH]);
/// ```
#[macro_export]
macro_rules! rules {
    (
        $(#[$list_meta:meta])* $list_vis:vis const $list:ident;
        $( $(#[doc = $doc:literal])+ $vis:vis const $rule:ident = $name:literal, $class:ident; )+
    ) => {
        $(#[$list_meta])*
        $list_vis const $list: &'static [$crate::Rule] =
            &[ $( $crate::rules!(@rule $name, $class, $($doc)+), )+ ];

        $(
            $(#[doc = $doc])+
            #[doc = concat!("\n\nName: `", $name, "`.")]
            $vis const $rule: $crate::Rule = $crate::rules!(@rule $name, $class, $($doc)+);
        )+
    };
    (@rule $name:literal, $class:ident, $($doc:literal)+) => {
        $crate::Rule::declared(&$crate::Declaration {
            name: $name,
            description: concat!($($doc),+).trim_ascii(),
            class: $crate::ErrorKind::$class,
        })
    };
}

/// The rules that all readers and writers share.
impl Rule {
    crate::rules! {
        /// The rules that all readers and writers share.
        pub const SHARED;

        /// The input holds all the bytes that its headers, lengths and counts announce.
        pub const INPUT_COMPLETE = "input.complete", Malformed;
        /// Nothing follows the value.
        pub const INPUT_TRAILING = "input.trailing", Trailing;
        /// The reader or writer underneath works.
        pub const INPUT_IO = "input.io", Io;
        /// Records or containers are in each other no deeper than the limit.
        pub const DEPTH_LIMIT = "depth.limit", Limit;
        /// A length or count stays within the caller's limits.
        pub const SIZE_LIMIT = "size.limit", Limit;
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn declared(declaration: &'static Declaration) -> Self {
        Self(declaration)
    }

    /// Returns the rule's stable name, such as `string.padding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns what the rule demands, in a sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        self.0.description
    }

    /// Returns the class of an error that breaks this rule (when it is not for want of input).
    #[must_use]
    pub const fn kind(self) -> ErrorKind {
        self.0.class
    }

    /// Returns the description as a clause: `a bool is 0 or 1`.
    #[must_use]
    pub fn demand(self) -> String {
        let text = self.description().trim_end_matches('.');
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.name())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
