//! Checks that the reader and the writer use the declarations: a record used only by dump and pages would be
//! documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, Item, ItemStruct};

/// The sources of the families.
const FAMILIES: &[&str] = &["formats/alb1/src", "formats/godot/src", "formats/variant/src"];

/// Modules that only inspect declarations.
const VIEWS: &[&str] =
    &["generate", "inspect", "page.rs", "pages", "dialect/payload.rs", "resource/payload.rs"];

/// Sources of records that are only read: the heads of network protocols in recorded traffic, compiled scripts,
/// resources.
const READ_ONLY: &[&str] =
    &["crates/formwork-capture/src", "formats/godot/src/script", "formats/godot/src/resource"];

/// Records that a reader or writer does not use in the declared form, each with the reason. Records in use must not be
/// listed.
const BY_HAND: &[(&str, &str, &str)] = &[
    ("CompressedFile", "reader", "its blocks are unpacked one by one"),
    ("CompressedFile", "writer", "its blocks are packed one by one"),
    ("PackedStrings", "writer", "its texts are checked one by one, so that an error says which"),
    ("RawArrayRecord", "reader", "only what an ArrayRecord says tells that it is one"),
    ("ResourceFile", "reader", "its tables are read entry by entry, so that an error says which"),
    ("SettingsFile", "reader", "its settings are read one by one, so that an error says which"),
    ("SettingsFile", "writer", "its settings are written one by one"),
];

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

/// Returns a token and its content as texts.
fn flat(token: TokenTree) -> Vec<String> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().flat_map(flat).collect(),
        token => vec![token.to_string()],
    }
}

/// Whether all fields of the record are read by a loop: then that loop is its reader.
fn is_only_places(record: &ItemStruct) -> bool {
    let Fields::Named(fields) = &record.fields else { return false };
    fields.named.iter().all(is_place)
}

/// Whether a field is read elsewhere.
fn is_place(field: &syn::Field) -> bool {
    let first = field.ty.to_token_stream().into_iter().next();
    first.is_some_and(|first| ["Deferred", "Nested"].contains(&&*first.to_string()))
}

/// The uses of declared records in code, by their names.
#[derive(Default)]
struct Uses {
    /// The records that it reads: those in the place of a type, or taken apart.
    read: BTreeSet<String>,
    /// The records that it makes, to write them.
    made: BTreeSet<String>,
}

impl Uses {
    /// Counts the parts of a record as both: they are read and written with it.
    fn part(&mut self, tokens: TokenStream) {
        for name in tokens.into_iter().flat_map(flat) {
            self.read.insert(name.clone());
            self.made.insert(name);
        }
    }

    /// Examines the tokens around each name in code.
    fn code(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Ident(name) = token else {
                if let TokenTree::Group(group) = token {
                    self.code(group.stream());
                }
                continue;
            };
            let text = |at: usize| tokens.get(at).map(ToString::to_string).unwrap_or_default();
            let before = |back: usize| at.checked_sub(back).map(text).unwrap_or_default();
            let name = name.to_string();
            // These are the rows of types that are arrays of numbers, from which reader and writer are made.
            if before(1) == "numbers" && text(at + 1) == "," {
                self.read.insert(name.clone());
                self.made.insert(name);
                continue;
            }
            // A lifetime or type may come after the name.
            let mut next = at + 1;
            if text(next) == ":" && text(next + 1) == ":" && text(next + 2) == "<" {
                next += 2;
            }
            if text(next) == "<" {
                next += tokens[next..].iter().take_while(|token| token.to_string() != ">").count();
                next += 1;
            }
            if text(next) == ":" && text(next + 1) == ":" {
                match text(next + 2).as_str() {
                    "new" | "default" => drop(self.made.insert(name)),
                    "from" => {
                        self.read.insert(name.clone());
                        self.made.insert(name);
                    }
                    "read_options" | "length_at" => drop(self.read.insert(name)),
                    // Other names describe the type, not its bytes.
                    _ => {}
                }
                continue;
            }
            match tokens.get(next) {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let inside = group.stream().to_string();
                    let is_pattern = before(1) == "let" || inside.trim_end().ends_with("..");
                    let uses = if is_pattern { &mut self.read } else { &mut self.made };
                    uses.insert(name);
                }
                // These only refer to a record: `&Record`, `as Record>`, the arguments of functions that need a schema.
                _ if before(1) == "&" || before(1) == "as" => {}
                _ if (1..5).any(|back| ["record_of", "offset"].contains(&&*before(back))) => {}
                _ => drop(self.read.insert(name)),
            }
        }
    }
}

