//! Paths in projects: found, looked through, moved.

use formwork_alb1::terrain::{CenterDelta, PathKind, Project, Root};
use formwork_alb1::{Document, Value};
use formwork_terrain::paths::{Replacement, file_paths};

use crate::corpus::{each_sample, more_samples};
use crate::terrain::{project, text};

#[test]
fn every_path_is_found_where_it_says() {
    let mut count = 0;
    more_samples(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        for path in file_paths(&document) {
            let there = document.get(&path.at.to_string()).unwrap();
            assert_eq!(there, &Value::String(path.text.clone()), "{}: {}", sample.name, path.at);
            count += 1;
        }
    });
    println!("{count} paths");

    let document = project().to_document().unwrap();
    let paths = file_paths(&document);
    let all: Vec<_> = paths.iter().map(|path| (path.at.to_string(), path.kind)).collect();
    let expected = [
        ("libs[0]", PathKind::InProject),
        ("objManager.mroadbase.mroad[0].straight[0].objectfilefilename", PathKind::OnDrive),
        ("objManager.mroadbase.mroad[0].curve[0].objectfilefilename", PathKind::OnDrive),
        ("objManager.mroadbase.mroad[0].terminator[0].objectfilefilename", PathKind::OnDrive),
        ("objManager.mroadbase.mcross[0].objectfilefilename", PathKind::OnDrive),
        ("objManager.mroadelement.mroadGetRoads[0].keypointname", PathKind::OnDrive),
        ("objManager.mroadelement.mroadGetRoads[0].directiona[0].name", PathKind::OnDrive),
        ("objManager.mapFrame.mframe[0].config.wrpdirexport", PathKind::Folder),
        ("objManager.mobjectsDelta[0].key", PathKind::OnDrive),
        ("world.mcontents.mcontents[0].data.name", PathKind::Label),
    ];
    assert_eq!(all, expected.map(|(at, kind)| (at.to_owned(), kind)));
    let absolute = paths.iter().find(|path| path.kind == PathKind::OnDrive).unwrap().absolute();
    assert_eq!(absolute.unwrap(), "P:\\dz\\roads\\asf_6.p3d");
}

#[test]
fn profiles_are_pointed_out() {
    let mut project = project();
    for (folder, profile) in [
        ("C:\\Users\\jo\\maps", Some("jo")),
        ("d:/users//jo", Some("jo")),
        ("C:\\Documents and Settings\\jo\\x", Some("jo")),
        ("C:\\Users\\Public\\maps", None),
        ("C:\\Users", None),
        ("P:\\Userstories\\jo", None),
    ] {
        let configuration = &mut project.objects.map_frames.frames[0].configuration;
        configuration.export_folder = text(folder);
        let document = project.to_document().unwrap();
        let paths = file_paths(&document);
        let path = paths.iter().find(|path| path.kind == PathKind::Folder).unwrap();
        assert_eq!(path.profile().as_deref(), profile, "{folder}");
    }
}

#[test]
fn a_replacement_goes_by_folders_and_not_by_letters() {
    let moved = Replacement::new("P:/Maps/island", "D:\\new\\").unwrap();
    for (path, expected) in [
        ("p:\\maps\\ISLAND\\a.png", Some("D:\\new\\a.png")),
        ("P:\\maps\\island", Some("D:\\new")),
        ("P:\\maps\\\\island\\\\a.v4w", Some("D:\\new\\\\a.v4w")),
        ("P:/maps/island/a.png - 1", Some("D:\\new/a.png - 1")),
        ("P:\\maps\\island2\\a.png", None),
        ("P:\\maps", None),
        ("maps\\island\\a.png", None),
        ("", None),
    ] {
        assert_eq!(moved.apply(path).as_deref(), expected, "{path}");
    }
    for (old, new) in [("", "P:\\a"), ("P:\\a", "\\"), ("P:\\a", "b"), ("a", "P:"), ("a", "日本")]
    {
        assert!(Replacement::new(old, new).is_err(), "{old} {new}");
    }
}

