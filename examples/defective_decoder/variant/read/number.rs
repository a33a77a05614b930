//! Numbers, vectors and matrices.

use super::Reader;
use crate::defect::{Defect, defect};
use crate::input::Result;
use crate::variant::types::{Engine, Type};

impl Reader<'_, '_> {
    pub(super) fn int(&mut self, wide: bool) -> Result<i64> {
        if !wide || defect(Defect::IntFlagMissed) {
            if defect(Defect::IntUnsigned) {
                return self.input.u32().map(i64::from);
            }
            return self.input.i32().map(i64::from);
        }
        if defect(Defect::IntHalves) {
            let (low, high) = (self.input.i32()?, self.input.i32()?);
            return Ok((i64::from(high) << 32) + i64::from(low));
        }
        let number = self.input.u64()? as i64;
        Ok(if defect(Defect::IntThroughDouble) { number as f64 as i64 } else { number })
    }

    pub(super) fn float(&mut self, wide: bool) -> Result<f64> {
        let mut number = if wide && !defect(Defect::FloatFlagMissed) {
            self.input.f64()?
        } else {
            f64::from(self.input.f32()?)
        };
        if defect(Defect::FloatThroughSingle) {
            number = f64::from(number as f32);
        }
        if defect(Defect::FloatNanPayload) && number.is_nan() {
            number = f64::NAN;
        }
        if defect(Defect::FloatMinusZero) {
            number += 0.0;
        }
        if defect(Defect::FloatSubnormal) && number.abs() < f64::from(f32::MIN_POSITIVE) {
            number = 0.0_f64.copysign(number);
        }
        if defect(Defect::FloatInfinity) && number.is_infinite() {
            return self.input.fault("the number is not finite");
        }
        Ok(number)
    }

    pub(super) fn reals(&mut self, of: Type, wide: bool, depth: usize) -> Result<Vec<f32>> {
        let wide = match of {
            Type::Color => wide && defect(Defect::ColorWide),
            _ => self.real_flag(wide),
        };
        let mut count = of.reals();
        if defect(Defect::Vector4Short) && of == Type::Vector4 && depth > 0 {
            count = 3;
        }
        let mut numbers = Vec::with_capacity(of.reals());
        for _ in 0..count {
            numbers.push(self.real(wide)?);
        }
        numbers.resize(of.reals(), 0.0);
        match of {
            Type::Rect2 if defect(Defect::Rect2Swapped) => numbers.rotate_left(2),
            Type::Rect2 if defect(Defect::Rect2End) => {
                numbers[2] -= numbers[0];
                numbers[3] -= numbers[1];
            }
            Type::Transform2D if defect(Defect::Transform2DRows) => {
                let [a, b, c, d, e, f] = numbers[..] else { return Ok(numbers) };
                numbers = vec![a, c, b, d, e, f];
            }
            Type::Quaternion if defect(Defect::QuaternionWFirst) => numbers.rotate_right(1),
            Type::Plane if defect(Defect::PlaneDistanceFirst) => numbers.rotate_right(1),
            Type::Aabb if defect(Defect::AabbSwapped) => numbers.rotate_left(3),
            Type::Color if defect(Defect::ColorBgr) => numbers.swap(0, 2),
            Type::Color if defect(Defect::ColorClamped) => {
                numbers.iter_mut().for_each(|part| *part = part.clamp(0.0, 1.0));
            }
            Type::Basis | Type::Transform3D if defect(Defect::BasisColumns) => {
                for (a, b) in [(1, 3), (2, 6), (5, 7)] {
                    numbers.swap(a, b);
                }
            }
            Type::Projection if defect(Defect::ProjectionRows) => {
                for row in 0..4 {
                    for column in 0..row {
                        numbers.swap(4 * row + column, 4 * column + row);
                    }
                }
            }
            _ => {}
        }
        Ok(numbers)
    }

    /// Returns whether the flag makes real components 64 bits wide.
    pub(super) fn real_flag(&self, wide: bool) -> bool {
        match self.engine {
            Engine::Godot3 => wide && defect(Defect::RealFlagTaken),
            Engine::Godot4 => wide && !defect(Defect::RealFlagMissed),
        }
    }

    pub(super) fn real(&mut self, wide: bool) -> Result<f32> {
        let number = if wide { self.input.f64()? as f32 } else { self.input.f32()? };
        if defect(Defect::RealNanRefused) && number.is_nan() {
            return self.input.fault("the number is not a number");
        }
        if defect(Defect::RealMinusZero) && number == 0.0 {
            return Ok(0.0);
        }
        Ok(number)
    }
}
