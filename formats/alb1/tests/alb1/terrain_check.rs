//! Finds faults that are planted in projects.

use formwork_alb1::terrain::{
    Library, LibraryTemplate, ObjectLayer, Project, Root, Shape, ShapeLayer, Templates, hash,
};
use formwork_alb1::tree;
use formwork_alb1::tree::{Colour, Tree};
use formwork_alb1::{Document, Finding};
use formwork_terrain::check::{Files, check};

use crate::corpus::each_sample;
use crate::terrain::{layer, project, shapes, text};

/// Returns the names and paths of the findings, and the targets of the offsets.
fn found(project: &Document, layers: &[&Document], libraries: Option<&Templates>) -> Vec<String> {
    let layers: Vec<_> = ["a", "b", "c", "d"].into_iter().zip(layers.iter().copied()).collect();
    let files =
        Files { project: Some(("project", project)), layers: &layers, complete: true, libraries };
    let findings = check(&files);
    for finding in &findings {
        // A field that is missing is nowhere.
        assert_eq!(
            finding.offset.is_none(),
            finding.message.contains("no such field"),
            "{finding}"
        );
    }
    findings
        .iter()
        .map(|Finding { file, path, kind, .. }| format!("{file} {path} {kind}"))
        .collect()
}

/// A layer with objects of these templates, at these places.
fn filled(objects: &[(&str, f64, f64)]) -> ObjectLayer {
    let mut layer = layer();
    let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    for (id, (name, x, y)) in (0..).zip(objects) {
        let object = tree::Object { x: *x, y: *y, id, scale: 1.0, ..tree::Object::default() };
        tree.insert(hash(name.as_bytes()), object, |_| Colour::from(0)).unwrap();
    }
    layer.set_tree(&tree).unwrap();
    layer
}

#[test]
fn a_sound_project_has_no_findings() {
    let mut sound = project();
    sound.objects.total_object_count = 1;
    let layer = filled(&[("t_oak", 200_500.0, 500.0)]).to_document().unwrap();
    let shapes = shapes().to_document().unwrap();
    let project = sound.to_document().unwrap();
    assert_eq!(found(&project, &[&layer, &shapes], None), [""; 0]);
}

#[test]
fn what_is_planted_is_found_where_it_is() {
    let mut broken = project();
    broken.objects.map_frames.frames[0].configuration.allowed_mask.pop();
    broken.objects.map_frames.frames[0].configuration.export_folder = text("C:\\Users\\jo\\out");
    broken.objects.placed_roads.roads[0].road = 4;
    broken.objects.road_base.crossroads[0].connect_b = 9;
    let mut project = broken.to_document().unwrap();
    project.header.project_version = 20;

    let objects = [("t_oak", 200_500.0, 500.0), ("t_oak", 100.0, 5.0), ("gone", 200_501.0, 500.0)];
    let mut broken = filled(&objects);
    broken.object_count = 7;
    let layer = broken.to_document().unwrap();

    let mut lines = shapes().to_document().unwrap();
    let mut broken = ShapeLayer::of(&lines).unwrap();
    let Shape::Polyline(line) = &mut broken.shapes[1] else { panic!() };
    line.vertex_count = 77;
    broken.store_in(&mut lines).unwrap();

    let mut cut = filled(&[]);
    cut.tree = cut.tree.slice(..1000);
    let cut = cut.to_document().unwrap();
    let mut wrong = filled(&[]).to_document().unwrap();
    wrong.root.fields.remove(2);

    assert_eq!(
        found(&project, &[&layer, &lines, &cut, &wrong], None),
        [
            "project version project.version",
            "project objManager.mapFrame.mframe[0].config.mgridMaskAllowed masks.count",
            "project objManager.mroadbase.mcross[0].connectb road.unknown",
            "project objManager.mroadelement.mroadGetRoads[0].roadid road.unknown",
            "project objManager.mapFrame.mframe[0].config.wrpdirexport path.profile",
            "a objectCount objects.count",
            "a tree object.outside",
            "a tree template.unknown",
            "b mareas[1].mnCoreVerticesCount vertices.count",
            "c tree tree.broken",
            "d mnPriority class.field",
        ]
    );
    assert_eq!(
        found(&project, &[&layer], None).last().unwrap(),
        "project objManager.mlTotalObjectCount objects.total"
    );
}

#[test]
fn templates_are_looked_for_in_the_libraries() {
    let template = |name| LibraryTemplate { name: text(name), ..LibraryTemplate::default() };
    let templates = vec![template("t_oak"), template("t_ash")];
    let mut libraries = Templates::new();
    libraries.add(&Library { name: text("trees"), templates });
    libraries.add(&Library { name: text("bushes"), templates: Vec::new() });
    let mut project = project();
    project.objects.total_object_count = 3;
    let project = project.to_document().unwrap();
    let at = |name| (name, 200_500.0, 500.0);
    let layer = filled(&[at("t_oak"), at("b_elder"), at("t_ash")]).to_document().unwrap();
    let files = Files {
        project: Some(("project", &project)),
        layers: &[("layer", &layer)],
        complete: true,
        libraries: Some(&libraries),
    };
    let mut messages: Vec<_> = check(&files).into_iter().map(|finding| finding.message).collect();
    messages.sort();
    assert_eq!(
        messages,
        [
            "the layer does not list the template t_ash of 1 object",
            "the template b_elder of 1 object is in no library",
        ]
    );
}

/// A missing library is one finding, however many templates it has.
#[test]
fn a_library_that_is_not_here_is_said_once() {
    let mut libraries = Templates::new();
    libraries.add(&Library { name: text("other"), templates: Vec::new() });
    let at = |name| (name, 200_500.0, 500.0);
    let layer = filled(&[at("t_oak"), at("t_oak"), at("b_elder")]);
    let layer = layer.to_document().unwrap();
    let files = Files {
        layers: &[("layer", &layer)],
        project: None,
        complete: false,
        libraries: Some(&libraries),
    };
    let messages: Vec<_> = check(&files).into_iter().map(|finding| finding.message).collect();
    assert_eq!(
        messages,
        [
            "the library bushes, with 1 template of 1 object, is not here",
            "the library trees, with 1 template of 2 objects, is not here"
        ]
    );
}

/// In real files all counts are right, and all templates are listed.
#[test]
fn real_files_have_no_wrong_counts() {
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        let name = &*sample.name;
        let is_project = Project::of(&document).is_ok();
        let layers = [(name, &document)];
        let files = Files {
            project: is_project.then_some((name, &document)),
            layers: if is_project { &[] } else { &layers },
            complete: false,
            libraries: None,
        };
        for finding in check(&files) {
            assert_eq!(finding.kind.name(), "path.profile", "{finding}");
        }
    });
}
