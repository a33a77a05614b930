//! All cases of a seed.

use std::sync::{Arc, OnceLock};

use arbitrary::Unstructured;
use formwork_edit::convert::Converter;
use formwork_variant::Real;
use formwork_variant::codec::{Decoder, Encoder};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, Types};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::chosen::Chosen;
use super::enumerate::{Enumeration, simplest};
use super::make::{ATTEMPTS, make};
use super::packets::{changed, subject};
use super::{Case, Profile, Reading};
use crate::tree::Tree;

/// All cases of a seed. Each is made from the seed and its number alone, so any of them can be had at
/// any time, in any order, on any machine.
///
/// The first cases are the enumeration: [`Profile::Enumerate`]. The following ones are of the other profiles, mixed in
/// fixed shares.
///
/// ```
/// use formwork_kit::case::{Cases, Profile, Reading};
///
/// let reading = Reading { format: "godot3".parse().unwrap(), allow_objects: false };
/// let cases = Cases::new(reading, 7);
/// assert_eq!(cases.case(0).profile, Profile::Enumerate);
/// let number = cases.enumerated() + 5;
/// assert_ne!(cases.case(number).profile, Profile::Enumerate);
/// assert_eq!(cases.case(number), cases.case(number));
/// ```
#[derive(Clone, Debug)]
pub struct Cases {
    reading: Reading,
    seed: u64,
    config: Config,
    /// The profiles of one round of cases after the enumeration.
    round: Vec<Profile>,
    enumerate: bool,
    /// Real packets, taken apart.
    packets: Arc<[Tree]>,
    /// Made when it is first needed: not everybody wants it.
    enumeration: Arc<OnceLock<Enumeration>>,
}

/// The shares of the profiles, in a round of twenty.
const SHARES: [(Profile, u32); 4] =
    [(Profile::Valid, 8), (Profile::Edge, 5), (Profile::NearValid, 5), (Profile::Hostile, 2)];

/// Number of successive cases that use the same types.
const BLOCK: u64 = 64;

/// The bytes that a value of one type alone is made of, and the most that others are made of.
const SINGLE: usize = 256;
const MOST: usize = 2048;

impl Cases {
    /// The number of this way to make cases: with another one, the same seed and number may give
    /// another case.
    pub const VERSION: u32 = 5;

    /// The cases of a seed, of all profiles.
    #[must_use]
    pub fn new(reading: Reading, seed: u64) -> Self {
        let cases = Self {
            reading,
            seed,
            config: Config::default(),
            round: Vec::new(),
            enumerate: true,
            packets: Arc::default(),
            enumeration: Arc::default(),
        };
        cases.config(Config::default()).profiles(Profile::ALL)
    }

    /// Cases of these profiles only. Without any, they are those of [`Profile::Valid`].
    #[must_use]
    pub fn profiles(mut self, profiles: &[Profile]) -> Self {
        self.enumerate = profiles.contains(&Profile::Enumerate);
        self.round = round(profiles);
        self
    }

