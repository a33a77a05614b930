//! All cases of a seed.

use std::sync::{Arc, OnceLock};

use arbitrary::Unstructured;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::enumerate::Enumeration;
use super::{Case, Profile, Reading};
use crate::codec::Encoder;
use crate::dialect::{Dialect, Precision};
use crate::format::Format;
use crate::generate::{Config, Types, document, variant};
use crate::variant::{Real, VariantType};

/// All cases of a seed. Each is made from the seed and its number alone, so any of them can be had at
/// any time, in any order, on any machine.
///
/// The first ones are the enumeration: [`Profile::Enumerate`]. Those behind it are of the other
/// profiles, mixed by fixed shares.
///
/// ```
/// use formwork::Format;
/// use formwork::generate::case::{Cases, Profile, Reading};
///
/// let reading = Reading { format: "godot3".parse().unwrap(), allow_objects: false };
/// let cases = Cases::new(reading, 7);
/// assert_eq!(cases.case(0).profile, Profile::Enumerate);
/// let first = cases.enumerated();
/// assert_eq!(cases.case(first + 5), cases.case(first + 5));
/// ```
#[derive(Clone, Debug)]
pub struct Cases {
    reading: Reading,
    seed: u64,
    config: Config,
    /// The profiles of one round of cases, behind the enumeration.
    round: Vec<Profile>,
    enumerate: bool,
    /// Made when it is first needed: not everybody wants it.
    enumeration: Arc<OnceLock<Enumeration>>,
}

/// The shares of the profiles, in a round of twenty.
const SHARES: [(Profile, usize); 4] =
    [(Profile::Valid, 8), (Profile::Edge, 5), (Profile::NearValid, 5), (Profile::Hostile, 2)];

/// So many cases in a row use the same types.
const BLOCK: u64 = 64;

impl Cases {
    /// The number of this way to make cases: with another one, the same seed and number may give
    /// another case.
    pub const VERSION: u32 = 1;

    /// The cases of a seed, of all profiles.
    #[must_use]
    pub fn new(reading: Reading, seed: u64) -> Self {
        let config = Config { objects: reading.allow_objects, ..Config::default() };
        let cases = Self {
            reading,
            seed,
            config,
            round: Vec::new(),
            enumerate: true,
            enumeration: Arc::default(),
        };
        cases.profiles(Profile::ALL)
    }

    /// Cases of these profiles only. Without any, they are those of [`Profile::Valid`].
    #[must_use]
    pub fn profiles(mut self, profiles: &[Profile]) -> Self {
        self.enumerate = profiles.contains(&Profile::Enumerate);
        self.round = round(profiles);
        self
    }

    /// What the values are made of; objects only if the reading allows them.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.config = Config { objects: config.objects && self.reading.allow_objects, ..config };
        self
    }

    /// How the decoders that are tested read.
    #[must_use]
    pub const fn reading(&self) -> &Reading {
        &self.reading
    }

    /// How many cases the enumeration has: those with smaller numbers.
    #[must_use]
    pub fn enumerated(&self) -> u64 {
        if self.enumerate { self.enumeration().len() as u64 } else { 0 }
    }

    /// The case of that number.
    #[must_use]
    pub fn case(&self, number: u64) -> Case {
        let mut case = Case {
            number,
            profile: Profile::Valid,
            subject: "",
            bytes: Vec::new(),
            broken: None,
            pair: None,
        };
        self.case_into(number, &mut case);
        case
    }

    /// The case of that number, in the place of another one, whose memory is used again.
    pub fn case_into(&self, number: u64, case: &mut Case) {
        case.number = number;
        case.bytes.clear();
        case.broken = None;
        case.pair = None;
        let Some(behind) = number.checked_sub(self.enumerated()) else {
            case.profile = Profile::Enumerate;
            // The number is one of the list's.
            let at = usize::try_from(number).unwrap_or_default();
            if let Some((bytes, subject, broken)) = self.enumeration().get(at) {
                case.bytes.extend_from_slice(bytes);
                case.subject = subject;
                case.broken = broken;
            }
            return;
        };
        let position = behind % self.round.len().max(1) as u64;
        let profile = self.round.get(position as usize).copied();
        case.profile = profile.unwrap_or(Profile::Valid);
        let mut bits = [0; 1024];
        let mut random = random(self.seed, behind);
        random.fill_bytes(&mut bits);
        let mut u = Unstructured::new(&bits);
        match self.reading.format {
            Format::Variant(dialect) => {
                let config = self.swarm(dialect, behind);
                match dialect.precision() {
                    Precision::Single => value::<f32>(&mut u, dialect, &config, case),
                    Precision::Double => value::<f64>(&mut u, dialect, &config, case),
                }
            }
            Format::Alb1 => {
                case.profile = Profile::Valid;
                case.subject = "";
                let made = document(&mut u, &self.config).ok();
                if let Some(bytes) = made.and_then(|document| document.to_vec().ok()) {
                    case.bytes = bytes;
                }
            }
        }
    }

    /// What the values of a block of cases are made of: in every other block all types, in those
    /// between some of them, so that these meet more often.
    fn swarm(&self, dialect: Dialect, behind: u64) -> Config {
        let block = behind / BLOCK;
        if block % 2 == 0 {
            return self.config.clone();
        }
        let mut random = random(!self.seed, block);
        let all: Vec<VariantType> = dialect.rows().iter().map(|row| row.variant_type).collect();
        let chosen = all.iter().copied().filter(|_| random.next_u64() % 4 == 0);
        let chosen: Types = chosen.filter(|&chosen| self.config.types.contains(chosen)).collect();
        let empty = !all.iter().any(|&variant_type| chosen.contains(variant_type));
        Config { types: if empty { self.config.types } else { chosen }, ..self.config.clone() }
    }

    fn enumeration(&self) -> &Enumeration {
        self.enumeration.get_or_init(|| match self.reading.format {
            Format::Variant(dialect) => Enumeration::of(dialect, self.reading),
            Format::Alb1 => Enumeration::default(),
        })
    }
}

/// A generator of random numbers for one case, or block of cases.
fn random(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let version = u64::from(Cases::VERSION).rotate_left(56);
    // The seed is spread over the state: seeds next to each other have nothing in common.
    Xoshiro256PlusPlus::seed_from_u64(
        (seed ^ version).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    )
}

/// The profiles of one round, spread evenly.
fn round(profiles: &[Profile]) -> Vec<Profile> {
    let mut spread = Vec::new();
    for (order, (profile, share)) in SHARES.iter().enumerate() {
        if profiles.contains(profile) {
            // The places of each profile at equal distances.
            spread.extend((0..*share).map(|at| ((2 * at + 1) * 1000 / share, order, *profile)));
        }
    }
    spread.sort_unstable();
    spread.into_iter().map(|(_, _, profile)| profile).collect()
}

/// A value that an engine writes.
fn value<R: Real>(u: &mut Unstructured<'_>, dialect: Dialect, config: &Config, case: &mut Case) {
    case.profile = Profile::Valid;
    // Neither fails: the seed may run out, and what is made can be written (the tests hold both to it).
    let value = variant::<R>(u, dialect, config).unwrap_or_default();
    case.subject = dialect.type_name(value.variant_type());
    if Encoder::new(dialect).encode_into(&value, &mut case.bytes).is_err() {
        case.bytes.clear();
    }
}