#[test]
fn a_replacement_changes_everything_that_starts_with_the_folder() {
    let mut project = project();
    let configuration = &mut project.objects.map_frames.frames[0].configuration;
    configuration.layers_file = text("island\\source\\layers.cfg");
    configuration.grid_file = text("p:\\island\\\\island.grid.000.v4w");
    for key in ["island\\a.p3d", "zoo\\b.p3d"] {
        project.objects.center_deltas.insert(text(key), CenterDelta::default());
    }
    let mut document = project.to_document().unwrap();
    let before = document.clone();
    let replaced =
        Replacement::new("P:\\island", "P:\\zz\\island").unwrap().apply_to(&mut document).unwrap();
    assert_eq!((replaced.changed, replaced.left.len()), (5, 0));
    let moved = Project::of(&document).unwrap();
    let configuration = &moved.objects.map_frames.frames[0].configuration;
    assert_eq!(configuration.layers_file, text("zz\\island\\source\\layers.cfg"));
    assert_eq!(configuration.grid_file, text("P:\\zz\\island\\\\island.grid.000.v4w"));
    assert_eq!(moved.world.contents.rasters.get(&7).unwrap().name, text("P:\\zz\\island\\sat.png"));
    // A name that only looks like the folder stays.
    assert_eq!(moved.objects.map_frames.frames[0].name, text("island"));
    let keys: Vec<_> = moved.objects.center_deltas.iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(keys, ["dz\\rock.p3d", "zoo\\b.p3d", "zz\\island\\a.p3d"]);

    // Back again is as before.
    Replacement::new("P:\\zz\\island", "p:\\island").unwrap().apply_to(&mut document).unwrap();
    Replacement::new("p:\\island\\sat.png", "P:\\island\\sat.png")
        .unwrap()
        .apply_to(&mut document)
        .unwrap();
    assert!(document.is_identical(&before));

    // Models cannot leave the project drive.
    let replaced = Replacement::new("P:\\", "D:\\p").unwrap().apply_to(&mut document).unwrap();
    assert_eq!((replaced.changed, replaced.left.len()), (3, 10));
    // Without a drive: folders of the project drive and of the project.
    let replaced = Replacement::new("dz", "ca").unwrap().apply_to(&mut document).unwrap();
    assert_eq!((replaced.changed, replaced.left.len()), (7, 0));
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn what_a_replacement_does_not_touch_stays_byte_for_byte() {
    each_sample(|sample| {
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        let replacement = Replacement::new("Q:\\nowhere\\at\\all", "Q:\\x").unwrap();
        assert_eq!(replacement.apply_to(&mut document).unwrap().changed, 0);
        assert!(document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
    });
}

fn delta(x: f64) -> CenterDelta {
    CenterDelta { x, ..CenterDelta::default() }
}

/// Review alb1-cli, row 5: two folders that become one gave two equal keys.
#[test]
fn two_folders_that_become_one_never_make_two_equal_keys() {
    let mut project = project();
    let deltas = &mut project.objects.center_deltas;
    for (key, number) in [("dz\\a.p3d", 1.0), ("zzz\\A.p3d", 2.0), ("zzz\\b.p3d", 3.0)] {
        deltas.insert(text(key), delta(number));
    }
    let mut document = project.to_document().unwrap();
    let before = document.clone();
    let merge = Replacement::new("P:\\zzz", "P:\\dz").unwrap();
    let error = merge.apply_to(&mut document).unwrap_err();
    assert_eq!(error.rule(), formwork_terrain::rule::KEY);
    let found = error.found();
    assert!(found.contains("dz\\\\a.p3d") && found.contains("zzz\\\\A.p3d"), "{found}");
    assert!(document.is_identical(&before));

    // If both are the same, nothing is lost with one of them.
    project.objects.center_deltas.insert(text("zzz\\A.p3d"), delta(1.0));
    let mut document = project.to_document().unwrap();
    let replaced = merge.apply_to(&mut document).unwrap();
    assert_eq!((replaced.changed, replaced.merged), (2, 1));
    let merged = Project::of(&document).unwrap().objects.center_deltas;
    let keys: Vec<_> = merged.iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(keys, ["dz\\a.p3d", "dz\\b.p3d", "dz\\rock.p3d"]);
    document.to_vec().unwrap();
}
