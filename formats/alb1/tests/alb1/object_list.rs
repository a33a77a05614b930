//! Lists of objects as text: writing, reading, and errors.

use std::borrow::Cow;

use formwork::ErrorKind;
use formwork_terrain::object_list::{
    self, Entry, Form, Line, Placement, TextReader, Writer, foreign,
};
use formwork_testkit::Noise;

use crate::random::placement;

fn entry<'a>(template: &'a [u8], placement: Placement) -> Entry<'a> {
    Entry { template: Cow::Borrowed(template), placement, ..Entry::default() }
}

fn written(entries: &[Entry<'_>], form: Form) -> String {
    let mut writer = Writer::new(Vec::new(), form).unwrap();
    for entry in entries {
        writer.write(entry).unwrap();
    }
    assert_eq!(writer.written(), entries.len() as u64);
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn read(text: &[u8]) -> Vec<Line<'_>> {
    TextReader::new(text).collect::<Result<_, _>>().unwrap()
}

const ROCK: Placement = Placement {
    x: 200_105.25,
    y: 1012.5,
    yaw: 90.0,
    pitch: 0.0,
    roll: 359.999_97,
    scale: 1.0,
    z: -0.25,
};

#[test]
fn terrain_builders_text() {
    let text =
        "\"rock_02\";200105.250000;1012.500000;90.000000;0.000000;359.999969;1.000000;-0.250000;\n";
    assert_eq!(written(&[entry(b"rock_02", ROCK)], Form::Text), text);
    let lines = read(text.as_bytes());
    assert_eq!(lines, [Line { number: 1, offset: 0, entry: entry(b"rock_02", ROCK) }]);
}

#[test]
fn what_other_programs_write() {
    let canonical = read(b"\"a\";1;2;3;4;5;6;7;");
    for text in [
        &b"\"a\";1;2;3;4;5;6;7"[..],
        b"\"a\";1.0;2.0;3.;4e0;.5e1;+6;7.000000000;\r\n",
        b"  \"a\" ; 1 ; 2 ;\t3 ; 4 ; 5 ; 6 ; 7 ; \r\n\r\n   \n",
        b"\xEF\xBB\xBF\"a\";1;2;3;4;5;6;7;\n",
    ] {
        assert_eq!(read(text)[0].entry, canonical[0].entry, "{}", text.escape_ascii());
    }
    let numbers: Vec<u64> = read(b"\n\"a\";1;2;3;4;5;6;7;\r\n\r\n\"b\";1;2;3;4;5;6;7")
        .iter()
        .map(|l| l.number)
        .collect();
    assert_eq!(numbers, [2, 4]);
}

/// A name may hold anything but line breaks: it ends at the last quote.
#[test]
fn odd_names() {
    for name in [&b""[..], b"a;b", b"a\"b", b"\"", b"\";1;2;3;\"", b" a ", b"caf\xe9", b"#0123abcd"]
    {
        let list = {
            let mut writer = Writer::new(Vec::new(), Form::Text).unwrap();
            writer.write(&entry(name, ROCK)).unwrap();
            writer.finish().unwrap()
        };
        assert_eq!(read(&list)[0].entry, entry(name, ROCK), "{}", name.escape_ascii());
    }
    // In a text that is marked as UTF-8.
    assert_eq!(&*read("\u{FEFF}\"café\";1;2;3;4;5;6;7".as_bytes())[0].entry.template, b"caf\xe9");
}

/// Faults name the line, the number and the place, and do not keep the next line from being read.
#[test]
fn faults() {
    let cases: &[(&[u8], &str, u64)] = &[
        (b"rock;1;2;3;4;5;6;7;", "line[2]", 0),
        (b"\"rock;1;2;3;4;5;6;7;", "line[2]", 1),
        (b"\"rock\" 1;2;3;4;5;6;7;", "line[2].x", 7),
        (b"\"rock\";1;2;3;4;5;", "line[2].scale", 17),
        (b"\"rock\";1;2;3;4;5", "line[2].scale", 16),
        (b"\"rock\"", "line[2].x", 6),
        (b"\"rock\";1;2;3;4;5;6;7;8;", "line[2]", 21),
        (b"\"rock\";1;2,5;3;4;5;6;7;", "line[2].y", 9),
        (b"\"rock\";1;2; x;4;5;6;7;", "line[2].yaw", 12),
        (b"\"rock\";1;2;3;NaN;5;6;7;", "line[2].pitch", 13),
        (b"\"rock\";1;2;3;4;inf;6;7;", "line[2].roll", 15),
        (b"\"rock\";1;2;3;4;5;1e39;7;", "line[2].scale", 17),
        (b"\"rock\";1e309;2;3;4;5;6;7;", "line[2].x", 7),
        (b"\"rock\";0x10;2;3;4;5;6;7;", "line[2].x", 7),
        (b"\"rock\";;2;3;4;5;6;7;", "line[2].x", 7),
    ];
    let good = b"\"good\";1;2;3;4;5;6;7;\n";
    for &(line, path, column) in cases {
        let text = [good, line, b"\n", good].concat();
        let lines: Vec<_> = TextReader::new(&text).collect();
        assert_eq!(lines.len(), 3, "{}", line.escape_ascii());
        assert!(lines[0].is_ok() && lines[2].is_ok());
        let error = lines[1].as_ref().unwrap_err();
        assert_eq!(error.rule(), object_list::rule::LINE);
        let at = error.offset() - good.len() as u64;
        assert_eq!((&*error.path().to_string(), at), (path, column), "{}", line.escape_ascii());
    }
}

#[test]
fn what_the_text_cannot_hold() {
    for (template, placement, path) in [
        (&b"a"[..], Placement { x: f64::NAN, ..ROCK }, "[1].x"),
        (b"a", Placement { z: f32::NEG_INFINITY, ..ROCK }, "[1].z"),
        (b"a\nb", ROCK, "[1].template"),
        (b"a\r", ROCK, "[1].template"),
    ] {
        let mut writer = Writer::new(Vec::new(), Form::Text).unwrap();
        writer.write(&entry(b"fine", ROCK)).unwrap();
        let error = writer.write(&entry(template, placement)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unrepresentable);
        assert_eq!(error.path().to_string(), path);
        writer.write(&entry(b"fine", ROCK)).unwrap();
        // Nothing of it was written.
        let list = writer.finish().unwrap();
        assert_eq!((read(&list).len(), error.offset()), (2, list.len() as u64 / 2));
    }
}

/// Value to text to value to text: the text stays, and so does everything that six decimals carry.
#[test]
fn six_decimals_survive() {
    let mut noise = Noise::new(7);
    for round in 0..50_000 {
        let placement = placement(&mut noise, round % 3 == 0);
        let one = entry(b"a", placement);
        let text = written(std::slice::from_ref(&one), Form::Text);
        let again = read(text.as_bytes()).remove(0).entry;
        assert_eq!(written(std::slice::from_ref(&again), Form::Text), text);
        for (number, read) in placement.numbers().into_iter().zip(again.placement.numbers()) {
            assert_eq!(format!("{number:.6}"), format!("{read:.6}"));
        }
    }
}

/// Whatever bytes come, the reader gives an answer for every line that is not blank.
#[test]
fn any_bytes() {
    let mut noise = Noise::new(99);
    let seed = b"\"rock_02\";200105.25;1012.5;90;-0;1e3;1.000000;-0.250000;\r\n";
    for _ in 0..20_000 {
        let mut bytes = seed.repeat(3);
        for _ in 0..=noise.below(6) {
            let at = noise.below(bytes.len());
            let alphabet = b"\";.-+eE0189\r\n \t\0\xffN";
            bytes[at] = alphabet[noise.below(alphabet.len())];
        }
        bytes.truncate(noise.below(bytes.len() + 1));
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        assert_eq!(TextReader::new(&bytes).count(), lines.count());
    }
}

mod terrain {
    use formwork_terrain::object_list::CsvReader;

    use super::*;

    fn full(placement: Placement) -> Entry<'static> {
        Entry {
            layer: Some(Cow::Borrowed(b"houses, \"old\"")),
            id: Some(7),
            template: Cow::Borrowed(b"caf\xe9"),
            library: Some(Cow::Borrowed(b"lib")),
            placement,
            no_height: false,
        }
    }

    #[test]
    fn csv() {
        let text = written(&[full(ROCK), entry(b"a", ROCK)], Form::Csv);
        assert_eq!(
            text,
            "layer,id,template,library,x,y,yaw,pitch,roll,scale,z\n\
             \"houses, \"\"old\"\"\",7,café,lib,200105.25,1012.5,90,0,359.99997,1,-0.25\n\
             ,,a,,200105.25,1012.5,90,0,359.99997,1,-0.25\n"
        );
        let lines: Vec<_> = CsvReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
        let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [2, 3]);
        assert_eq!([&lines[0].entry, &lines[1].entry], [&full(ROCK), &entry(b"a", ROCK)]);
    }

    /// Every bit of every number that is not a NaN.
    #[test]
    fn csv_keeps_every_bit() {
        let mut noise = Noise::new(3);
        for round in 0..20_000 {
            let placement = placement(&mut noise, round % 2 == 0);
            let text = written(&[full(placement)], Form::Csv);
            let line = CsvReader::new(text.as_bytes()).next().unwrap().unwrap();
            assert!(line.entry.placement.is_identical(&placement), "{text}");
        }
        let placement = Placement { x: f64::INFINITY, z: f32::NAN, ..ROCK };
        let text = written(&[full(placement)], Form::Csv);
        let line = CsvReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert!(line.entry.placement.x.is_infinite() && line.entry.placement.z.is_nan());
    }

    #[test]
    fn csv_columns_by_name() {
        let text = "z,scale,roll,pitch,yaw,y,x,template\n7,6,5,4,3,2,1,a\n";
        let line = CsvReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(line.entry, read(b"\"a\";1;2;3;4;5;6;7")[0].entry);
        for (text, path, found) in [
            ("template,x,y\na,1,2\n", "line[1]", "none"),
            ("template,x,y,yaw,pitch,roll,scale,z,colour\n", "line[1]", "\"colour\""),
            ("template,x,x,y,yaw,pitch,roll,scale,z\n", "line[1]", "another"),
            ("x,y,yaw,pitch,roll,scale,z,template\n1,2,3,4,5,6,7", "line[2].template", "7 columns"),
            ("x,y,yaw,pitch,roll,scale,z,template\n1,2,3,4,5,6,seven,a", "line[2].z", "\"seven\""),
            ("x,y,yaw,pitch,roll,scale,z,template,id\n1,2,3,4,5,6,7,a,-1", "line[2].id", "\"-1\""),
            ("x,y,yaw,pitch,roll,scale,z,template\n1,2,3,4,5,6,7,日本", "line[2].template", "\""),
        ] {
            let error = CsvReader::new(text.as_bytes()).next().unwrap().unwrap_err();
            assert_eq!(error.path().to_string(), path, "{text}");
            assert!(error.found().starts_with(found), "{text}: {error}");
        }
        assert!(CsvReader::new(b"").next().is_none());
    }

    #[test]
    fn geojson() {
        let text = written(&[full(ROCK)], Form::GeoJson);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["type"], "FeatureCollection");
        assert_eq!(
            json["features"],
            serde_json::json!([{
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [200_105.25, 1012.5]},
                "properties": {
                    "layer": "houses, \"old\"", "template": "café", "library": "lib", "id": 7,
                    "yaw": 90.0, "pitch": 0.0, "roll": 359.99997, "scale": 1.0, "z": -0.25,
                },
            }])
        );
        let mut writer = Writer::new(Vec::new(), Form::GeoJson).unwrap();
        let error = writer.write(&full(Placement { y: f64::NAN, ..ROCK })).unwrap_err();
        assert_eq!(
            (error.kind(), &*error.path().to_string()),
            (ErrorKind::Unrepresentable, "[0].y")
        );
        let none: serde_json::Value = serde_json::from_str(&written(&[], Form::GeoJson)).unwrap();
        assert_eq!(none["features"], serde_json::json!([]));
    }
}

