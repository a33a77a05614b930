//! `graph` on a project and its folders.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::{Document, ObjectPointer, Text};
use serde_json::Value;

use crate::run::run;

fn save(document: &Document, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, document.to_vec().unwrap()).unwrap();
}

/// Makes a project, two of its layers, and files that are not its layers.
fn project(folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    let mut layer = Document::new("CLayer");
    layer.add("", "mname", Text::new("default").unwrap()).unwrap();
    save(&layer, &folder.join("my map.Layers/default.tv4l"));
    let mut shapes = Document::new("CAreaLayer");
    shapes.root.address = 0x900;
    // Windows ignores the case of letters.
    save(&shapes, &folder.join("my map.shapes/roads.TV4S"));
    save(&layer, &folder.join("other.Layers/not mine.tv4l"));
    let mut project = Document::new("CVisitor4Project");
    project.root.address = 0x100;
    let active = ObjectPointer { class: layer.root.class, address: layer.root.address };
    project.add("", "mactiveLayer", active).unwrap();
    save(&project, &folder.join("my map.tv4p"));
    folder
}

#[test]
fn a_folder_is_its_project_and_the_layers_beside_it() {
    let folder = project("graph-folder");
    for path in [folder.clone(), folder.join("my map.tv4p")] {
        let path = path.to_str().unwrap();
        let ended = run(&["graph", path, "--as", "json"]).with_status(0);
        assert_eq!(ended.stderr, "");
        let json: Value = serde_json::from_slice(&ended.stdout).unwrap();
        let files: Vec<_> =
            json["objects"].as_array().unwrap().iter().map(|it| &it["file"]).collect();
        let ends = ["my map.tv4p", "default.tv4l", "roads.TV4S"];
        assert_eq!(files.len(), ends.len());
        for (file, end) in files.iter().zip(ends) {
            assert!(file.as_str().unwrap().ends_with(end), "{file}");
        }
        assert_eq!(json["edges"][0]["to"], 1);
    }
}
