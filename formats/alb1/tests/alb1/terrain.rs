//! Typed views: read, stored back, changed, made from nothing.

use formwork_alb1::terrain;
use formwork_alb1::terrain::{
    AttributeKind, CLASSES, CenterDelta, Class, Content, CrossDefinition, Known, MapFrame,
    ObjectLayer, PlacedRoad, Polygon, Polyline, Project, Raster, RoadCurve, RoadDefinition,
    RoadPart, RoadStraight, RoadTerminator, Root, Shape, ShapeLayer, Templates, Vertex, class,
    hash,
};
use formwork_alb1::tree;
use formwork_alb1::tree::{Colour, Tree};
use formwork_alb1::{Document, Field, Object, Text, Value};

use crate::corpus::each_sample;

pub(crate) fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

/// A project with something of every class.
pub(crate) fn project() -> Project {
    let mut project = Project::new(text("island"));
    project.libraries = vec![text("templatelibs\\trees.tml")];
    let mut frame = MapFrame { name: text("island"), size: 1024, ..MapFrame::default() };
    frame.bounds = [200000.0, 0.0, 201024.0, 1024.0];
    frame.configuration.export_folder = text("p:\\island");
    frame.configuration.tile_mask = vec![true, false, true, false];
    frame.configuration.allowed_mask = vec![true; 4];
    frame.configuration.generated_mask = vec![false; 4];
    project.objects.map_frames.frames.push(frame);
    let part = |name: &str| (text(name), text(&format!("dz\\roads\\{name}.p3d")));
    let (name, model) = part("asf_6");
    let straight = RoadStraight { name, model, can_bank: true, ..RoadStraight::default() };
    let (name, model) = part("asf_10 25");
    let curve = RoadCurve { name, model, ..RoadCurve::default() };
    let (name, model) = part("asf_end");
    let terminator = RoadTerminator { name, model: model.clone(), ..RoadTerminator::default() };
    let base = &mut project.objects.road_base;
    base.roads.push(RoadDefinition {
        name: text("asphalt"),
        colour: 0xFF00_80FF.into(),
        straights: vec![straight],
        curves: vec![curve],
        terminators: vec![terminator],
        ..RoadDefinition::default()
    });
    base.crossroads.push(CrossDefinition {
        name: text("crossing"),
        model: text("dz\\roads\\kr_t.p3d"),
        kind: 2,
        connect_c: -1,
        connect_d: -1,
        ..CrossDefinition::default()
    });
    project.objects.placed_roads.roads.push(PlacedRoad {
        position: [200010.0, 20.0],
        kind: 3,
        model: model.clone(),
        direction_a: vec![RoadPart { kind: 8, model, ..RoadPart::default() }],
        ..PlacedRoad::default()
    });
    project.objects.key_points.points.push(Default::default());
    let delta = CenterDelta { x: 0.5, ..CenterDelta::default() };
    project.objects.center_deltas.insert(text("dz\\rock.p3d"), delta);
    let raster = Raster { name: text("P:\\island\\sat.png"), id: 7, ..Raster::default() };
    project.world.contents.rasters.insert(7, raster);
    project
}

/// A shape layer with something of every class.
pub(crate) fn shapes() -> ShapeLayer {
    let mut layer = ShapeLayer::new(text("fields"));
    let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
    let mut polygon = Polygon::new(text("first"), corners.to_vec());
    polygon.attributes.set(text("__LAYER"), text("fields"), AttributeKind::Text);
    polygon.attributes.set(text("__ID"), text("1"), AttributeKind::Integer);
    layer.shapes.push(Shape::Polygon(polygon));
    layer.shapes.push(Shape::Polyline(Polyline::new(text("second"), corners[..2].to_vec())));
    layer
}

pub(crate) fn layer() -> ObjectLayer {
    let mut layer = ObjectLayer::new(text("trees"), 1_400_000_000).unwrap();
    layer.add_template(text("t_oak"), text("trees"));
    layer.add_template(text("b_elder"), text("bushes"));
    layer
}

