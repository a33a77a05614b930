//! Numbers that look random and are the same in every run.

use formwork_terrain::object_list::Placement;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Seven numbers: of a map's size, or any finite ones.
    pub(crate) fn placement(&mut self, any: bool) -> Placement {
        if any {
            return Placement {
                x: self.finite_double(),
                y: self.finite_double(),
                yaw: self.finite_float(),
                pitch: self.finite_float(),
                roll: self.finite_float(),
                scale: self.finite_float(),
                z: self.finite_float(),
            };
        }
        Placement {
            x: 200_000.0 + self.unit() * 20_480.0,
            y: self.unit() * 20_480.0,
            yaw: (self.unit() * 360.0) as f32,
            pitch: (self.unit() * 360.0) as f32,
            roll: (self.unit() * 360.0) as f32,
            scale: (self.unit() * 2.0) as f32,
            z: (self.unit() * 20.0 - 10.0) as f32,
        }
    }

    fn finite_double(&mut self) -> f64 {
        std::iter::repeat_with(|| f64::from_bits(self.next())).find(|n| n.is_finite()).unwrap()
    }

    fn finite_float(&mut self) -> f32 {
        std::iter::repeat_with(|| f32::from_bits(self.next() as u32))
            .find(|n| n.is_finite())
            .unwrap()
    }
}
