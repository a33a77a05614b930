//! Checks ARCHITECTURE.md: the dependencies between modules, read from the source, must be those of the page, and must
//! not form a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, Meta};

/// A module by its names from the root of the crate; the root itself has none.
type Module = Vec<String>;

/// The paths in a module's file, and the names that it imports.
#[derive(Default)]
struct Source {
    paths: Vec<Vec<String>>,
    imports: BTreeMap<String, Vec<String>>,
    /// Modules that exist for tests only.
    tests: Vec<String>,
}

/// Reads every module of a crate except tests.
fn sources(root: &Path) -> BTreeMap<Module, Source> {
    let mut sources = BTreeMap::new();
    let mut folders = vec![(root.to_path_buf(), Module::new())];
    while let Some((folder, module)) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            let inner = [module.clone(), vec![stem.clone()]].concat();
            if path.is_dir() {
                folders.push((path, inner));
            } else if stem != "tests" && path.extension().is_some_and(|it| it == "rs") {
                let is_folder_itself =
                    stem == "mod" || (matches!(&*stem, "lib" | "main") && module.is_empty());
                let module = if is_folder_itself { module.clone() } else { inner };
                let text = fs::read_to_string(path).expect("the file can be read");
                sources.insert(module, source(&text));
            }
        }
    }
    let tests: Vec<Module> = sources
        .iter()
        .flat_map(|(module, source): (&Module, &Source)| {
            source.tests.iter().map(|test| [module.clone(), vec![test.clone()]].concat())
        })
        .collect();
    sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    sources
}

fn source(text: &str) -> Source {
    let mut source = Source::default();
    for item in syn::parse_file(text).expect("the file is Rust").items {
        if attributes(&item).iter().any(is_test) {
            if let Item::Mod(item) = item {
                source.tests.push(item.ident.to_string());
            }
            continue;
        }
        if let Item::Use(used) = &item {
            let before = source.paths.len();
            collect(used.tree.to_token_stream(), &[], &mut source.paths);
            for path in &source.paths[before..] {
                let name = path.last().expect("a path has names").clone();
                source.imports.insert(name, path.clone());
            }
        } else {
            collect(item.to_token_stream(), &[], &mut source.paths);
        }
    }
    source
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an attribute is `cfg(test)` or `cfg(all(test, ...))`.
fn is_test(attribute: &syn::Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let text = list.tokens.to_string();
    list.path.is_ident("cfg") && (text == "test" || text.starts_with("all (test"))
}

/// Collects the paths in `tokens`, with `outer` before those in braces.
fn collect(tokens: TokenStream, outer: &[String], paths: &mut Vec<Vec<String>>) {
    let mut path = outer.to_vec();
    let mut is_continued = true;
    let mut tokens = tokens.into_iter().peekable();
    let mut finish = |path: &mut Vec<String>| {
        if path.len() > outer.len() {
            paths.push(path.clone());
        }
        *path = outer.to_vec();
    };
    let mut nested = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if is_continued => {
                path.push(name.to_string());
                is_continued = false;
            }
            TokenTree::Ident(name) => {
                finish(&mut path);
                if name == "as" {
                    tokens.next();
                    is_continued = true;
                } else {
                    path.push(name.to_string());
                }
            }
            TokenTree::Punct(mark)
                if mark.as_char() == ':' && mark.spacing() == proc_macro2::Spacing::Joint =>
            {
                tokens.next();
                is_continued = true;
            }
            TokenTree::Group(group) => {
                let is_list = is_continued && path.len() > outer.len();
                let outer = if is_list { path.clone() } else { Vec::new() };
                if is_list {
                    path.clear();
                }
                finish(&mut path);
                nested.push((group.stream(), outer));
                is_continued = true;
            }
            _ => {
                finish(&mut path);
                is_continued = true;
            }
        }
    }
    finish(&mut path);
    for (tokens, outer) in nested {
        collect(tokens, &outer, paths);
    }
}

