//! The rules of all modules in one list.

use formwork::Rule;

/// Returns every rule that the library's modules declare, as far as their features are switched on.
///
/// Rules about recorded traffic, terrain projects and tests of decoders are not the library's own:
/// `formwork_capture::rule::ALL`, `formwork_terrain::all_rules` and `formwork_kit::oracle::protocol::rule::ALL` list them.
///
/// ```
/// let rule = formwork_variant::all_rules().find(|rule| rule.name() == "bool.value").unwrap();
/// assert_eq!(rule.description(), "A bool is 0 or 1.");
/// ```
pub fn all_rules() -> impl Iterator<Item = Rule> {
    let lists = [
        Rule::SHARED,
        formwork_records::wire::rule::ALL,
        crate::codec::rule::ALL,
        crate::frame::rule::ALL,
        crate::text::rule::ALL,
        #[cfg(feature = "json")]
        crate::json::rule::ALL,
        #[cfg(feature = "serde")]
        crate::serde::rule::ALL,
    ];
    lists.into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_rule_has_a_name_of_its_own() {
        let rules = all_rules();
        let mut names = HashSet::new();
        for rule in rules {
            assert!(names.insert(rule.name()), "{rule}");
            assert!(rule.description().ends_with('.'), "{rule}: {}", rule.description());
        }
    }
}
