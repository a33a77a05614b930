//! Placements that look random and are the same in every run.

use formwork_terrain::object_list::Placement;
use formwork_testkit::Noise;

/// Seven numbers: of a map's size, or any finite ones.
pub(crate) fn placement(noise: &mut Noise, any: bool) -> Placement {
    if any {
        return Placement {
            x: finite_double(noise),
            y: finite_double(noise),
            yaw: finite_float(noise),
            pitch: finite_float(noise),
            roll: finite_float(noise),
            scale: finite_float(noise),
            z: finite_float(noise),
        };
    }
    Placement {
        x: 200_000.0 + noise.unit() * 20_480.0,
        y: noise.unit() * 20_480.0,
        yaw: (noise.unit() * 360.0) as f32,
        pitch: (noise.unit() * 360.0) as f32,
        roll: (noise.unit() * 360.0) as f32,
        scale: (noise.unit() * 2.0) as f32,
        z: (noise.unit() * 20.0 - 10.0) as f32,
    }
}

fn finite_double(noise: &mut Noise) -> f64 {
    std::iter::repeat_with(|| f64::from_bits(noise.number())).find(|n| n.is_finite()).unwrap()
}

fn finite_float(noise: &mut Noise) -> f32 {
    std::iter::repeat_with(|| f32::from_bits(noise.number() as u32))
        .find(|n| n.is_finite())
        .unwrap()
}
