//! The choice among several checks of an input.

/// The checks that a run makes of an input. Tests make all checks. A fuzzer gets further with many cheap
/// runs, so there the bytes of the input choose one check.
#[derive(Clone, Copy)]
pub struct Ways {
    only: Option<usize>,
}

impl Ways {
    /// Chooses among this number of checks of an input.
    pub fn of(data: &[u8], count: usize) -> Self {
        Self::by(hash(data) >> 32, count)
    }

    /// Chooses among the bodies of a target by other bits, so that each way of a body is still taken.
    pub fn of_target(data: &[u8], count: usize) -> Self {
        Self::by(hash(data) >> 16 & 0xffff, count)
    }

    fn by(number: u64, count: usize) -> Self {
        Self { only: cfg!(fuzzing).then_some(number as usize % count) }
    }

    /// Returns whether the check with this number is made.
    pub fn takes(self, number: usize) -> bool {
        self.only.is_none_or(|only| only == number)
    }
}

/// Hashes the bytes with FNV-1a, so that similar inputs choose different checks.
fn hash(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
