//! For contrast: the same with bytes at random instead of cases.

use formwork_kit::case::Reading;
use formwork_kit::oracle::Judge;
use formwork_kit::oracle::target::{self, Limits};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::decoder::{self, Defect};

/// Packets sent at a time.
const BATCH: usize = 256;

/// How many of the defects show in so many packets of random bytes, each in one of its formats.
pub(crate) fn found(defects: &[Defect], count: u64) -> Vec<String> {
    let shows = |defect: &&Defect| {
        defect.formats.iter().any(|&format| {
            let reading = Reading { format, allow_objects: false };
            let judge = Judge::new(reading);
            let limits = Limits { memory: 256 << 20, batch: BATCH, ..Limits::default() };
            let spec = decoder::spec(format, Some(&defect.name));
            let mut target = target::open(&spec, &limits).expect("the decoder starts");
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            (0..count / BATCH as u64).any(|_| {
                let packets: Vec<Vec<u8>> = (0..BATCH).map(|_| bytes(&mut random)).collect();
                let packets: Vec<&[u8]> = packets.iter().map(Vec::as_slice).collect();
                let mut outcomes = Vec::new();
                target.run(&packets, &mut outcomes).expect("the decoder can be reached");
                let mut pairs = packets.iter().zip(&outcomes);
                pairs.any(|(packet, outcome)| judge.judge(packet, outcome).is_some())
            })
        })
    };
    defects.iter().filter(shows).map(|defect| defect.name.clone()).collect()
}

fn bytes(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut bytes = vec![0; (random.next_u64() % 256) as usize];
    random.fill_bytes(&mut bytes);
    bytes
}
