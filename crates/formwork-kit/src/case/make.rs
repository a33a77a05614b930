//! Makes one case after the enumeration, of a given profile.

use crate::Format;
use arbitrary::Unstructured;
use formwork_variant::Real;
use formwork_variant::codec::Encoder;
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, variant};

use super::alb1;
use super::{Case, Made, Profile, Reading, breach};

/// How often to begin anew where a seed leads nowhere.
pub(super) const ATTEMPTS: usize = 4;

/// Puts together a case of the profile that it says, or a valid one where nothing comes of that.
pub(super) fn make(u: &mut Unstructured<'_>, reading: &Reading, config: &Config, case: &mut Case) {
    if case.profile != Profile::Valid {
        let made = (0..ATTEMPTS).find_map(|_| made(u, reading, config, case.profile));
        if let Some(Made { bytes, subject, broken, pair }) = made {
            case.bytes = bytes;
            case.subject = subject;
            case.broken = broken;
            case.pair = pair;
            return;
        }
        case.profile = Profile::Valid;
    }
    match reading.format {
        Format::Variant(dialect) => match dialect.precision() {
            Precision::Single => value::<f32>(u, dialect, config, case),
            Precision::Double => value::<f64>(u, dialect, config, case),
        },
        Format::Alb1 => {
            if let Ok(made) = alb1::valid(u, config) {
                case.bytes = made.bytes;
                case.subject = made.subject;
            }
        }
    }
}

impl Case {
    /// Returns a case of a profile, made of the bytes of a fuzzer; [`None`] where these lead to no
    /// packet that breaks a rule. Its number is 0. (Those of [`Profile::Enumerate`] have numbers only:
    /// for it, a valid case is made.)
    ///
    /// ```
    /// use formwork_variant::generate::arbitrary::Unstructured;
    /// use formwork_kit::case::{Case, Profile, Reading};
    /// use formwork_kit::Format;
    /// use formwork_variant::generate::Config;
    ///
    /// let seed: Vec<u8> = (0..=255).collect();
    /// let reading = Reading { format: Format::Alb1, allow_objects: false };
    /// let case = Case::of_bytes(&mut Unstructured::new(&seed), &reading, Profile::Valid, &Config::default());
    /// assert!(case.is_some_and(|case| case.bytes.starts_with(b"ALB1")));
    /// ```
    #[must_use]
    pub fn of_bytes(
        u: &mut Unstructured<'_>,
        reading: &Reading,
        profile: Profile,
        config: &Config,
    ) -> Option<Self> {
        let mut case = Self { profile, ..Self::numbered(0) };
        if matches!(profile, Profile::Valid | Profile::Enumerate) {
            case.profile = Profile::Valid;
            make(u, reading, config, &mut case);
        } else {
            let Made { bytes, subject, broken, pair } = made(u, reading, config, profile)?;
            case = Self { bytes, subject, broken, pair, ..case };
        }
        Some(case)
    }

    /// Makes it a case of a profile with nothing in it. Its memory is used again.
    pub(super) fn begin_anew(&mut self, profile: Profile) {
        self.profile = profile;
        self.bytes.clear();
        self.broken = None;
        self.pair = None;
    }

    /// Returns a case that has only a number yet.
    pub(super) fn numbered(number: u64) -> Self {
        Self {
            number,
            profile: Profile::Valid,
            subject: "",
            bytes: Vec::new(),
            broken: None,
            pair: None,
        }
    }
}

/// A packet that is not valid, or odd; none where the seed led to no place for it.
fn made(
    u: &mut Unstructured<'_>,
    reading: &Reading,
    config: &Config,
    profile: Profile,
) -> Option<Made> {
    let made = match profile {
        Profile::NearValid => breach::near_valid(u, reading, config),
        Profile::Edge => breach::edge(u, reading, config),
        Profile::Hostile => breach::hostile(u, reading, config),
        Profile::Enumerate | Profile::Valid => Ok(None),
    };
    // A seed that runs out leads nowhere, either.
    made.ok().flatten()
}

/// A value that an engine writes.
fn value<R: Real>(u: &mut Unstructured<'_>, dialect: Dialect, config: &Config, case: &mut Case) {
    // Neither fails: a short seed makes a small value, and what is made can be written.
    let value = variant::<R>(u, dialect, config).unwrap_or_default();
    case.subject = dialect.type_name(value.variant_type());
    let encoder = Encoder::new(dialect).in_precision();
    if encoder.encode_into(&value, &mut case.bytes).is_err() {
        case.bytes.clear();
    }
}
