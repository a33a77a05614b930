//! Faults of a file.

pub use formwork::document::Grade;
use formwork_alb1::finding::Severity;
use formwork_variant::Error;
use serde::{Serialize, Serializer};

use super::super::style::shown;

/// One fault.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The file, where one list has the findings of several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The broken rule, or the fault in words; empty where only the message describes it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// How bad it is.
    #[serde(rename = "damage", serialize_with = "is_damage")]
    pub grade: Grade,
    /// The offset in the content of the file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The path of the value and field; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The expected and the found value; empty where only the message has them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The found value; empty where only the message has it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// The whole finding in words.
    pub message: String,
}

impl Finding {
    /// Makes a finding without a place.
    pub fn new(grade: Grade, rule: &str) -> Self {
        let (rule, message) = (rule.to_owned(), rule.to_owned());
        let (path, expected, found) = (String::new(), String::new(), String::new());
        Self { file: None, rule, grade, offset: None, path, expected, found, message }
    }

    /// Makes a finding from the error of a command.
    pub fn failure(message: String) -> Self {
        Self { message, ..Self::new(Grade::Warning, "") }
    }

    /// Makes a finding from a fault.
    pub fn of(grade: Grade, error: &Error) -> Self {
        Self {
            offset: (!error.is_nowhere()).then(|| error.offset()),
            path: shown(error.path()),
            expected: error.expected().to_owned(),
            found: error.found().to_owned(),
            message: error.to_string(),
            ..Self::new(grade, error.rule().name())
        }
    }

    /// Makes a finding from a fault that makes the file unreadable.
    pub fn damage(error: &Error) -> Self {
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
