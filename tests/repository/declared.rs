//! What is declared is what reads and writes: a record that only dump and pages use would be documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, Item, ItemStruct};

/// What looks at declarations only.
const VIEWS: &[&str] =
    &["alb1/field_type.rs", "generate", "inspect", "pages", "variant/dialect/payload.rs"];

/// Records that nothing reads or writes as they stand, each with the reason. What is used must not be here.
const BY_HAND: &[(&str, &str)] =
    &[("PackedStrings", "its count and its texts are read one by one, as damaged ones are kept")];

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

fn derives_schema(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        attribute.to_token_stream().into_iter().flat_map(flat).any(|token| token == "Schema")
    })
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.to_token_stream().into_iter().flat_map(flat).any(|token| token == "test")
    })
}

/// A token and what is in it, as texts.
fn flat(token: TokenTree) -> Vec<String> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().flat_map(flat).collect(),
        token => vec![token.to_string()],
    }
}

/// Whether all that the record has is read by a loop: then that loop is its reader.
fn is_only_places(record: &ItemStruct) -> bool {
    let Fields::Named(fields) = &record.fields else { return false };
    fields.named.iter().all(is_place)
}

/// Whether a field is read elsewhere.
fn is_place(field: &syn::Field) -> bool {
    let first = field.ty.to_token_stream().into_iter().next();
    first.is_some_and(|first| first.to_string() == "Nested")
}

/// Names that stand in code, but for those that are only asked for their schema.
fn used(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let texts: Vec<String> = tokens.into_iter().flat_map(flat).collect();
    for (at, text) in texts.iter().enumerate() {
        let mut behind = texts[at + 1..].iter().map(String::as_str);
        let asks = behind.by_ref().take_while(|text| *text != ";" && *text != ",").take(7);
        let is_asked = asks.into_iter().any(|text| matches!(text, "SHAPE" | "SIZE" | "LEAST"));
        let before = texts[..at].iter().rev().take(4).any(|text| text == "record_of");
        if !is_asked && !before {
            names.insert(text.clone());
        }
    }
}

fn look(items: Vec<Item>, records: &mut BTreeMap<String, bool>, names: &mut BTreeSet<String>) {
    for item in items {
        match item {
            Item::Use(_) => {}
            Item::Struct(record) if derives_schema(&record.attrs) => {
                records.insert(record.ident.to_string(), is_only_places(&record));
                for field in record.fields.iter().filter(|field| !is_place(field)) {
                    used(field.ty.to_token_stream(), names);
                }
            }
            Item::Mod(inner) if is_test(&inner.attrs) => {}
            Item::Mod(inner) => {
                look(inner.content.map(|(_, items)| items).unwrap_or_default(), records, names);
            }
            Item::Impl(inner) => {
                for item in inner.items {
                    used(item.to_token_stream(), names);
                }
            }
            item => used(item.to_token_stream(), names),
        }
    }
}

#[test]
fn every_record_is_what_a_reader_or_writer_uses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let (mut records, mut names) = (BTreeMap::new(), BTreeSet::new());
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let items = syn::parse_file(&text).expect("the file is Rust").items;
        let within = path.strip_prefix(&root).expect("it is in there");
        let is_view = VIEWS.iter().any(|view| within.starts_with(view));
        let mut of_view = BTreeSet::new();
        look(items, &mut records, if is_view { &mut of_view } else { &mut names });
    }
    assert!(records.len() > 70, "{records:?}");
    let unused: Vec<&str> = records
        .iter()
        .filter(|(name, is_only_places)| !**is_only_places && !names.contains(*name))
        .map(|(name, _)| name.as_str())
        .collect();
    let by_hand: Vec<&str> = BY_HAND.iter().map(|(name, _)| *name).collect();
    assert_eq!(unused, by_hand, "records that only the views use");
}
