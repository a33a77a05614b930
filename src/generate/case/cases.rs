//! All cases of a seed.

use arbitrary::Unstructured;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Case, Profile, Reading};
use crate::codec::ObjectForm;
use crate::dialect::Precision;
use crate::format::Format;
use crate::generate::{Config, document, variant};

/// All cases of a seed. Each is made from the seed and its number alone, so any of them can be had at
/// any time, in any order, on any machine.
#[derive(Clone, Debug)]
pub struct Cases {
    reading: Reading,
    seed: u64,
    config: Config,
}

impl Cases {
    /// The cases of a seed.
    #[must_use]
    pub fn new(reading: Reading, seed: u64) -> Self {
        let config = Config { objects: reading.allow_objects, ..Config::default() };
        Self { reading, seed, config }
    }

    /// The case of that number.
    #[must_use]
    pub fn case(&self, number: u64) -> Case {
        let mut bytes = [0; 1024];
        let mixed = self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Xoshiro256PlusPlus::seed_from_u64(mixed).fill_bytes(&mut bytes);
        let mut u = Unstructured::new(&bytes);
        let bytes = match self.reading.format {
            Format::Variant(dialect) => match dialect.precision() {
                Precision::Single => {
                    variant::<f32>(&mut u, dialect, &self.config).ok().and_then(|value| {
                        crate::Encoder::new(dialect).objects(ObjectForm::Full).encode(&value).ok()
                    })
                }
                Precision::Double => {
                    variant::<f64>(&mut u, dialect, &self.config).ok().and_then(|value| {
                        crate::Encoder::new(dialect).objects(ObjectForm::Full).encode(&value).ok()
                    })
                }
            },
            Format::Alb1 => {
                document(&mut u, &self.config).ok().and_then(|document| document.to_vec().ok())
            }
        };
        Case {
            number,
            profile: Profile::Valid,
            subject: "",
            bytes: bytes.unwrap_or_default(),
            broken: None,
            pair: None,
        }
    }
}
