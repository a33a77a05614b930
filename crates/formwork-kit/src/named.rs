//! Enumerations whose members have stable names.

/// Prints the members of an enumeration with `ALL` and `name` by their names, and reads them from these. The last text is
/// what the members are called together.
macro_rules! named {
    ($one:ident, $(#[doc = $doc:literal])+ $unknown:ident, $what:literal) => {
        impl std::fmt::Display for $one {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        $(#[doc = $doc])+
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub struct $unknown(String);

        impl std::fmt::Display for $unknown {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let names: Vec<_> = $one::ALL.iter().map(|one| one.name()).collect();
                write!(f, concat!("there is no ", $what, " `{}`; there are {}"), self.0, names.join(", "))
            }
        }

        impl std::error::Error for $unknown {}

        impl std::str::FromStr for $one {
            type Err = $unknown;

            fn from_str(name: &str) -> Result<Self, $unknown> {
                let found = Self::ALL.iter().find(|one| one.name() == name);
                found.copied().ok_or_else(|| $unknown(name.to_owned()))
            }
        }
    };
}
pub(crate) use named;
