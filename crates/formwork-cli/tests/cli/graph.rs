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
    let out = folder.join("map.dot");
    let (folder, out_name) = (folder.to_str().unwrap(), out.to_str().unwrap());
    run(&["graph", folder, "--as", "svg-dot", "-o", out_name]).with_status(0);
    assert!(fs::read_to_string(&out).unwrap().contains("subgraph cluster_2"));
}

#[test]
fn what_cannot_be_read_or_does_not_fit_is_said() {
    let folder = project("graph-wrong");
    let layer = folder.join("my map.Layers/default.tv4l");
    fs::write(&layer, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n").unwrap();
    let ended = run(&["graph", folder.to_str().unwrap()]).with_status(1);
    assert!(ended.stderr.contains("default.tv4l: this is a Git LFS pointer"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("mactiveLayer: the pointer leads to a CLayer"),
        "{}",
        ended.stderr
    );
    assert!(ended.text().contains("not in these files"));

    let ended = run(&["graph", layer.to_str().unwrap()]).with_status(1);
    assert!(ended.stderr.contains("Git LFS pointer"), "{}", ended.stderr);
    fs::copy(folder.join("my map.tv4p"), folder.join("second.tv4p")).unwrap();
    let ended = run(&["graph", folder.to_str().unwrap()]).with_status(2);
    assert!(ended.stderr.contains("2 projects in this folder"), "{}", ended.stderr);
    let empty = folder.join("empty");
    fs::create_dir_all(&empty).unwrap();
    run(&["graph", empty.to_str().unwrap()]).with_status(2);
    run(&["graph", folder.join("none.tv4p").to_str().unwrap()]).with_status(3);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_told_once() {
    let folder = project("graph-link");
    let layers = folder.join("my map.Layers");
    std::os::unix::fs::symlink("nowhere", layers.join("gone.tv4l")).unwrap();
    let (folder, layers) = (folder.to_str().unwrap(), layers.to_str().unwrap());
    let project = format!("{folder}/my map.tv4p");
    for arguments in [&["graph", folder, layers], &["graph", &project, folder]] {
        let ended = run(arguments).with_status(1);
        assert_eq!(ended.stderr.matches("gone.tv4l").count(), 1, "{}", ended.stderr);
    }
}
