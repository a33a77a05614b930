//! Finds faults that are planted in projects.

use formwork_alb1::finding::Severity;
use formwork_alb1::terrain::{
    Library, LibraryTemplate, ObjectLayer, Project, Root, Shape, ShapeLayer, Templates, Vertex,
    hash,
};
use formwork_alb1::tree;
use formwork_alb1::tree::{Colour, Tree};
use formwork_alb1::{Document, Finding};
use formwork_terrain::check::{Files, check};
use formwork_terrain::object_change::Shift;
use formwork_terrain::object_list::Filter;
use formwork_terrain::statistics::ShapeStatistics;
use formwork_terrain::{MapArea, OutsideShapes};

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

/// Moves the shapes of a layer into the map frame.
fn on_map(mut layer: ShapeLayer) -> ShapeLayer {
    let moved = Shift([200_000.0, 0.0]).shapes(&mut layer, &Filter::default());
    assert_eq!(moved.unwrap(), layer.shapes.len());
    layer
}

#[test]
fn vertices_outside_the_map_are_found_except_those_of_deleted_shapes() {
    let project = project().to_document().unwrap();
    let mut layer = on_map(shapes());
    let Shape::Polyline(line) = &mut layer.shapes[1] else { panic!() };
    line.vertices[1].center[0] = 211_000.0;
    line.vertices.push(Vertex::at(200_000.0, f64::NAN));
    // Cut at the border, and rounded.
    line.vertices.push(Vertex::at(201_024.000_006, -1e-9));
    let messages = |layer: &ShapeLayer| -> Vec<String> {
        let document = layer.to_document().unwrap();
        let files = Files {
            project: Some(("project", &project)),
            layers: &[("fields", &document)],
            complete: false,
            libraries: None,
        };
        check(&files).iter().map(|it| format!("{}: {}", it.path, it.message)).collect()
    };
    assert_eq!(
        messages(&layer),
        [
            "mareas[1].mpVertices[1]: vertices outside every map frame: 2, the first of second at 211000, 0"
        ]
    );
    let map = MapArea::of(&Project::of(&project).unwrap());
    let outside = OutsideShapes::of(&layer, &map).unwrap();
    assert_eq!((outside.vertices, outside.shapes, outside.first), (2, 1, (1, 1)));
    assert_eq!(ShapeStatistics::of(&layer, &map).outside, 2);
    let Shape::Polyline(line) = &mut layer.shapes[1] else { panic!() };
    line.deleted = true;
    assert_eq!(messages(&layer), [""; 0]);
    assert_eq!(ShapeStatistics::of(&layer, &map).outside, 0);
}

/// Four cells are enough, and 0 means that there is no texture layer yet.
#[test]
fn a_texture_layer_below_four_cells_is_found() {
    let with = |grid_x: f64, grid_z: f64| {
        let mut project = project();
        let frame = &mut project.objects.map_frames.frames[0];
        (frame.configuration.grid_x, frame.configuration.grid_z) = (grid_x, grid_z);
        let document = project.to_document().unwrap();
        found(&document, &[], None)
            .into_iter()
            .filter(|it| !it.contains("objects.total"))
            .collect::<Vec<_>>()
    };
    let at = |tag| {
        vec![format!("project objManager.mapFrame.mframe[0].config.{tag} texture_layer.size")]
    };
    for enough in [0.0, 4.0, 4.0 - 1e-12, 40.0] {
        assert_eq!(with(enough, enough), [""; 0]);
    }
    assert_eq!(with(3.75, 3.75), at("gridX"));
    assert_eq!(with(4.0, 2.0), at("gridZ"));
    let mut finer = project();
    let frame = &mut finer.objects.map_frames.frames[0];
    (frame.size, frame.configuration.grid_x) = (512, 6.0);
    let findings = check(&Files {
        project: Some(("project", &finer.to_document().unwrap())),
        layers: &[],
        complete: false,
        libraries: None,
    });
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(
        finding.message,
        "the texture layer has cells of 6 m, which is less than 4 cells of 2 m (8 m)"
    );
    assert_eq!(finding.kind.severity(), Severity::Advice);
}

#[test]
fn a_sound_project_has_no_findings() {
    let mut sound = project();
    sound.objects.total_object_count = 1;
    let layer = filled(&[("t_oak", 200_500.0, 500.0)]).to_document().unwrap();
    let shapes = on_map(shapes()).to_document().unwrap();
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
            "b mareas[0].mpVertices[0] shape.outside",
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
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
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
            let known = ["path.profile", "texture_layer.size"];
            assert!(known.contains(&finding.kind.name()), "{finding}");
        }
    });
}