fn documents() -> [Document; 3] {
    [
        project().to_document().unwrap(),
        shapes().to_document().unwrap(),
        layer().to_document().unwrap(),
    ]
}

/// Reads the root and stores it back.
fn stored_back(document: &mut Document) -> formwork::Result<()> {
    match &*document.class_name(&document.root) {
        "CVisitor4Project" => Project::of(document)?.store_in(document),
        "CAreaLayer" => ShapeLayer::of(document)?.store_in(document),
        _ => ObjectLayer::of(document)?.store_in(document),
    }
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_file_stays_as_it_is_when_it_is_stored_back() {
    let count = each_sample(|sample| {
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        stored_back(&mut document).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
        assert!(document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
    });
    println!("{count} real files");
}

/// Without addresses, everything of a real file is in its struct: a new document made of that has
/// the same fields with the same values.
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_file_can_be_made_again_from_nothing() {
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        let mut made = match &*document.class_name(&document.root) {
            "CVisitor4Project" => Project::of(&document).unwrap().to_document(),
            "CAreaLayer" => ShapeLayer::of(&document).unwrap().to_document(),
            _ => ObjectLayer::of(&document).unwrap().to_document(),
        }
        .unwrap();
        let mut document = document;
        assert!(document.header == made.header, "{}", sample.name);
        forget_addresses(&mut document.root);
        forget_addresses(&mut made.root);
        assert!(document.is_identical(&made), "{}", sample.name);
    });
}

fn forget_addresses(object: &mut Object) {
    object.address = 0;
    object.fields.iter_mut().for_each(forget_addresses_of);
}

fn forget_addresses_of(field: &mut Field) {
    match &mut field.value {
        Value::Object(object) => forget_addresses(object),
        Value::Array(fields) => fields.iter_mut().for_each(forget_addresses_of),
        Value::Pair(pair) => pair.iter_mut().for_each(forget_addresses_of),
        _ => {}
    }
}

#[test]
fn new_documents_are_complete_and_read_back() {
    for mut document in documents() {
        let bytes = document.to_vec().unwrap();
        let read = Document::from_slice(&bytes).unwrap();
        assert!(read.is_identical(&document));
        check_class(&document, &document.root);
        stored_back(&mut document).unwrap();
        assert!(read.is_identical(&document));
    }
    let mut read = Project::of(&project().to_document().unwrap()).unwrap();
    assert_eq!(read.objects.map_frames.frames[0].configuration.mask_count, 4);
    read.version = 20;
    assert_eq!(read.to_document().unwrap().header.project_version, 20);
}

/// An object has exactly the fields of its class, in order, of the right types, and an address.
fn check_class(document: &Document, object: &Object) {
    let class = class(&document.class_name(object)).unwrap();
    assert_ne!(object.address, 0);
    let there = object
        .fields
        .iter()
        .map(|field| (document.tags.display(field.tag).into_owned(), field.value.field_type()));
    let declared =
        class.fields.iter().map(|field| (field.tag.to_owned(), field.content.field_type()));
    assert_eq!(there.collect::<Vec<_>>(), declared.collect::<Vec<_>>());
    for field in &object.fields {
        check_classes_in(document, field);
    }
}

fn check_classes_in(document: &Document, field: &Field) {
    match &field.value {
        Value::Object(object) => check_class(document, object),
        Value::Array(fields) => fields.iter().for_each(|field| check_classes_in(document, field)),
        Value::Pair(pair) => pair.iter().for_each(|field| check_classes_in(document, field)),
        _ => {}
    }
}

#[test]
fn the_classes_are_those_of_the_dictionary() {
    let document = Document::new("CLayer");
    let names: Vec<_> = document.classes.entries().map(|(_, name)| name.to_str()).collect();
    let declared: Vec<_> = CLASSES.iter().map(|class| class.name).collect();
    assert_eq!(names, declared);
    for Class { name, known, fields, .. } in CLASSES {
        assert_eq!(fields.is_empty(), *known == Known::ByName, "{name}");
        for (position, field) in fields.iter().enumerate() {
            assert!(document.tags.id(field.tag).is_some(), "{name}: {}", field.tag);
            let before = fields[..position].iter().filter(|other| other.tag == field.tag).count();
            assert_eq!(field.occurrence, before, "{name}: {}", field.tag);
            check_content(&field.content);
        }
    }
}

