//! The tier `smoke`: the vectors that show, each, mistakes that the others do not.
//!
//! The lists are a greedy cover of the mistakes in `examples/defective_decoder`; its test holds them.

use formwork_variant::dialect::{Dialect, Family};

use super::{Tier, Vector};
use crate::Format;

/// A line for each vector: `id result rule`, the rule `-` where there is none.
fn list(format: Format) -> &'static str {
    match format.dialect().map(Dialect::family) {
        None => include_str!("smoke/alb1.txt"),
        Some(Family::Godot4) => include_str!("smoke/godot4.txt"),
        Some(_) => include_str!("smoke/godot3.txt"),
    }
}

/// Moves the vectors of the tier to the front, in the order of the list.
///
/// The list was made for one release. In another, a vector that is not there is replaced by the first that is odd in
/// the same way, has the same result and breaks the same rule; of the same type, if there is one.
pub(super) fn lead(format: Format, vectors: &mut [Vector]) {
    for line in list(format).lines() {
        let mut words = line.split(' ');
        let (Some(id), Some(result), Some(rule)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let kind = |id: &str| id.rsplit_once('/').map(|(kind, _)| kind.to_owned());
        let stage = |id: &str| kind(id)?.split_once('/').map(|(_, stage)| stage.to_owned());
        let find = |is: &dyn Fn(&Vector) -> bool| {
            vectors.iter().position(|vector| vector.tier != Tier::Smoke && is(vector))
        };
        let is_like = |vector: &Vector| {
            let broken = vector.rule.map_or("-", |rule| rule.name());
            vector.result() == result && broken == rule
        };
        let found = find(&|vector| vector.id == id)
            .or_else(|| find(&|vector| is_like(vector) && kind(&vector.id) == kind(id)))
            .or_else(|| find(&|vector| is_like(vector) && stage(&vector.id) == stage(id)));
        if let Some(vector) = found.and_then(|at| vectors.get_mut(at)) {
            vector.tier = Tier::Smoke;
        }
    }
    // The order of the list comes first; a stable sort keeps that of the others.
    let place = |vector: &Vector| {
        let at = list(format).lines().position(|line| line.split(' ').next() == Some(&vector.id));
        (vector.tier != Tier::Smoke, at.unwrap_or(usize::MAX))
    };
    vectors.sort_by_cached_key(|vector| match vector.tier {
        Tier::Smoke => place(vector),
        _ => (true, 0),
    });
}
