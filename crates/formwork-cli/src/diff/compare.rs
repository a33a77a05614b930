//! Compares two versions of a content.

use formwork_alb1::diff::{Options, Roots};

use super::super::changed::Changed;
use super::super::content::Version;
use super::super::documents;
use super::super::failure::Failure;
use super::super::file::{self, Chosen};
use super::super::format::LimitOptions;

/// How versions are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparing<'c> {
    /// Whether everything counts.
    pub(super) strict: bool,
    /// The largest difference of floats that are taken for equal.
    pub(super) tolerance: Option<f64>,
    /// Targets of pointers in the old files, and in the new ones.
    pub(super) roots: &'c [Roots; 2],
    pub(super) limits: LimitOptions,
}

impl Comparing<'_> {
    /// Returns the differences, and whether only a part of a version was read.
    pub(super) fn versions(
        &self,
        old: &Version,
        new: &Version,
    ) -> Result<(Vec<Changed>, bool), Failure> {
        if old.kind().is_none() || old.kind() != new.kind() {
            return Err(incomparable(old, new));
        }
        let is_alb1 = old.kind() == Some(file::ALB1);
        if is_alb1 && self.tolerance.is_some_and(|it| it > 0.0) {
            return Err(Failure::usage(
                "--float-tolerance is for saves; files of Terrain Builder are compared exactly",
            ));
        }
        let is_partial = old.say_unread()? | new.say_unread()?;
        let chosen = Chosen::all(self.limits);
        let (before, after) = (old.document(chosen)?, new.document(chosen)?);
        if is_alb1 {
            let [old_roots, new_roots] = self.roots.clone();
            let options = Options { strict: self.strict, old_roots, new_roots };
            let found = formwork_alb1::differences(&*before, &*after, &options).unwrap_or_default();
            return Ok((documents::shown_changes(&*after, &found), is_partial));
        }
        Ok((documents::differences((old.name(), &*before), &*after, self.tolerance), is_partial))
    }
}

pub(super) const SAVE: &str = "a save";
pub(super) const ALB1: &str = "a file of Terrain Builder";

/// Makes the failure for files of two kinds.
pub(super) fn not_alike(one: &str, other: &str) -> Failure {
    Failure::usage(format!("{one} and {other} cannot be compared"))
}

/// Makes the failure for versions of different kinds.
fn incomparable(old: &Version, new: &Version) -> Failure {
    let mut kinds = [old, new].map(|version| match (version, version.kind()) {
        (_, Some(file::SAVE)) => (2, SAVE.to_owned()),
        (_, Some(file::ALB1)) => (3, ALB1.to_owned()),
        (_, Some("json")) => (1, "JSON".to_owned()),
        (_, Some(format)) => (1, format!("a {format}")),
        (Version::Unopened, None) => (1, "another file".to_owned()),
        (_, None) => (0, "a text".to_owned()),
    });
    kinds.sort_by_key(|(order, _)| *order);
    let [(first, one), (second, other)] = &kinds;
    let failure = not_alike(one, other);
    match (first, second) {
        (1, 2) => {
            failure.hint("to compare the values as JSON: formwork decode both, then formwork diff")
        }
        _ => failure,
    }
}
