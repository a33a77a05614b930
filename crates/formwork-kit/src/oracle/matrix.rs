//! How a target did, by type and by profile.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::stored;
use crate::case::Profile;

/// Counts of the results of one subject and profile.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Cell {
    /// Cases to which target and reference said the same.
    pub agreed: u64,
    /// Cases that showed a finding.
    pub findings: u64,
    /// Cases that the target does not claim to read.
    pub skipped: u64,
}

impl Cell {
    fn add(&mut self, other: Self) {
        self.agreed += other.agreed;
        self.findings += other.findings;
        self.skipped += other.skipped;
    }
}

/// The conformance of a target: what came of the cases of each subject (a type, a record) in each
/// profile.
///
/// Printed, it is a table for people; with serde, a list of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix(HashMap<(Cow<'static, str>, Profile), Cell>);

impl Matrix {
    /// The cell of a subject and a profile.
    pub fn cell(&mut self, subject: &'static str, profile: Profile) -> &mut Cell {
        self.0.entry((Cow::Borrowed(subject), profile)).or_default()
    }

    /// All cells, by subject and then by profile.
    pub fn cells(&self) -> impl Iterator<Item = (&str, Profile, Cell)> {
        let mut cells: Vec<_> = self.0.iter().collect();
        cells.sort_by_key(|(key, _)| *key);
        cells.into_iter().map(|((subject, profile), cell)| (&**subject, *profile, *cell))
    }
}

#[derive(Deserialize, Serialize)]
struct Row<'a> {
    subject: Cow<'a, str>,
    #[serde(with = "stored::profile")]
    profile: Profile,
    #[serde(flatten)]
    cell: Cell,
}

impl Serialize for Matrix {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let row = |(subject, profile, cell)| Row { subject: Cow::Borrowed(subject), profile, cell };
        out.collect_seq(self.cells().map(row))
    }
}

impl<'de> Deserialize<'de> for Matrix {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let rows = Vec::<Row<'_>>::deserialize(from)?;
        let cell = |Row { subject, profile, cell }: Row<'_>| {
            ((Cow::Owned(subject.into_owned()), profile), cell)
        };
        Ok(Self(rows.into_iter().map(cell).collect()))
    }
}

impl fmt::Display for Matrix {
    /// A row a subject, a column a profile: `agreed`, or `findings/cases` where there are findings;
    /// skipped cases follow a `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profiles: BTreeSet<Profile> = self.0.keys().map(|(_, profile)| *profile).collect();
        let mut rows: BTreeMap<&str, BTreeMap<Profile, Cell>> = BTreeMap::new();
        let mut total: BTreeMap<Profile, Cell> = BTreeMap::new();
        for (subject, profile, cell) in self.cells() {
            let subject = if subject.is_empty() { "(mixed)" } else { subject };
            rows.entry(subject).or_default().entry(profile).or_default().add(cell);
            total.entry(profile).or_default().add(cell);
        }
        let widest = rows.keys().map(|subject| subject.chars().count()).max().unwrap_or(0).max(8);
        write!(f, "{:widest$}", "")?;
        for profile in &profiles {
            write!(f, "  {:>16}", profile.name())?;
        }
        writeln!(f)?;
        for (subject, cells) in rows.iter().chain([(&"all", &total)]) {
            write!(f, "{subject:widest$}")?;
            for profile in &profiles {
                let text = cells.get(profile).map_or(String::new(), text);
                write!(f, "  {text:>16}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn text(cell: &Cell) -> String {
    let Cell { agreed, findings, skipped } = *cell;
    let mut text = match (findings, agreed) {
        (0, 0) => "-".to_owned(),
        (0, agreed) => agreed.to_string(),
        (findings, agreed) => format!("{findings}/{} wrong", findings + agreed),
    };
    if skipped > 0 {
        text.push_str(&format!(" ({skipped} skipped)"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_is_wrong_and_is_read_back() {
        let mut matrix = Matrix::default();
        matrix.cell("int", Profile::Valid).agreed = 7;
        *matrix.cell("String", Profile::Edge) = Cell { agreed: 1, findings: 2, skipped: 3 };
        let table = matrix.to_string();
        assert!(table.contains("2/3 wrong (3 skipped)"), "{table}");
        let json = serde_json::to_string(&matrix).unwrap();
        assert_eq!(serde_json::from_str::<Matrix>(&json).unwrap(), matrix);
    }
}
