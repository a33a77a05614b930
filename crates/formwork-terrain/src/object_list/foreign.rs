//! Tells lists of objects that other programs write.

use std::path::Path;

use formwork_alb1::to_str;

/// Returns the name of the format of a list that is none of the [forms](super::Form): a list of Terrain Processor (`.lbt`)
/// or of DayZ Expansion (`.map`). It is known by its first line, and if that does not start with a quote, by its name.
///
/// ```
/// use formwork_terrain::object_list::foreign;
///
/// let map = b"Land_Barn_W_01|1200.5 145.25 800|0 90 0|true";
/// assert_eq!(foreign("base.txt".as_ref(), map), Some("a map of DayZ Expansion (.map)"));
/// assert_eq!(foreign("base.map".as_ref(), b"\"barn\";200100;20;0;0;0;1;0;"), None);
/// ```
#[must_use]
pub fn foreign(path: &Path, list: &[u8]) -> Option<&'static str> {
    let list = list.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(list);
    let lines = list.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = to_str(lines.into_iter().find(|line| !line.is_empty())?);
    let is_matrix = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        words.by_ref().take(NUMBERS).filter(|word| word.parse::<f64>().is_ok()).count() == NUMBERS
            && words.next().is_some_and(|name| name.parse::<f64>().is_err())
    };
    if line.starts_with('"') {
        return None;
    }
    let has_extension =
        |expected: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(expected));
    if line.eq_ignore_ascii_case("objects") || is_matrix(&line) || has_extension("lbt") {
        return Some("an object list of Terrain Processor (.lbt)");
    }
    let mut fields = line.split('|').skip(1);
    let numbers = |field: &str| {
        let numbers: Vec<&str> = field.split_ascii_whitespace().collect();
        numbers.len() == 3 && numbers.iter().all(|number| number.parse::<f64>().is_ok())
    };
    let is_map = fields.next().is_some_and(numbers) && fields.next().is_none_or(numbers);
    (is_map || has_extension("map")).then_some("a map of DayZ Expansion (.map)")
}

/// Numbers before the name in a line of Terrain Processor: a matrix of three columns with a height behind each, and one more.
const NUMBERS: usize = 13;
