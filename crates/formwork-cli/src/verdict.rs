//! The verdict of `verify` on a file.

use formwork_variant::Error;

use super::lines::{Finding, Grade};

/// Number of warnings that fit into a line.
pub(crate) const SHOWN: usize = 3;

/// The verdict on a file.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) ok: bool,
    pub(crate) line: String,
    pub(crate) findings: Vec<Finding>,
    /// How many more warnings of a rule there are than findings: of very many, only the first are listed.
    pub(crate) more: Vec<(&'static str, u64)>,
}

impl Verdict {
    /// Makes the verdict for a file without faults.
    pub(crate) const fn ok(line: String) -> Self {
        Self { ok: true, line, findings: Vec::new(), more: Vec::new() }
    }

    /// Makes the verdict for a file with one finding.
    pub(crate) fn not_ok(line: String, grade: Grade, rule: &str) -> Self {
        Self { ok: false, ..Self::ok(line) }.finding(Finding::new(grade, rule))
    }

    /// Adds a finding.
    pub(crate) fn finding(mut self, finding: Finding) -> Self {
        self.findings.push(finding);
        self
    }

    /// Makes the verdict for a file that cannot be read, because of a fault if one is known.
    pub(crate) fn damaged(line: String, error: Option<&Error>) -> Self {
        let finding = match error {
            Some(error) => Finding::damage(error),
            None => Finding::new(Grade::Damage, "cannot be read"),
        };
        Self { ok: false, ..Self::ok(line) }.finding(finding)
    }
}