/// A line without its last number has the height of the ground; one without two numbers is refused.
#[test]
fn a_line_without_a_height() {
    for text in [&b"\"a\";1;2;3;4;5;6;"[..], b"\"a\";1;2;3;4;5;6", b"\"a\";1;2;3;4;5;6 ; \r\n"] {
        let [line] = &read(text)[..] else { panic!() };
        assert!(line.entry.no_height && line.entry.placement.z == 0.0);
        assert_eq!(line.entry.placement.scale, 6.0);
    }
    assert!(!read(b"\"a\";1;2;3;4;5;6;7")[0].entry.no_height);
    for text in [&b"\"a\";1;2;3;4;5;"[..], b"\"a\";1;2;3;4;5;6;;", b"\"a\";1;2;3;4;5;;7"] {
        assert!(TextReader::new(text).next().unwrap().is_err(), "{}", text.escape_ascii());
    }
}

#[test]
fn utf_16_of_both_orders_is_read_as_its_letters() {
    let text = "\"caf\u{e9}\";1;2;3;4;5;6;7;\r\n\"\u{20ac}\";1;2;3;4;5;6;7;";
    let units: Vec<u16> = text.encode_utf16().collect();
    let marked: Vec<u16> = [0xFEFF].into_iter().chain(units.iter().copied()).collect();
    let little =
        |units: &[u16]| units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>();
    let big = |units: &[u16]| units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>();
    for list in [little(&marked), big(&marked), little(&units), big(&units)] {
        let list = formwork_terrain::in_utf8(&list).unwrap();
        let names: Vec<_> =
            read(&list).into_iter().map(|it| it.entry.template.into_owned()).collect();
        assert_eq!(names, [b"caf\xe9".to_vec(), b"\x80".to_vec()]);
    }
    for (list, offset) in
        [(&b"\xFF\xFE\"\0a"[..], 4), (b"\xFF\xFE\"\0\x00\xD8\"\0", 4), (b"\xFE\xFF\0\"\xDC\x00", 4)]
    {
        let error = formwork_terrain::in_utf8(list).unwrap_err();
        assert_eq!((error.rule().name(), error.offset()), ("encoding", offset));
    }
    assert_eq!(&*formwork_terrain::in_utf8(b"").unwrap(), b"");
}