fn check_content(content: &Content) {
    match content {
        Content::Object(name) => assert!(class(name).is_some(), "{name}"),
        Content::AnyOf(names) => assert!(names.iter().all(|name| class(name).is_some())),
        Content::List(content) => check_content(content),
        Content::Pairs(key, data) => {
            check_content(key);
            check_content(data);
        }
        _ => {}
    }
}

#[test]
fn only_what_changed_is_written() {
    let mut document = project().to_document().unwrap();
    // What no class knows: a field in an element of a list, another byte for "true", a wrong count.
    let unknown = Field::new(60000, Value::Empty);
    let mut first = Project::of(&document).unwrap();
    first.objects.map_frames.frames[0].configuration.mask_count = 9;
    first.store_in(&mut document).unwrap();
    let frame = element(&mut document, &["objManager", "mapFrame", "mframe"], 0);
    frame.fields.insert(1, unknown.clone());
    let before = document.clone();

    let mut project = Project::of(&document).unwrap();
    assert_eq!(project.objects.map_frames.frames[0].configuration.mask_count, 9);
    project.store_in(&mut document).unwrap();
    assert!(document.is_identical(&before));

    // A new frame before the old one: the old one keeps its address and its unknown fields.
    let old = project.objects.map_frames.frames[0].clone();
    let new = MapFrame { address: 0, name: text("sea"), ..old.clone() };
    project.objects.map_frames.frames.insert(0, new);
    project.objects.map_frames.frames[1].configuration.tile_mask.pop();
    project.store_in(&mut document).unwrap();
    let frame = element(&mut document, &["objManager", "mapFrame", "mframe"], 1);
    assert_eq!((frame.address, &frame.fields[1]), (old.address, &unknown));
    let read = Project::of(&document).unwrap();
    assert_eq!(read.objects.map_frames.frames[1].configuration.mask_count, 3);
    let address = read.objects.map_frames.frames[0].address;
    assert!(address != 0 && address != old.address);

    // After removing the new frame, nothing is left of it.
    project.objects.map_frames.frames.remove(0);
    project.objects.map_frames.frames[0].configuration.tile_mask = old.configuration.tile_mask;
    project.objects.map_frames.frames[0].configuration.mask_count = 9;
    project.store_in(&mut document).unwrap();
    let mut project = Project::of(&document).unwrap();
    assert_eq!(project.objects.map_frames.frames[0].configuration.mask_count, 4);
    project.objects.map_frames.frames[0].configuration.mask_count = 9;
    project.store_in(&mut document).unwrap();
    assert!(document.is_identical(&before));
}

/// An element of the array that these tags lead to from the root.
fn element<'d>(document: &'d mut Document, tags: &[&str], index: usize) -> &'d mut Object {
    let mut object = &mut document.root;
    for tag in tags {
        let id = document.tags.id(tag).unwrap();
        object = match object.get_mut(id).unwrap() {
            Value::Object(object) => object,
            Value::Array(fields) => match &mut fields[index].value {
                Value::Object(object) => object,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
    }
    object
}

#[test]
fn pairs_are_found_again_by_their_key() {
    let mut document = layer().to_document().unwrap();
    let mut layer = ObjectLayer::of(&document).unwrap();
    let names: Vec<_> = layer.templates.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, ["b_elder", "t_oak"]);
    layer.add_template(text("b_hazel"), text("bushes"));
    layer.templates.remove("t_oak");
    layer.store_in(&mut document).unwrap();
    let read = ObjectLayer::of(&document).unwrap();
    assert_eq!(read, layer);
    let names: Vec<_> = read.templates.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, ["b_elder", "b_hazel"]);
    assert_eq!(read.libraries.len(), 2);
    check_class(&document, &document.root);
}