/// Returns the module that declares the item to which `path` leads from `module`, through re-exports of modules.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    module: &[String],
    path: &[String],
) -> Option<Module> {
    let mut at = module.to_vec();
    let mut names = path.to_vec();
    for _ in 0..20 {
        match names.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop()?;
            }
            name => {
                let child = [at.clone(), vec![name.to_owned()]].concat();
                if sources.contains_key(&child) {
                    at = child;
                } else {
                    let import = sources.get(&at).and_then(|source| source.imports.get(name));
                    let Some(import) = import else { return Some(at) };
                    names.splice(..1, import.iter().cloned());
                    continue;
                }
            }
        }
        names.remove(0);
        if names.is_empty() {
            return Some(at);
        }
    }
    None
}

/// The modules in one folder, each with those of them that it uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Returns the arrows between the modules directly in `folder`.
fn arrows(sources: &BTreeMap<Module, Source>, folder: &[&str]) -> Arrows {
    let depth = folder.len();
    let inside = |module: &Module| {
        module.len() > depth && module.iter().zip(folder).all(|(name, other)| name == other)
    };
    let mut arrows = Arrows::new();
    for (module, source) in sources.iter().filter(|(module, _)| inside(module)) {
        let used = arrows.entry(module[depth].clone()).or_default();
        let absolute =
            |path: &&Vec<String>| matches!(path[0].as_str(), "crate" | "super") && path.len() > 1;
        for path in source.paths.iter().filter(absolute) {
            let leads_to = resolve(sources, module, path).filter(inside);
            used.extend(leads_to.map(|to| to[depth].clone()).filter(|to| *to != module[depth]));
        }
    }
    arrows
}

/// Returns modules that form a cycle.
fn cycle(arrows: &Arrows) -> Option<Vec<&str>> {
    let mut rest: BTreeMap<&str, BTreeSet<&str>> = arrows
        .iter()
        .map(|(from, to)| (from.as_str(), to.iter().map(String::as_str).collect()))
        .collect();
    // Removes modules that use no remaining module, until nothing changes.
    loop {
        let leaf = rest.iter().find(|(_, used)| used.is_empty()).map(|(&name, _)| name);
        let Some(leaf) = leaf else { break };
        rest.remove(leaf);
        rest.values_mut().for_each(|used| {
            used.remove(leaf);
        });
    }
    (!rest.is_empty()).then(|| rest.into_keys().collect())
}

