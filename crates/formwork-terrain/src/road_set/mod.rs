//! Types of road and crossroads by themselves, as JSON or YAML, to be moved from one project to another.

mod put;
mod retype;
mod words;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::put::PutTypes;
pub use self::retype::{Retyped, retype};
use formwork_alb1::terrain::Project;

/// Types of road and crossroads.
///
/// Crossroads name their types of road, while a project has positions; so a set fits any project.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RoadSet {
    /// The types of road.
    #[serde(default)]
    pub roads: Vec<RoadType>,
    /// The crossroads.
    #[serde(default)]
    pub crossroads: Vec<Crossroad>,
}

/// A type of road: a [`RoadDefinition`](formwork_alb1::terrain::RoadDefinition) in words.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RoadType {
    /// Its name.
    pub name: String,
    /// Whether key parts have a separate colour.
    #[serde(default)]
    pub coloured_key_parts: bool,
    /// The colour of key parts: `#rrggbbaa`.
    #[serde(default = "black")]
    pub key_colour: String,
    /// Whether normal parts have a separate colour.
    #[serde(default)]
    pub coloured_normal_parts: bool,
    /// The colour of normal parts: `#rrggbbaa`.
    #[serde(default = "black")]
    pub colour: String,
    /// Whether a road is drawn as a full line.
    #[serde(default)]
    pub drawn_as_line: bool,
    /// The steepest angle.
    #[serde(default)]
    pub max_angle: f64,
    /// The steepest bank.
    #[serde(default)]
    pub max_bank: f64,
    /// The straight parts.
    #[serde(default)]
    pub straights: Vec<Part>,
    /// The curves.
    #[serde(default)]
    pub curves: Vec<Part>,
    /// The parts at the ends of roads.
    #[serde(default)]
    pub terminators: Vec<Part>,
}

/// A part of a type of road.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its model, as a path on the project drive.
    pub model: String,
    /// Whether it may bank; only straight parts have this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can_bank: Option<bool>,
    /// Its radius.
    #[serde(default)]
    pub radius: f64,
}

/// A crossroad: a [`CrossDefinition`](formwork_alb1::terrain::CrossDefinition) in words.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Crossroad {
    /// Its name.
    pub name: String,
    /// Its model, as a path on the project drive.
    pub model: String,
    /// 2 for a T, 3 for an X.
    pub kind: i32,
    /// Whether it has a separate colour.
    #[serde(default)]
    pub coloured: bool,
    /// Its colour: `#rrggbbaa`.
    #[serde(default = "black")]
    pub colour: String,
    /// Whether it is drawn as a full line.
    #[serde(default)]
    pub drawn_as_line: bool,
    /// A smallest value.
    #[serde(default)]
    pub min: f64,
    /// A largest value.
    #[serde(default)]
    pub max: f64,
    /// A usual value.
    #[serde(default)]
    pub standard: f64,
    /// Whether it is aligned.
    #[serde(default)]
    pub align: bool,
    /// The names of the types of road at its four arms.
    pub connects: [Option<String>; 4],
}

fn black() -> String {
    "#000000ff".into()
}

/// The reason why a set of roads could not be taken from a project, read, or put into a project.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum RoadSetError {
    /// The text is not such a set; the field has the reason.
    Text(String),
    /// The project has types of road or crossroads of these names already.
    Exists(Vec<String>),
    /// The type of road or crossroad with this name has a part that the other side cannot express.
    Unrepresentable(String, String),
}

impl fmt::Display for RoadSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(why) => write!(f, "this is no set of roads: {why}"),
            Self::Exists(names) => write!(f, "the project has these already: {}", names.join(", ")),
            Self::Unrepresentable(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

impl std::error::Error for RoadSetError {}

type Result<T, E = RoadSetError> = std::result::Result<T, E>;

fn inexpressible<T>(name: &str, why: impl Into<String>) -> Result<T> {
    Err(RoadSetError::Unrepresentable(name.to_owned(), why.into()))
}

impl RoadSet {
    /// Returns the types of road and crossroads of a project.
    ///
    /// # Errors
    ///
    /// Returns an error if a crossroad continues with a type of road that the project lacks or whose name another type
    /// has, if a number is not finite, or if a type has special parts, whose form is not known.
    pub fn of(project: &Project) -> Result<Self> {
        let base = &project.objects.road_base;
        Ok(Self {
            roads: base.roads.iter().map(RoadType::of).collect::<Result<_>>()?,
            crossroads: (base.crossroads.iter())
                .map(|crossroad| Crossroad::of(crossroad, &base.roads))
                .collect::<Result<_>>()?,
        })
    }

    /// Returns the set as JSON, indented.
    ///
    /// # Errors
    ///
    /// No error is expected.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// Returns the set as YAML.
    ///
    /// # Errors
    ///
    /// No error is expected.
    pub fn to_yaml(&self) -> Result<String> {
        serde_saphyr::to_string(self).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not such a set.
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| RoadSetError::Text(error.to_string()))
    }

    /// Reads YAML.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not such a set.
    pub fn from_yaml(text: &str) -> Result<Self> {
        serde_saphyr::from_str(text).map_err(|error| RoadSetError::Text(error.to_string()))
    }
}