#[test]
fn attributes_keep_the_order_of_their_table_in_step() {
    let mut document = shapes().to_document().unwrap();
    let mut layer = ShapeLayer::of(&document).unwrap();
    let Shape::Polygon(polygon) = &mut layer.shapes[0] else { panic!() };
    let attributes = &mut polygon.attributes;
    assert_eq!(attributes.order, text("__LAYER;__ID;"));
    let sorted: Vec<_> = attributes.values.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(sorted, ["__ID", "__LAYER"]);
    attributes.set(text("A"), text("0.5"), AttributeKind::Number);
    attributes.set(text("__ID"), text("2"), AttributeKind::Integer);
    assert_eq!(attributes.remove("__LAYER").unwrap().value, text("fields"));
    assert_eq!(attributes.order, text("__ID;A;"));
    let in_order: Vec<_> = attributes.in_order().iter().map(|one| one.name.to_string()).collect();
    assert_eq!(in_order, ["__ID", "A"]);
    layer.store_in(&mut document).unwrap();
    let read = ShapeLayer::of(&document).unwrap();
    assert_eq!(read.shapes[0].attributes().unwrap().get("__ID"), Some(&text("2")));
}

#[test]
fn vertex_counts_follow_the_vertices() {
    let mut document = shapes().to_document().unwrap();
    let mut layer = ShapeLayer::of(&document).unwrap();
    let Shape::Polyline(line) = &mut layer.shapes[1] else { panic!() };
    line.vertices.insert(1, Vertex::at(5.0, 5.0));
    layer.store_in(&mut document).unwrap();
    let read = ShapeLayer::of(&document).unwrap();
    assert_eq!(read.shapes[1].vertex_count(), Some(3));
    check_class(&document, &document.root);
    // The others kept their addresses, and the new one has a different one.
    let addresses: Vec<_> = read.shapes[1].vertices().iter().map(|one| one.address).collect();
    let Shape::Polyline(line) = &layer.shapes[1] else { panic!() };
    assert_eq!((addresses[0], addresses[2]), (line.vertices[0].address, line.vertices[2].address));
    assert!(addresses[1] != 0 && addresses[1] != addresses[0] && addresses[1] != addresses[2]);
}

#[test]
fn what_does_not_fit_its_class_is_named_with_its_path() {
    let whole = project().to_document().unwrap();
    let path = ["objManager", "mapFrame", "mframe"];
    let name = whole.tags.id("name").unwrap();
    let mut missing = whole.clone();
    element(&mut missing, &path, 0).fields.remove(0);
    let mut wrong = whole.clone();
    *element(&mut wrong, &path, 0).get_mut(name).unwrap() = Value::SignedInt(3);
    let mut class = whole.clone();
    element(&mut class, &path, 0).class = 3;
    let mut count = whole.clone();
    let bounds = count.tags.id("mpos").unwrap();
    *element(&mut count, &path, 0).get_mut(bounds).unwrap() =
        Value::ArrayOfDouble(vec![0.0; 3].into());
    for (document, path, expected, found) in [
        (&missing, "objManager.mapFrame.mframe[0].name", "a field of type string", "no such field"),
        (&wrong, "objManager.mapFrame.mframe[0].name", "string", "a field of type signed int"),
        (
            &class,
            "objManager.mapFrame.mframe[0]",
            "an object of class SMapFrame",
            "an object of class CVisitor4Project",
        ),
        (&count, "objManager.mapFrame.mframe[0].mpos", "4 numbers", "3"),
    ] {
        let error = Project::of(document).unwrap_err();
        assert_eq!(error.rule(), terrain::rule::CLASS);
        let says = (error.path().to_string(), error.expected(), error.found());
        assert_eq!(says, (path.to_owned(), expected, found));
    }
    let mut second = layer().to_document().unwrap();
    second.root.fields.remove(10);
    let error = ObjectLayer::of(&second).unwrap_err();
    assert_eq!(error.path().to_string(), "libs[1]");
}

