//! Template libraries, and the hashes by which objects speak of templates.

use formwork_alb1::terrain::{Library, LibraryTemplate, Templates, hash};
use formwork_terrain::{library, rule};

use crate::terrain::{layer, text};

const LIBRARY: &[u8] = br#"<?xml version="1.0" ?>
<Library name="Trees" shape="elipse" default_fill="-16760832" default_outline="-16777216" tex="0">
    <Template>
        <Name>t_oak</Name>
        <File>dz\plants\t_oak.p3d</File>
        <Fill>-16760832</Fill>
        <Hash>-1234</Hash>
        <BoundingMin X="999.000000" Y="999.000000" Z="999.000000" />
    </Template>
    <Template>
        <Name>b_elder</Name>
        <File>dz\plants\b_elder.p3d</File>
        <Fill></Fill>
    </Template>
    <Template>
        <Name>new_2</Name>
        <Hash>10197</Hash>
    </Template>
</Library>
"#;

#[test]
fn libraries_are_joined_to_a_layer() {
    let mut templates = Templates::from_layer(&layer());
    assert_eq!(templates.fill_of(hash(b"t_oak")), None);
    let trees = library(LIBRARY).unwrap();
    assert_eq!(trees.name, text("Trees"));
    templates.add(&trees);
    // The number of the name in the layer, and the number in the library.
    for number in [hash(b"t_oak"), -1234_i32 as u32] {
        assert_eq!(templates.name_of(number), Some(&text("t_oak")));
        assert_eq!(templates.fill_of(number).unwrap().to_string(), "#004000ff");
    }
    assert_eq!(templates.hash_of("t_oak"), Some(-1234_i32 as u32));
    assert_eq!(templates.hash_of("b_elder"), Some(hash(b"b_elder")));
    let oak = templates.named("t_oak").unwrap();
    assert_eq!(
        (&oak.library, &oak.file),
        (&Some(text("trees")), &Some(text("dz\\plants\\t_oak.p3d")))
    );
    // Only in the library: by its number, its name, and the name it may have had.
    for number in [10197, hash(b"new_2"), hash(b"new")] {
        assert_eq!(templates.name_of(number), Some(&text("new_2")), "{number}");
    }
    assert_eq!(templates.named("new_2").unwrap().library, Some(text("Trees")));
    assert_eq!(templates.name_of(1), None);
    assert_eq!(templates.hash_of("t_ash"), None);
}

#[test]
fn a_renamed_template_keeps_its_hash_once_an_object_has_shown_it() {
    let mut layer = layer();
    layer.add_template(text("droite_1"), text("trees"));
    let mut templates = Templates::from_layer(&layer);
    assert_eq!(templates.name_of(hash(b"droite")), Some(&text("droite_1")));
    assert_eq!(templates.hash_of("droite_1"), Some(hash(b"droite_1")));
    templates.learn(hash(b"droite"));
    templates.learn(hash(b"t_oak"));
    templates.learn(7);
    assert_eq!(templates.hash_of("droite_1"), Some(1_228_228_281));
    assert_eq!(templates.hash_of("t_oak"), Some(hash(b"t_oak")));
    // A template of the first name goes before it.
    layer.add_template(text("droite"), text("trees"));
    let templates = Templates::from_layer(&layer);
    assert_eq!(templates.name_of(hash(b"droite")), Some(&text("droite")));
    assert_eq!(templates.name_of(hash(b"droite_1")), Some(&text("droite_1")));
}

#[test]
fn a_blank_that_the_library_has_lost_is_found_again() {
    let mut layer = layer();
    layer.add_template(text("sign_start "), text("signs"));
    let xml = format!(
        "<Library name='signs'><Template><Name>sign_start</Name><Fill>-1</Fill><Hash>{}</Hash>\
         </Template></Library>",
        hash(b"sign_start ") as i32
    );
    let mut templates = Templates::from_layer(&layer);
    templates.add(&library(xml.as_bytes()).unwrap());
    assert!(templates.named("sign_start").is_none());
    assert!(templates.named("sign_start ").unwrap().in_library);
}

#[test]
fn what_is_no_library_is_refused_where_it_goes_wrong() {
    for (xml, at) in [
        ("", 0),
        ("<Lib/>", 0),
        ("<Library name='a'>\n<Template><Hash>x</Hash></Template></Library>", 29),
        ("<Library name='a'>\n  <Template></Templ>", 31),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><Library name='&b;'/>", 0),
    ] {
        let error = library(xml.as_bytes()).unwrap_err();
        assert_eq!(error.rule(), rule::TEMPLATE_LIBRARY_XML, "{xml}");
        assert_eq!(error.offset(), at, "{xml}: {error}");
    }
    let deep = format!("{}{}", "<Library>".repeat(100_000), "</Library>".repeat(100_000));
    let _ = library(deep.as_bytes());
    // Windows-1252.
    let library = library(b"<Library name='caf\xe9'/>").unwrap();
    assert_eq!(library.name.as_bytes(), b"caf\xe9");
}

#[test]
fn templates_of_several_layers_are_joined() {
    let first = layer();
    let mut second = layer();
    (second.libraries, second.templates) = Default::default();
    second.add_template(text("t_ash"), text("ashes"));
    // The first layer says of which library it is.
    second.add_template(text("t_oak"), text("ashes"));
    let mut templates = Templates::from_layer(&first);
    assert_eq!(templates.name_of(hash(b"t_ash")), None);
    templates.add_layer(&second);
    templates.add_layer(&second);
    let names = |it: &Templates| -> Vec<_> {
        it.iter().map(|it| (it.name.to_string(), it.library.clone(), it.in_library)).collect()
    };
    let mut expected = names(&Templates::from_layer(&first));
    assert!(expected.contains(&("t_oak".to_owned(), Some(text("trees")), false)));
    expected.push(("t_ash".to_owned(), Some(text("ashes")), false));
    assert_eq!(names(&templates), expected);
    assert_eq!(templates.name_of(hash(b"t_ash")), Some(&text("t_ash")));
    // Where the first did not say it, the second does.
    let mut unsaid = first.clone();
    unsaid.libraries = Default::default();
    let mut templates = Templates::from_layer(&unsaid);
    assert_eq!(templates.named("t_oak").unwrap().library, None);
    templates.add_layer(&second);
    assert_eq!(templates.named("t_oak").unwrap().library, Some(text("ashes")));
}

/// Another tool may give one number to all templates.
#[test]
fn a_number_that_libraries_say_of_several_templates_is_no_hash_of_theirs() {
    let template = |name, hash| LibraryTemplate {
        name: text(name),
        hash: Some(hash),
        ..LibraryTemplate::default()
    };
    let clamped = i32::MAX as u32;
    let names = ["oak", "elm", "fir"];
    let mut templates = Templates::new();
    for name in names {
        let library = Library { name: text("trees"), templates: vec![template(name, clamped)] };
        templates.add(&library);
    }
    for name in names {
        assert_eq!(templates.hash_of(name), Some(hash(name.as_bytes())), "{name}");
        assert!(!template(name, clamped).has_hash_of_name());
    }
    // A running number, which is of one template.
    let templates_of_one = vec![template("ash", 7)];
    templates.add(&Library { name: text("more"), templates: templates_of_one });
    assert_eq!(templates.hash_of("ash"), Some(7));
    for (name, said) in [("oak_1", hash(b"oak")), ("oak", hash(b"oak ")), ("oak", hash(b"oak"))] {
        assert!(template(name, said).has_hash_of_name(), "{name}");
    }
    assert!(LibraryTemplate::default().has_hash_of_name());
}