fn look(items: Vec<Item>, records: &mut BTreeMap<String, bool>, uses: &mut Uses) {
    for item in items {
        match item {
            Item::Use(_) => {}
            Item::Struct(record) if derives_schema(&record.attrs) => {
                records.insert(record.ident.to_string(), is_only_places(&record));
                for field in record.fields.iter().filter(|field| !is_place(field)) {
                    uses.part(field.ty.to_token_stream());
                }
            }
            Item::Mod(inner) if is_test(&inner.attrs) => {}
            Item::Mod(inner) => {
                look(inner.content.map(|(_, items)| items).unwrap_or_default(), records, uses);
            }
            Item::Impl(inner) => {
                // `Self` in its methods means the type.
                let name = inner.self_ty.to_token_stream().into_iter().next();
                let name = name.map(|name| name.to_string()).unwrap_or_default();
                for item in inner.items {
                    let mut own = Uses::default();
                    own.code(item.to_token_stream());
                    for (from, to) in [(own.read, &mut uses.read), (own.made, &mut uses.made)] {
                        let named = |it: String| if it == "Self" { name.clone() } else { it };
                        to.extend(from.into_iter().map(named));
                    }
                }
            }
            item => uses.code(item.to_token_stream()),
        }
    }
}

#[test]
fn every_record_is_what_reader_and_writer_use() {
    let root = formwork_testkit::repository();
    let members = [FAMILIES, &["crates/formwork-capture/src"]].concat();
    let mut paths = Vec::new();
    members.iter().for_each(|member| files(&root.join(member), &mut paths));
    let (mut records, mut uses) = (BTreeMap::new(), Uses::default());
    let mut read_only = BTreeSet::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let items = syn::parse_file(&text).expect("the file is Rust").items;
        let within = FAMILIES
            .iter()
            .find_map(|family| path.strip_prefix(root.join(family)).ok())
            .unwrap_or(&path);
        let is_view = VIEWS.iter().any(|view| within.starts_with(view));
        let mut of_view = Uses::default();
        let mut declared = BTreeMap::new();
        look(items, &mut declared, if is_view { &mut of_view } else { &mut uses });
        if READ_ONLY.iter().any(|folder| path.starts_with(root.join(folder))) {
            read_only.extend(declared.keys().cloned());
        }
        records.extend(declared);
    }
    assert!(records.len() > 70, "{records:?}");
    let mut lacking = Vec::new();
    for (name, _) in records.iter().filter(|(_, is_only_places)| !**is_only_places) {
        for (used, what) in [(&uses.read, "reader"), (&uses.made, "writer")] {
            let is_exception = what == "writer" && read_only.contains(name);
            if !used.contains(name) && !is_exception {
                lacking.push((name.as_str(), what));
            }
        }
    }
    let known: Vec<_> = BY_HAND.iter().map(|(name, what, _)| (*name, *what)).collect();
    assert_eq!(lacking, known, "records that no reader or no writer uses");
}

#[test]
fn every_record_is_audited() {
    let root = formwork_testkit::repository();
    let mut paths = Vec::new();
    FAMILIES.iter().for_each(|family| files(&root.join(family), &mut paths));
    let (mut records, mut uses) = (BTreeMap::new(), Uses::default());
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        look(syn::parse_file(&text).expect("the file is Rust").items, &mut records, &mut uses);
    }
    let mut tests = Vec::new();
    files(&root.join("tests/families"), &mut tests);
    let tests: String =
        tests.iter().map(|path| fs::read_to_string(path).expect("the file can be read")).collect();
    let held: BTreeSet<&str> = ["hold::<", "hold_front::<"]
        .iter()
        .flat_map(|call| tests.split(call).skip(1))
        .filter_map(|held| held.split(|letter: char| !letter.is_alphanumeric()).next())
        .collect();
    let missing: Vec<_> = records.keys().filter(|name| !held.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "not held in tests/families: {missing:?}");
    assert!(records.len() > 90, "{}", records.len());
}