/// Returns the files that form cycles, grouped by cycle, each with the names it uses of the others.
fn circles(arrows: &Arrows) -> Vec<BTreeMap<&str, Vec<&str>>> {
    let reached = |from: &str| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(next) = open.pop() {
            for used in arrows.get(&next).into_iter().flatten() {
                if reached.insert(used.clone()) {
                    open.push(used.clone());
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&str, BTreeSet<String>> =
        arrows.keys().map(|name| (name.as_str(), reached(name))).collect();
    let mut circles: BTreeMap<&BTreeSet<String>, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for (name, all) in reached.iter().filter(|(name, all)| all.contains(**name)) {
        let back = |used: &&String| reached[used.as_str()].contains(*name);
        let used = arrows[*name].iter().filter(back).map(String::as_str).collect();
        circles.entry(all).or_default().insert(*name, used);
    }
    circles.into_values().collect()
}

/// Prints arrows in the form of ARCHITECTURE.md, used modules before their users.
fn page(arrows: &Arrows) -> String {
    let mut page = String::new();
    let mut done: BTreeSet<&String> = BTreeSet::new();
    while done.len() < arrows.len() {
        let next = arrows.iter().find(|(name, used)| {
            !done.contains(name) && used.iter().all(|used| done.contains(used))
        });
        let Some((name, used)) = next else { break };
        let used: Vec<&str> = used.iter().map(String::as_str).collect();
        page += format!("{name:<12} -> {}", used.join(" ")).trim_end_matches("-> ").trim_end();
        page.push('\n');
        done.insert(name);
    }
    page
}

fn check(package: &str, folder: &[&str], heading: &str) {
    let root = formwork_testkit::repository();
    check_arrows(&arrows(&sources(&root.join(package).join("src")), folder), heading);
}

fn check_arrows(arrows: &Arrows, heading: &str) {
    let root = formwork_testkit::repository();
    assert_eq!(cycle(arrows), None, "{heading}: modules lead back to themselves: {arrows:#?}");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page can be read");
    let (_, behind) = text.split_once(heading).expect("the page has the heading");
    let said = behind.split("```").nth(1).expect("a block").trim_start_matches("text\n");
    let page = page(arrows);
    assert!(said == page, "ARCHITECTURE.md should say under {heading}:\n{page}");
}

/// Returns the modules of a crate that contain further files.
fn folders(sources: &BTreeMap<Module, Source>) -> BTreeSet<Module> {
    sources.keys().filter(|module| !module.is_empty()).map(parent).collect()
}

fn parent(module: &Module) -> Module {
    module[..module.len() - 1].to_vec()
}

/// The crates whose files are checked.
const MEMBERS: [&str; 16] = [
    "",
    "formats/alb1",
    "formats/edit",
    "formats/godot",
    "formats/variant",
    "crates/formwork-capture",
    "crates/formwork-capture-cli",
    "crates/formwork-cli",
    "crates/formwork-derive",
    "crates/formwork-file",
    "crates/formwork-kit",
    "crates/formwork-kit-cli",
    "crates/formwork-program",
    "crates/formwork-records",
    "crates/formwork-terrain",
    "crates/formwork-terrain-cli",
];

/// Files that form cycles, with the reason for each folder. Files outside of cycles must not be listed.
const CIRCLES: &[(&str, &[&str], &str)] = &[
    (
        "formats/alb1: terrain",
        &["class", "form", "typed"],
        "a class has fields, which hold objects of classes",
    ),
    (
        "formats/variant: serde",
        &["de", "ser", "types"],
        "what serde does not know is read and written by way of what it knows, and the other way round",
    ),
    (
        "formats/variant: value",
        &["container", "numbers", "object", "payload"],
        "values hold containers and objects, which hold values",
    ),
];

#[test]
fn no_file_leads_back_to_itself_through_those_beside_it() {
    let root = formwork_testkit::repository();
    let mut found = Vec::new();
    for member in MEMBERS {
        let sources = sources(&root.join(member).join("src"));
        for folder in folders(&sources) {
            let names: Vec<&str> = folder.iter().map(String::as_str).collect();
            let arrows = arrows(&sources, &names);
            for files in circles(&arrows) {
                let names: Vec<String> = files.keys().map(|&file| file.to_owned()).collect();
                let known = |(known, files, _): &&(&str, &[&str], &str)| {
                    *known == format!("{member}: {}", folder.join("::")) && *files == names
                };
                let position = CIRCLES.iter().position(|known_one| known(&known_one));
                found.push((position, format!("{member} {}: {files:?}", folder.join("::"))));
            }
        }
    }
    let new: Vec<_> = found.iter().filter(|(known, _)| known.is_none()).collect();
    assert!(new.is_empty(), "files that lead back to themselves: {new:#?}");
    let gone = |position: &usize| !found.iter().any(|(known, _)| *known == Some(*position));
    let gone: Vec<_> = (0..CIRCLES.len()).filter(gone).map(|position| CIRCLES[position]).collect();
    assert!(gone.is_empty(), "these lead one way and are no exception any more: {gone:#?}");
}

/// Files of a crate that form cycles, whatever their folders, apart from the files of the folders around them.
const CYCLES: &[(&str, &[&str])] = &[
    ("formats/alb1", &["terrain::class", "terrain::form", "terrain::typed"]),
    ("formats/variant", &["value::container", "value::numbers", "value::object", "value::payload"]),
];

#[test]
fn no_file_leads_back_to_itself_through_other_folders() {
    let root = formwork_testkit::repository();
    let mut found = Vec::new();
    for member in MEMBERS {
        let sources = sources(&root.join(member).join("src"));
        let mut arrows = Arrows::new();
        for (module, source) in &sources {
            let used = arrows.entry(module.join("::")).or_default();
            let is_beside = |to: &Module| !module.starts_with(to) && !to.starts_with(module);
            let paths = source
                .paths
                .iter()
                .filter(|path| matches!(path[0].as_str(), "crate" | "super") && path.len() > 1);
            let leads_to = paths.filter_map(|path| resolve(&sources, module, path));
            used.extend(leads_to.filter(is_beside).map(|to| to.join("::")));
        }
        for files in circles(&arrows) {
            found.push((member, files.into_keys().map(str::to_owned).collect::<Vec<_>>()));
        }
    }
    let known: Vec<_> = CYCLES
        .iter()
        .map(|(member, files)| (*member, files.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(found, known);
}

#[test]
fn modules_of_the_definition_crate_use_what_the_page_says() {
    check(".", &[], "### `formwork`");
}

#[test]
fn modules_of_the_families_use_what_the_page_says() {
    check("formats/variant", &[], "### `formwork-variant`");
    check("formats/edit", &[], "### `formwork-edit`");
    check("formats/godot", &[], "### `formwork-godot`");
    check("formats/alb1", &[], "### `formwork-alb1`");
    check("crates/formwork-records", &[], "### `formwork-records`");
}

#[test]
fn modules_of_the_members_use_what_the_page_says() {
    check("crates/formwork-kit", &[], "### `formwork-kit`");
    check("crates/formwork-kit", &["oracle"], "### `oracle` of the kit");
    check("crates/formwork-terrain", &[], "### `formwork-terrain`");
    check("crates/formwork-capture", &[], "### `formwork-capture`");
}

/// Returns the packages of the workspace on which a package depends, by its manifest.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(manifest).expect("the manifest can be read");
    let (_, behind) = text.split_once("\n[dependencies]\n").expect("it has dependencies");
    let lines = behind.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| name.starts_with("formwork")).map(str::to_owned).collect()
}

#[test]
fn packages_use_what_the_page_says() {
    let root = formwork_testkit::repository();
    let mut arrows = Arrows::new();
    arrows.insert("formwork".to_owned(), dependencies(&root.join("Cargo.toml")));
    for entry in fs::read_dir(root.join("crates")).expect("there are members") {
        let folder = entry.expect("the folder can be read").path();
        let name = folder.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        arrows.insert(name, dependencies(&folder.join("Cargo.toml")));
    }
    for family in ["alb1", "edit", "godot", "variant"] {
        let manifest = root.join("formats").join(family).join("Cargo.toml");
        arrows.insert(format!("formwork-{family}"), dependencies(&manifest));
    }
    let bodies = dependencies(&root.join("fuzz/bodies/Cargo.toml"));
    arrows.insert("formwork-bodies".to_owned(), bodies);
    check_arrows(&arrows, "### The packages");
}

#[test]
fn what_an_engine_does_is_a_rule_of_its_dialect_and_no_question_of_its_family() {
    let root = formwork_testkit::repository();
    let mut askers = Vec::new();
    let families = ["formats/variant/src", "formats/edit/src", "formats/godot/src"];
    for (module, source) in families.iter().flat_map(|family| sources(&root.join(family))) {
        let names: Vec<&str> = module.iter().map(String::as_str).collect();
        // These modules distinguish families because that is their purpose.
        let is_about_families = matches!(names[..], ["dialect" | "detect" | "generate", ..])
            || names == ["config_file", "words"];
        let asks = source.paths.iter().any(|path| path.contains(&"Family".to_owned()));
        if asks && !is_about_families {
            askers.push(module.join("::"));
        }
    }
    assert_eq!(askers, [""; 0], "they ask for the family");
}
