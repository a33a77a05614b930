//! ALB1 as a format among others: opened, changed, compared and written through the traits of `formwork::document`.

use formwork::document::{
    ChangeKind, Confidence, Edit, Format, Grade, Json, JsonText, Problem, Replacing, RowKind,
};
use formwork_alb1::{
    ALB1, Alb1Format, Document, Field, FieldType, Object, Reader, Text, Value, rule,
};
use formwork_records::limits::Limits;
use formwork_terrain::verify;

use super::corpus::each_file;

static CHECKED: Alb1Format = Alb1Format::new().checks(|file| verify::document("", file));

/// A layer with a name, a number, two lists of one tag, and an object.
fn layer() -> Document {
    let mut layer = Document::new("CLayer");
    layer.add("", "mname", Text::new("houses").unwrap()).unwrap();
    layer.add("", "mlayerVersion", Value::SignedInt(4)).unwrap();
    layer.add("", "libs", vec![]).unwrap();
    layer.add("", "libs", vec![]).unwrap();
    let object = layer.new_object("CRoad").unwrap();
    layer.add("", "mroad", Value::Object(object.into())).unwrap();
    layer.add("mroad", "name", Text::new("asphalt").unwrap()).unwrap();
    layer
}

fn opened() -> Box<dyn formwork::document::Document> {
    ALB1.open(&layer().to_vec().unwrap()).unwrap()
}

fn lines(changes: &[formwork::document::Change]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

#[test]
fn files_survive_every_way_through_the_traits() {
    each_file(|sample| {
        let (name, bytes) = (&sample.name, &sample.bytes);
        assert_eq!(CHECKED.sniff(bytes), Confidence::Whole, "{name}");
        let mut document = CHECKED.open(bytes).unwrap();
        assert_eq!(document.to_bytes(), *bytes, "{name}");

        let json = document.to_json();
        assert_eq!(Json::read(json.to_string().as_bytes()).as_ref(), Ok(&json), "{name}");
        let made = CHECKED.make(&json).unwrap();
        assert!(made.to_bytes() == *bytes, "{name}");
        assert_eq!(document.diff(&*made), [], "{name}");
        assert_eq!(document.set_json(&json), Ok(vec![]), "{name}");
        assert!(document.to_bytes() == *bytes, "{name}");

        let read = Document::from_slice(bytes).unwrap();
        for step in read.root.fields.iter().map(|field| read.tags.display(field.tag)) {
            // A tag that the root has twice is no path by itself.
            let Ok(value) = document.get(&step) else { continue };
            assert_eq!(document.edit(&[Edit::set(&*step, value)]), Ok(vec![]), "{name} {step}");
        }

        let found = verify::document("", &read);
        let problems = CHECKED.problems(bytes);
        assert_eq!(problems.len(), found.len(), "{name}");
        assert!(found.iter().all(|it| problems.contains(&Problem::warning(it.into()))), "{name}");

        let mut covered = 0;
        let rows = CHECKED.rows(bytes, &mut |row| {
            assert!(row.error.is_none() && row.kind == RowKind::Field, "{name}: {row:?}");
            covered += row.bytes.len();
            Ok(())
        });
        rows.unwrap();
        assert_eq!(covered, bytes.len(), "{name}");
    });
}

#[test]
fn a_summary_counts() {
    let summary = Json::Object(opened().summary());
    let expected = r#"{"kind":"object layer","name":"houses","version":4,"objects":2,
        "classes":{"CLayer":1,"CRoad":1},"fields":6,
        "types":{"string":2,"array":2,"signed int":1,"object":1},"raw":0}"#;
    assert_eq!(summary, Json::read(expected.as_bytes()).unwrap());
}

