//! Compares two versions of a content.

use formwork_alb1::diff::{Options, Roots};

use super::super::alb1;
use super::super::changed::Changed;
use super::super::content::Version;
use super::super::documents;
use super::super::failure::Failure;

/// How versions are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparing<'c> {
    /// Whether everything counts.
    pub(super) strict: bool,
    /// The largest difference of floats that are taken for equal.
    pub(super) tolerance: Option<f64>,
    /// Targets of pointers in the old files, and in the new ones.
    pub(super) roots: &'c [Roots; 2],
}

impl Comparing<'_> {
    /// Returns the differences, and whether only a part of a version was read.
    pub(super) fn versions(
        &self,
        old: &Version,
        new: &Version,
    ) -> Result<(Vec<Changed>, bool), Failure> {
        if let (Version::Alb1(old), Version::Alb1(new)) = (old, new) {
            if self.tolerance.is_some_and(|it| it > 0.0) {
                return Err(Failure::usage(
                    "--float-tolerance is for saves; files of Terrain Builder are compared exactly",
                ));
            }
            let [old_roots, new_roots] = self.roots.clone();
            let options = Options { strict: self.strict, old_roots, new_roots };
            return Ok((alb1::differences(old, new, &options), false));
        }
        match (old, new) {
            (Version::Values(old), Version::Values(new)) => {
                let is_partial = old.say_unread()? | new.say_unread()?;
                let (name, before, after) = (&old.source.name, old.document()?, new.document()?);
                let found = documents::differences((name, &*before), &*after, self.tolerance);
                Ok((found, is_partial))
            }
            (Version::Document(name, before), Version::Document(_, after)) if old.is_like(new) => {
                let found = documents::differences((name, &**before), &**after, self.tolerance);
                Ok((found, false))
            }
            _ => Err(incomparable(old, new)),
        }
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
    let mut kinds = [old, new].map(|version| match version {
        Version::Values(_) => (2, SAVE.to_owned()),
        Version::Alb1(_) => (3, ALB1.to_owned()),
        Version::Nothing | Version::Text(..) => (0, "a text".to_owned()),
        Version::Unopened => (1, "another file".to_owned()),
        Version::Document("json", _) => (1, "JSON".to_owned()),
        Version::Document(format, _) => (1, format!("a {format}")),
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
