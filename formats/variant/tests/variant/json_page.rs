//! The page about the JSON form agrees with the program.

use std::collections::HashSet;

use formwork_alb1::FieldType;
use formwork_variant::Object;
use formwork_variant::json::{Style, from_json, to_json};
use formwork_variant::text::from_text;
use formwork_variant::{Dialect, Variant, VariantType};

fn page() -> String {
    let path = formwork_testkit::formats().join("json.md");
    std::fs::read_to_string(path).unwrap()
}

/// The rows of the tables of examples: the dialect, the engine's text, the JSON.
fn examples(page: &str) -> Vec<(Dialect, String, String)> {
    let mut examples = Vec::new();
    let mut dialect = None;
    for line in page.lines() {
        let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
        let Some((first, second)) = cells.and_then(|cells| cells.rsplit_once("| ")) else {
            dialect = None;
            continue;
        };
        let plain = |cell: &str| cell.trim().trim_matches('`').to_owned();
        match dialect {
            None => dialect = first.trim().parse::<Dialect>().ok().filter(|_| second == "JSON"),
            Some(_) if second.starts_with("---") => {}
            Some(dialect) => examples.push((dialect, plain(first), plain(second))),
        }
    }
    examples
}

fn types_in(value: &Variant, found: &mut HashSet<VariantType>) {
    found.insert(value.variant_type());
    match value {
        Variant::Array(array) => array.iter().for_each(|value| types_in(value, found)),
        Variant::Dictionary(pairs) => pairs.iter().for_each(|(key, value)| {
            types_in(key, found);
            types_in(value, found);
        }),
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().for_each(|(_, value)| types_in(value, found));
        }
        _ => {}
    }
}

#[test]
fn every_example_is_read_and_written_as_the_page_says() {
    let page = page();
    let examples = examples(&page);
    let mut found = HashSet::new();
    for (dialect, text, json) in &examples {
        let value =
            from_json(json.as_bytes(), *dialect).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(to_json(&value, *dialect, Style::Compact), *json, "{dialect}");
        if !text.is_empty() {
            let told = from_text(&text.as_str().into(), *dialect)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(to_json(&told, *dialect, Style::Compact), *json, "{text}");
        }
        types_in(&value, &mut found);
    }
    assert!(examples.len() > 70, "only {} examples were found", examples.len());
    let missing: Vec<_> = VariantType::ALL.iter().filter(|one| !found.contains(one)).collect();
    assert!(missing.is_empty(), "no example of {missing:?}");
}

#[test]
fn the_names_by_engine_are_those_of_the_tables() {
    let dialects = ["godot2", "godot3", "godot4", "pandemonium5"].map(|name| name.parse().unwrap());
    let mut table = String::new();
    for &variant_type in VariantType::ALL {
        let names = dialects.map(|dialect: Dialect| match dialect.row_of(variant_type) {
            Some(_) => format!("`${}`", dialect.type_name(variant_type)),
            None => "-".to_owned(),
        });
        let known: HashSet<_> = names.iter().filter(|name| *name != "-").collect();
        if known.len() > 1 {
            table += &format!("| {} |\n", names.join(" | "));
        }
    }
    assert!(page().contains(&table), "the table of names should be\n{table}");
}

#[test]
fn the_example_of_a_layer_is_read_and_written_as_the_page_says() {
    let page = page();
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (json, _) = rest.split_once("\n```").unwrap();
    let document =
        formwork_alb1::json::from_json(json.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let written = formwork_alb1::json::to_json(&document, Style::Pretty).unwrap();
    assert!(written == json, "the example should be\n{written}");
}

#[test]
fn every_type_of_field_is_on_the_page() {
    let page = page();
    for field_type in FieldType::ALL {
        let name = field_type.key();
        assert!(page.contains(&format!("`{name}`")), "{name} is missing");
    }
}