    /// Sets the parts that values are made of; objects in full form only if the reading allows them. The types apply to
    /// all cases, whatever their profile, and to real [`packets`](Self::packets), too.
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.config = Config { objects: config.objects && self.reading.allow_objects, ..config };
        self.enumeration = Arc::default();
        self.packets = self.packets.iter().filter(|it| self.allows(&it.write())).cloned().collect();
        self
    }

    /// Whether a packet is made of the types that are wanted.
    fn allows(&self, packet: &[u8]) -> bool {
        Chosen::new(self.reading.format, self.config.types).allows(packet)
    }

    /// Adds real packets or files of the format. Half of the cases after the enumeration are made of them, by
    /// structural changes to one and by copying parts of one into another. Empty ones are left out, and those with
    /// types that the [`config`](Self::config) excludes.
    #[must_use]
    pub fn packets(mut self, packets: Vec<Vec<u8>>) -> Self {
        let wanted = |packet: &Vec<u8>| !packet.is_empty() && self.allows(packet);
        let packets = packets.into_iter().filter(wanted);
        self.packets = packets.map(|packet| Tree::of_vec(packet, self.reading.format)).collect();
        self
    }

    /// Whether there are real packets that cases are made of.
    #[must_use]
    pub fn has_packets(&self) -> bool {
        !self.packets.is_empty()
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

    /// Returns how many cases there are: with [`Profile::Enumerate`] alone those of the enumeration,
    /// otherwise [`None`], as there is no end of them.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (self.enumerate && self.round.is_empty()).then(|| self.enumerated())
    }

    /// The case of that number.
    #[must_use]
    pub fn case(&self, number: u64) -> Case {
        let mut case = Case::numbered(number);
        self.case_into(number, &mut case);
        case
    }

    /// The case of that number, in the place of another one, whose memory is used again.
    pub fn case_into(&self, number: u64, case: &mut Case) {
        case.number = number;
        case.begin_anew(Profile::Valid);
        match number.checked_sub(self.enumerated()) {
            None => self.enumeration().put(number, case),
            Some(behind) => self.mixed(behind, case),
        }
    }

    /// The value of a case as an engine of another dialect writes it; [`None`] where that engine has no
    /// such value, or the case is refused. Decoders of both dialects have to read the same of both.
    #[must_use]
    pub fn in_dialect(&self, case: &Case, other: Dialect) -> Option<Vec<u8>> {
        let dialect = self.reading.format.dialect()?;
        let decoder = Decoder::new(dialect).allow_objects(self.reading.allow_objects);
        match (dialect.precision(), other.precision()) {
            (Precision::Single, Precision::Single) => {
                translated::<f32, f32>(&decoder, &case.bytes, other)
            }
            (Precision::Single, Precision::Double) => {
                translated::<f32, f64>(&decoder, &case.bytes, other)
            }
            (Precision::Double, Precision::Single) => {
                translated::<f64, f32>(&decoder, &case.bytes, other)
            }
            (Precision::Double, Precision::Double) => {
                translated::<f64, f64>(&decoder, &case.bytes, other)
            }
        }
    }

    /// Makes the case with the number `behind`, counted from the end of the enumeration.
    fn mixed(&self, behind: u64, case: &mut Case) {
        let position = behind.checked_rem(self.round.len() as u64).unwrap_or_default();
        let profile = self.round.get(position as usize).copied();
        case.profile = profile.unwrap_or(Profile::Valid);
        let mut random = random(self.seed, behind);
        let first = random.next_u64();
        let single = first % 100 < u64::from(self.config.single_percent);
        let config = Config {
            types: self.types(behind / BLOCK),
            single_percent: if single { 100 } else { 0 },
            ..self.config.clone()
        };
        if single {
            self.make(&mut [0; SINGLE], random, &config, case);
        } else {
            // Some are small for the want of random bytes; and a fault shows in a small packet as well.
            let most = if case.profile == Profile::Valid { MOST } else { MOST / 4 };
            let length = most >> (first >> 32 & 1) >> (first >> 33 & 1);
            let mut bits = [0; MOST];
            self.make(bits.get_mut(..length).unwrap_or_default(), random, &config, case);
        }
    }

    fn make(
        &self,
        bits: &mut [u8],
        mut random: Xoshiro256PlusPlus,
        config: &Config,
        case: &mut Case,
    ) {
        random.fill_bytes(bits);
        let profile = case.profile;
        if !self.packets.is_empty() && random.next_u64().is_multiple_of(2) {
            let mut u = Unstructured::new(bits);
            let (packets, round) = (&self.packets, &self.round);
            // A seed that runs out leads nowhere.
            for _ in 0..ATTEMPTS {
                let changed = changed(&mut u, packets, &self.reading, round, case).unwrap_or(false);
                if changed && self.allows(&case.bytes) {
                    return;
                }
                case.begin_anew(profile);
            }
        }
        // What another breach needs may have nothing to do with other types.
        for profile in [profile; ATTEMPTS].into_iter().chain([Profile::Valid]) {
            case.begin_anew(profile);
            make(&mut Unstructured::new(bits), &self.reading, config, case);
            if self.allows(&case.bytes) {
                return;
            }
            random.fill_bytes(bits);
        }
        case.begin_anew(Profile::Valid);
        let mut plain = self.reading.format.dialect().into_iter().flat_map(simplest);
        if let (Some(packet), Some(dialect)) =
            (plain.find(|it| self.allows(it)), self.reading.format.dialect())
        {
            case.subject = subject(&packet, dialect);
            case.bytes.extend_from_slice(&packet);
        }
    }

    /// Returns the types of a block of cases: all types in every other block, a subset in the blocks between, which
    /// combines these types more often.
    fn types(&self, block: u64) -> Types {
        if block.is_multiple_of(2) {
            return self.config.types;
        }
        let mut random = random(!self.seed, block);
        // One in four.
        let chosen =
            Types::from_bits(self.config.types.bits() & random.next_u64() & random.next_u64());
        let dialect = self.reading.format.dialect();
        let mut rows = dialect.into_iter().flat_map(|dialect| dialect.rows());
        if rows.any(|row| chosen.contains(row.variant_type)) { chosen } else { self.config.types }
    }

    fn enumeration(&self) -> &Enumeration {
        self.enumeration.get_or_init(|| {
            Enumeration::of(self.reading, Chosen::new(self.reading.format, self.config.types))
        })
    }
}

/// A value in another dialect, where nothing of it is lost.
fn translated<R: Real, S: Real>(
    decoder: &Decoder,
    bytes: &[u8],
    other: Dialect,
) -> Option<Vec<u8>> {
    let (value, _) = decoder.in_precision::<R>().decode_prefix(bytes).ok()?;
    let converter = Converter::new(decoder.dialect(), other).in_precision::<S>();
    let converted = converter.convert(value).exact().ok()?;
    Encoder::new(other).in_precision().encode(&converted).ok()
}

/// Parts the numbers from others of the same seed. [`Cases::VERSION`] is not part of the seed, so formats whose way to
/// make cases stays the same keep their cases.
const SALT: u64 = 2 << 56;

/// A generator of random numbers for one case, or block of cases.
fn random(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let place = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // This spreads the number over the whole state: numbers next to each other have nothing in common.
    Xoshiro256PlusPlus::seed_from_u64((seed ^ SALT).wrapping_add(place))
}

/// The profiles of one round, spread evenly.
fn round(profiles: &[Profile]) -> Vec<Profile> {
    let mut spread = Vec::new();
    for (profile, share) in SHARES.iter().filter(|(profile, _)| profiles.contains(profile)) {
        // Each profile's places at equal distances.
        spread.extend((0..*share).map(|at| ((2 * at + 1) * 1000 / share, *profile)));
    }
    spread.sort_unstable();
    spread.into_iter().map(|(_, profile)| profile).collect()
}