#[test]
fn lists_of_other_programs_are_known() {
    let matrix = "-0.29 0 1.05 0 1.09 0 -1.05 0 -0.29 215834.6 0 50739.7 0 t_prunus";
    for (list, ending) in [
        (format!("objects\n{matrix}\nend objects\n"), ".lbt"),
        (format!("\r\n{matrix}\r\n"), ".lbt"),
        ("Land_Wall_Gate|1.5 2 3|0 90 0|true\n".to_owned(), ".map"),
        ("Land_Wall_Gate|1.5 2 3".to_owned(), ".map"),
    ] {
        let name = foreign("list".as_ref(), list.as_bytes()).unwrap();
        assert!(name.contains(ending), "{list}: {name}");
    }
    for list in ["", "\"a\";1;2;3;4;5;6;7;", "a,b", "objects;", "a|b|c", "{}"] {
        assert_eq!(foreign("list".as_ref(), list.as_bytes()), None, "{list}");
    }
    for (path, list, is_foreign) in [
        ("a.LBT", "what is this", true),
        ("a.map", "Land_Barn 1 2 3", true),
        ("a.map", "\"a\";1;2;3;4;5;6;7;", false),
        ("a.lbt", "", false),
    ] {
        assert_eq!(foreign(path.as_ref(), list.as_bytes()).is_some(), is_foreign, "{path}: {list}");
    }
}
