//! The few lines of a suite that show all defects.

use std::cmp::Reverse;

use crate::data::Line;

/// Lines after which a defect that is shown once is enough.
const ENOUGH: usize = 60;

/// Returns the list of a greedy cover: the line that shows most of the defects that are left; of several, the shortest.
/// Defects are shown twice, by two lines, as long as there are not [`ENOUGH`]. `shown` has for each defect the lines
/// that show it.
pub(crate) fn cover(lines: &[Line], shown: &[Vec<usize>]) -> String {
    let mut shows = vec![Vec::new(); lines.len()];
    for (defect, found) in shown.iter().enumerate() {
        found.iter().for_each(|line| shows[*line].push(defect));
    }
    let mut chosen: Vec<usize> = Vec::new();
    let mut times = vec![0; shown.len()];
    for round in 1..=2 {
        while round == 1 || chosen.len() < ENOUGH {
            let worth = |at: &usize| {
                let count = shows[*at].iter().filter(|defect| times[**defect] < round).count();
                (count, Reverse(lines[*at].packet.len()), Reverse(*at))
            };
            let rest = (0..lines.len()).filter(|at| !chosen.contains(at));
            let Some(best) = rest.max_by_key(worth).filter(|best| worth(best).0 > 0) else { break };
            shows[best].iter().for_each(|defect| times[*defect] += 1);
            chosen.push(best);
        }
    }
    chosen.iter().map(|at| format!("{} {}\n", lines[*at].id, lines[*at].result)).collect()
}
