//! Which of several checks a run makes of an input.

/// The checks that are made: in tests all of them. Under a fuzzer, which gets further with many cheap runs, one, which
/// the bytes of the input choose.
#[derive(Clone, Copy)]
pub struct Ways {
    only: Option<usize>,
}

impl Ways {
    /// Chooses among so many checks of an input.
    pub fn of(data: &[u8], count: usize) -> Self {
        if !cfg!(fuzzing) {
            return Self { only: None };
        }
        // FNV-1a: near inputs choose different checks.
        let hash = data.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { only: Some((hash >> 32) as usize % count) }
    }

    /// Returns whether the check with this number is made.
    pub fn takes(self, number: usize) -> bool {
        self.only.is_none_or(|only| only == number)
    }
}