#[test]
fn a_document_with_other_ids_is_changed_by_its_own_names() {
    let mut document = shapes().to_document().unwrap();
    let mut tags = formwork_alb1::Table::from_iter([]);
    for (id, name) in document.tags.entries() {
        tags.push(id + 1000, name.clone());
    }
    document.tags = tags;
    document.root.fields.iter_mut().for_each(renumber);
    let mut layer = ShapeLayer::of(&document).unwrap();
    layer.shapes.remove(0);
    layer.store_in(&mut document).unwrap();
    assert_eq!(ShapeLayer::of(&document).unwrap().shapes.len(), 1);
    check_class(&document, &document.root);
}

fn renumber(field: &mut Field) {
    field.tag += 1000;
    match &mut field.value {
        Value::Object(object) => object.fields.iter_mut().for_each(renumber),
        Value::Array(fields) => fields.iter_mut().for_each(renumber),
        Value::Pair(pair) => pair.iter_mut().for_each(renumber),
        _ => {}
    }
}

#[test]
fn objects_have_the_names_of_their_templates() {
    let mut layer = layer();
    assert_eq!(layer.objects(&Templates::new()).count(), 0);
    let mut tree = Tree::read(&layer.tree, layer.tree_version()).unwrap();
    for (id, name) in [(3, "t_oak"), (9, "b_elder"), (4, "gone")] {
        let object = tree::Object { x: 200_500.0, y: 700.0, id, ..tree::Object::default() };
        tree.insert(hash(name.as_bytes()), object, |_| Colour::from(0)).unwrap();
    }
    layer.set_tree(&tree).unwrap();
    assert_eq!((layer.object_count, layer.next_object_id), (3, 10));
    let templates = Templates::from_layer(&layer);
    let mut found: Vec<_> = layer
        .objects(&templates)
        .map(|object| object.unwrap())
        .map(|object| (object.object.id, object.template.map(Text::to_string)))
        .collect();
    found.sort();
    let [oak, elder] = ["t_oak", "b_elder"].map(|name| Some(name.to_owned()));
    assert_eq!(found, [(3, oak), (4, None), (9, elder)]);
}

/// Review alb1-cli, row 6: one object had fields of two classes.
#[test]
fn a_view_goes_only_into_an_object_of_its_class() {
    let layer = ObjectLayer::new(text("trees"), 1).unwrap();
    let mut document = project().to_document().unwrap();
    let before = document.clone();
    let error = layer.store_in(&mut document).unwrap_err();
    assert_eq!(error.rule(), terrain::rule::CLASS);
    assert_eq!(error.expected(), "an object of class CLayer");
    assert_eq!(error.found(), "an object of class CVisitor4Project");
    assert!(document.is_identical(&before));

    let mut shapes = ShapeLayer::new(text("fields"));
    let corners = [(0.0, 0.0), (10.0, 0.0)].map(|(x, y)| Vertex::at(x, y)).to_vec();
    shapes.shapes.push(Shape::Polygon(Polygon::new(text("field"), corners.clone())));
    let mut document = shapes.to_document().unwrap();
    let mut shapes = ShapeLayer::of(&document).unwrap();
    let polyline = |address| {
        Shape::Polyline(Polyline { address, ..Polyline::new(text("path"), corners.clone()) })
    };
    let Shape::Polygon(Polygon { address, .. }) = shapes.shapes[0] else { panic!("a polygon") };
    assert_ne!(address, 0);
    shapes.shapes[0] = polyline(address);
    let error = shapes.store_in(&mut document.clone()).unwrap_err();
    assert_eq!(error.found(), "an object of class CPolygonalArea");
    // As a new object it takes the place of the old one.
    shapes.shapes[0] = polyline(0);
    shapes.store_in(&mut document).unwrap();
    let again = ShapeLayer::of(&document).unwrap();
    assert!(matches!(&again.shapes[..], [Shape::Polyline(path)] if path.name == text("path")));
}
