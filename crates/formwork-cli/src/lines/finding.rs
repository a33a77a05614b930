//! What is wrong with a file.

use formwork_alb1::finding::Severity;
use formwork_variant::Error;
use serde::{Serialize, Serializer};

use super::super::style::shown;

/// One thing that is not as it should be.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    /// The file, where the findings of several files are in one list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The rule that is broken, or what it is in words; empty where only the message says it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) rule: String,
    #[serde(rename = "damage", serialize_with = "is_damage")]
    pub(crate) grade: Grade,
    /// Where it is in the content of the file, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<u64>,
    /// In which value and field; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) path: String,
    /// What should be there, and what is; empty where only the message says so.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) expected: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) found: String,
    /// All of it in words.
    pub(crate) message: String,
}

/// How bad a finding is, the worst first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Grade {
    Damage,
    Warning,
}

impl Finding {
    /// Makes a finding of which no place is known.
    pub(crate) fn new(grade: Grade, rule: &str) -> Self {
        let (rule, message) = (rule.to_owned(), rule.to_owned());
        let (path, expected, found) = (String::new(), String::new(), String::new());
        Self { file: None, rule, grade, offset: None, path, expected, found, message }
    }

    /// Makes a finding of why a command failed.
    pub(crate) fn failure(message: String) -> Self {
        Self { message, ..Self::new(Grade::Warning, "") }
    }

    /// Makes a finding of a fault.
    pub(crate) fn of(grade: Grade, error: &Error) -> Self {
        Self {
            offset: Some(error.offset()),
            path: shown(error.path()),
            expected: error.expected().to_owned(),
            found: error.found().to_owned(),
            message: error.to_string(),
            ..Self::new(grade, error.rule().name())
        }
    }

    /// Makes a finding of a fault because of which the file cannot be read.
    pub(crate) fn damage(error: &Error) -> Self {
        Self::of(Grade::Damage, error)
    }
}

impl From<&formwork_alb1::finding::Finding> for Finding {
    fn from(finding: &formwork_alb1::finding::Finding) -> Self {
        let is_broken = finding.kind.severity() == Severity::Broken;
        let grade = if is_broken { Grade::Damage } else { Grade::Warning };
        Self {
            offset: finding.offset,
            path: shown(&finding.path),
            message: shown(&finding.message),
            ..Self::new(grade, &finding.kind.to_string())
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_damage<S: Serializer>(grade: &Grade, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*grade == Grade::Damage)
}
