//! Damage in containers, and lists of what is lost.

use formwork_godot::wrapper;
use formwork_variant::Error;

use super::container::Torn;
use super::failure::Status;
use super::layers::named;
use super::remark;
use super::source::Source;

impl Torn {
    /// Reports the damage in the containers of a source.
    pub fn say(&self, source: &Source) -> Status {
        let name = &source.name;
        say_some(&self.faults, |error: &Error| match error.rule() {
            wrapper::rule::GDEC_KEY => format!(
                "{name}: the checksum does not match: the file is damaged, or the password is wrong"
            ),
            _ => format!("{name} ({}): {error}", named(source.layers())),
        });
        if self.faults.is_empty() { Status::Done } else { Status::No }
    }
}

/// Returns the hint at the command that reads what is left of a damaged file.
pub fn way_to_recover(source: &Source) -> String {
    format!("to read what is left: formwork decode {} --recover", source.word())
}

/// Prints the first elements of a list, and the number of the others.
pub fn say_some<T>(list: &[T], line: impl Fn(&T) -> String) {
    /// Number of elements that are printed.
    const SHOWN: usize = 20;
    list.iter().take(SHOWN).for_each(|one| remark(&line(one)));
    if let more @ 1.. = list.len().saturating_sub(SHOWN) {
        remark(&format!("and {more} more"));
    }
}