#[test]
fn a_change_is_made_whole_or_not_at_all() {
    let (mut document, before) = (opened(), layer().to_vec().unwrap());
    let typed = document.typed("mlayerVersion", "0x05").unwrap();
    let edits = [Edit::set("mlayerVersion", typed), Edit::set("mroad.name", "gravel".into())];
    let changes = document.edit(&edits).unwrap();
    assert_eq!(lines(&changes), ["mlayerVersion: 4 -> 5", r#"mroad.name: "asphalt" -> "gravel""#]);
    let mut expected = layer();
    expected.set("mlayerVersion", Value::SignedInt(5)).unwrap();
    expected.set("mroad.name", Text::new("gravel").unwrap()).unwrap();
    assert_eq!(document.to_bytes(), expected.to_vec().unwrap());

    let mut document = opened();
    for (edit, broken) in [
        (Edit::set("nothing", 1.into()), rule::PATH),
        (Edit::add("nothing", 1.into()), rule::PATH),
        (Edit::remove("nothing"), rule::PATH),
        // No file can hold a text that long.
        (Edit::set("mname", "x".repeat(1 << 16).into()), rule::LENGTH),
    ] {
        let error = document.edit(&[Edit::set("mlayerVersion", 5.into()), edit]).unwrap_err();
        assert_eq!(error.rule(), broken, "{error}");
        assert_eq!(document.to_bytes(), before);
    }
    let error = document.edit(&[Edit::set("mlayerVersion", "five".into())]).unwrap_err();
    assert_eq!(error.path().to_string(), "mlayerVersion");
    assert!(error.is_nowhere(), "{error}");
}

#[test]
fn what_people_type_is_read_by_the_type_of_the_field() {
    let document = opened();
    assert_eq!(document.typed("mname", "7"), Ok("7".into()));
    assert_eq!(document.typed("mlayerVersion", " 7"), Ok(7.into()));
    let object = document.get("mroad").unwrap();
    assert_eq!(document.typed("mroad", &object.to_string()), Ok(object.clone()));
    assert_eq!(document.shown(&object), "an object of class CRoad");
    assert_eq!(document.shown(&"houses".into()), r#""houses""#);

    let error = document.typed("mlayerVersion", "seven").unwrap_err();
    assert_eq!(error, Value::parse(FieldType::SignedInt, "seven").unwrap_err());
    assert_eq!(document.typed("nothing", "7").unwrap_err().rule(), rule::PATH);
    assert!(document.typed("mroad", "{").is_err());
}

#[test]
fn the_paths_of_removed_values_are_those_before() {
    let mut document = opened();
    let paths = ["libs[0]", "mroad.name", "libs[1]", "libs[0]"].map(str::to_owned);
    let changes = document.remove(&paths).unwrap();
    let expected =
        ["libs[0]: removed []", r#"mroad.name: removed "asphalt""#, "libs[1]: removed []"];
    assert_eq!(lines(&changes), expected);
    assert_eq!(document.get("libs").unwrap_err().rule(), rule::PATH);
    assert_eq!(document.get("mroad.name").unwrap_err().rule(), rule::PATH);

    let before = document.to_bytes();
    assert!(document.remove(&["mname".to_owned(), "nothing".to_owned()]).is_err());
    assert_eq!(document.to_bytes(), before);
}

#[test]
fn differences_have_the_paths_and_words_of_the_comparison() {
    let mut other = layer();
    other.set("mname", Text::new("trees").unwrap()).unwrap();
    other.remove("mroad").unwrap();
    let (old, new) = (opened(), ALB1.open(&other.to_vec().unwrap()).unwrap());
    let changes = old.diff(&*new);
    let expected = formwork_alb1::diff::diff(&layer(), &other, &Default::default());
    assert_eq!(changes.len(), expected.len());
    for (change, expected) in changes.iter().zip(expected) {
        assert_eq!((change.kind, &change.path), (expected.kind, &expected.place().to_string()));
        let shown = |json: &Option<Json>| json.as_ref().map(|json| old.shown(json));
        assert_eq!(shown(&change.before), expected.before);
        assert_eq!(shown(&change.after), expected.after);
    }
    assert_eq!(changes[0].before, Some("houses".into()));
    assert_eq!(changes[1].kind, ChangeKind::Removed);

    let text = JsonText.open(b"{\"$alb1\":1}").unwrap();
    assert_eq!(old.diff(&*text).len(), 1);
}

/// A regression test: the entries of a level had paths with slashes, which lead to nothing here.
#[test]
fn paths_of_entries_are_those_of_values() {
    each_file(|sample| {
        let document = ALB1.open(&sample.bytes).unwrap();
        let (mut open, mut seen) = (vec![String::new()], 0);
        while let Some(path) = open.pop() {
            for child in document.children(&path, 0..20).unwrap() {
                assert_eq!(document.look(&child.path).unwrap(), child, "{}", sample.name);
                seen += 1;
                let has_more = child.length.is_some_and(|length| length > 0);
                open.extend((has_more && seen < 500).then_some(child.path));
            }
        }
        assert!(seen > 0, "{}", sample.name);
    });
    let document = opened();
    let paths = |path, range| -> Vec<String> {
        document.children(path, range).unwrap().into_iter().map(|child| child.path).collect()
    };
    assert_eq!(paths("", 0..9), ["mname", "mlayerVersion", "libs[0]", "libs[1]", "mroad"]);
    assert_eq!(paths("", 3..4), ["libs[1]"]);
    assert_eq!(paths("mroad", 0..9), ["mroad.name"]);
    assert_eq!(paths("mname", 0..9), [""; 0]);
    assert!(document.children("mroad.nothing", 0..9).is_err());
    let road = document.look("mroad").unwrap();
    assert_eq!((&*road.type_name, road.length, road.shown), ("CRoad", Some(1), None));
    assert_eq!(document.look("mname").unwrap().shown.as_deref(), Some("\"houses\""));
}

#[test]
fn a_text_replaces_a_document_and_its_errors_have_places() {
    let mut document = opened();
    let text = String::from_utf8(document.to_text("json").unwrap()).unwrap();
    let replaced = document.set_text(text.as_bytes(), Replacing::default()).unwrap();
    assert_eq!((replaced.changes, document.to_bytes()), (vec![], opened().to_bytes()));
    let other = text.replace("houses", "trees");
    let replaced = document.set_text(other.as_bytes(), Replacing::default()).unwrap();
    assert_eq!(lines(&replaced.changes), [r#"mname: "houses" -> "trees""#]);
    let holder = replaced.changes[0].holder.clone().unwrap();
    assert_eq!((&*holder.object, &*holder.class, &*holder.field), ("", "CLayer", "mname"));
    let before = document.to_bytes();
    let at = text.find("houses").unwrap() as u64;
    let cut = &text.as_bytes()[..at as usize];
    let error = document.set_text(cut, Replacing::default()).unwrap_err();
    assert!(!error.is_nowhere() && error.offset() <= at, "{error}");
    assert!(document.to_text("native").is_err());
    assert_eq!(document.to_bytes(), before);
}

#[test]
fn fields_are_fixed_and_some_are_needed() {
    let document = opened();
    assert!(document.fixed().unwrap().starts_with("the fields of an ALB1 file"));
    assert!(document.needed("mname").unwrap().starts_with("every CLayer has this field"));
    assert_eq!((document.needed("mroad"), document.needed("nothing")), (None, None));
}

#[test]
fn a_damaged_file_has_rows_and_problems() {
    let whole = layer().to_vec().unwrap();
    let cut = &whole[..whole.len() - 3];
    assert_eq!(ALB1.sniff(cut), Confidence::Start);
    assert_eq!(ALB1.sniff(b"ALB"), Confidence::None);
    let error = Document::from_slice(cut).unwrap_err();
    assert_eq!(ALB1.open(cut).err(), Some(error.clone()));
    assert_eq!(ALB1.problems(cut), [Problem::damage(error.clone())]);
    let (mut faults, mut covered) = (Vec::new(), 0);
    let rows = ALB1.rows(cut, &mut |row| {
        covered += row.bytes.len();
        faults.extend(row.error.clone().filter(|_| row.kind == RowKind::Fault));
        Ok(())
    });
    rows.unwrap();
    assert_eq!((faults, covered), (vec![error], cut.len()));
}

#[test]
fn odd_values_are_problems_with_the_rule_of_their_kind() {
    let mut odd = layer();
    odd.add("", "mbLocked", Value::Bool(7)).unwrap();
    let bytes = odd.to_vec().unwrap();
    let problems = ALB1.problems(&bytes);
    let [problem] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!(problem.grade, Grade::Warning);
    assert_eq!(problem.rule().name(), "bool.byte");
    assert_eq!((problem.path().to_string(), problem.found()), ("mbLocked".into(), "the bool is 7"));
    assert_eq!(problem.offset(), bytes.len() as u64 - 4);
}

#[test]
fn the_deepest_documents_have_json() {
    // Unoptimized code takes more stack than the thread of a test has.
    let test = std::thread::Builder::new().stack_size(16 << 20).spawn(deepest).unwrap();
    test.join().unwrap();
}

fn deepest() {
    for (depth, is_read) in [(255, true), (256, false)] {
        let mut document = Document::new("CLayer");
        let tag = document.tags.id("mname").unwrap();
        let class = document.root.class;
        let mut fields = vec![Field::new(tag, Text::new("innermost").unwrap())];
        for address in 1..depth {
            let object = Object { class, address, fields };
            fields = vec![Field::new(tag, Value::Object(object.into()))];
        }
        document.root.fields = fields;
        let bytes = document.to_vec().unwrap();
        let limits = Limits::default().depth(Reader::DEEPEST);
        let format = Alb1Format::new().limits(limits);
        let Ok(opened) = format.open(&bytes) else {
            assert!(!is_read);
            continue;
        };
        assert!(is_read);
        assert_eq!(format.make(&opened.to_json()).unwrap().to_bytes(), bytes);
    }
}
