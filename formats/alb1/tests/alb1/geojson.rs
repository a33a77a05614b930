//! Shapes and key points out as GeoJSON and in again.

use formwork_alb1::Document;
use formwork_alb1::terrain::{
    AttributeKind, KeyPoint, Polygon, Polyline, Project, Root, Shape, ShapeLayer, Vertex,
};
use formwork_terrain::geojson::{
    FeatureCollection, Features, Origin, Placing, PutFeatures, ReadGeometry, key_points,
    put_key_points, put_shapes, shapes,
};
use formwork_terrain::object_list::Mode;
use formwork_terrain::rule;

use crate::corpus::each_sample;
use crate::terrain::text;

const ORIGIN: Origin = Origin { map: [200_000.0, 0.0], world: [512_345.678, 5_403_210.123] };

fn written(layer: &ShapeLayer, origin: Option<Origin>) -> Vec<u8> {
    let placing = Placing { origin, crs: origin.map(|_| "EPSG:32633".into()) };
    serde_json::to_vec(&FeatureCollection::new(shapes(layer), placing)).unwrap()
}

fn points_written(points: &[KeyPoint], origin: Option<Origin>) -> Vec<u8> {
    let placing = Placing { origin, crs: None };
    serde_json::to_vec(&FeatureCollection::new(key_points(points), placing)).unwrap()
}

fn kept(kept: usize) -> PutFeatures {
    PutFeatures { kept, ..PutFeatures::default() }
}

fn sample() -> ShapeLayer {
    let mut layer = ShapeLayer::new(text("fields"));
    let corners = [(200_000.1, 0.2), (200_010.3, 0.0), (200_010.0, 10.7)];
    let corners = corners.map(|(x, y)| Vertex::at(x, y)).to_vec();
    let mut field = Polygon::new(text("field"), corners.clone());
    field.attributes.set(text("CROP"), text("wheat"), AttributeKind::Text);
    field.attributes.set(text("AREA"), text("0050"), AttributeKind::Integer);
    field.attributes.set(text("YIELD"), text("7.50"), AttributeKind::Number);
    field.fill_colour = 0x1234_5678.into();
    layer.shapes.push(Shape::Polygon(field));
    layer.shapes.push(Shape::Polyline(Polyline::new(text("brook"), corners)));
    layer
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn shapes_and_key_points_of_every_real_file_come_back_with_every_byte() {
    each_sample(|sample| {
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        let name = &sample.name;
        for origin in [None, Some(ORIGIN)] {
            for mode in [Mode::Update, Mode::Mirror] {
                if let Ok(mut layer) = ShapeLayer::of(&document) {
                    let features = Features::read(&written(&layer, origin)).unwrap();
                    assert_eq!(features.origin, origin, "{name}");
                    let put = put_shapes(&mut layer, &features, features.origin, mode).unwrap();
                    assert_eq!(put, kept(layer.shapes.len()), "{name}");
                    layer.store_in(&mut document).unwrap();
                }
                if let Ok(mut project) = Project::of(&document) {
                    let points = &mut project.objects.key_points.points;
                    let features = Features::read(&points_written(points, origin)).unwrap();
                    let put = put_key_points(points, &features, origin, mode).unwrap();
                    assert_eq!(put, kept(points.len()), "{name}");
                    project.store_in(&mut document).unwrap();
                }
                assert!(document.to_vec().unwrap() == sample.bytes, "{name}");
            }
        }
    });
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn shapes_of_every_real_file_make_a_new_layer() {
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        let Ok(layer) = ShapeLayer::of(&document) else { return };
        let bytes = written(&layer, Some(ORIGIN));
        let features = Features::read(&bytes).unwrap();
        if features.features.iter().any(|feature| feature.geometry.is_none()) {
            return;
        }
        let mut new = ShapeLayer::new(layer.name.clone());
        let put = put_shapes(&mut new, &features, features.origin, Mode::Append).unwrap();
        assert_eq!(put.added, layer.shapes.len(), "{}", sample.name);
        let made = new.to_document().unwrap().to_vec().unwrap();
        let new = ShapeLayer::of(&Document::from_slice(&made).unwrap()).unwrap();
        let near = |one: &[Vertex], other: &[Vertex]| {
            one.iter().zip(other).all(|(one, other)| {
                (one.center[0] - other.center[0]).abs() < 1e-6
                    && (one.center[1] - other.center[1]).abs() < 1e-6
            })
        };
        for (old, new) in layer.shapes.iter().zip(&new.shapes) {
            assert_eq!(old.name(), new.name(), "{}", sample.name);
            assert!(near(old.vertices(), new.vertices()), "{}", sample.name);
            let attributes = |shape: &Shape| -> Vec<(String, String)> {
                let all = shape.attributes().unwrap().in_order();
                all.iter().map(|it| (it.name.to_string(), it.value.to_string())).collect()
            };
            assert_eq!(attributes(old).len(), attributes(new).len(), "{}", sample.name);
        }
    });
}

#[test]
fn only_what_a_feature_says_otherwise_changes() {
    let mut layer = sample();
    let bytes = written(&layer, None);
    let text_of = String::from_utf8(bytes).unwrap();
    let changed = text_of.replace("wheat", "rye").replace("200010.3", "200011.5");
    let features = Features::read(changed.as_bytes()).unwrap();
    let before = layer.clone();
    let put = put_shapes(&mut layer, &features, None, Mode::Update).unwrap();
    assert_eq!(put, PutFeatures { changed: 2, ..PutFeatures::default() });
    let (Shape::Polygon(old), Shape::Polygon(new)) = (&before.shapes[0], &layer.shapes[0]) else {
        panic!("a polygon");
    };
    assert_eq!(new.attributes.get("CROP").unwrap().to_str(), "rye");
    // Values that the file has in another spelling are not changed.
    assert_eq!(new.attributes.get("AREA").unwrap().to_str(), "0050");
    assert_eq!(new.attributes.get("YIELD").unwrap().to_str(), "7.50");
    assert_eq!(new.fill_colour, old.fill_colour);
    assert_eq!(new.vertices[1].center, [200_011.5, 0.0, 0.0]);
    assert_eq!(new.vertices[0], old.vertices[0]);
    assert_eq!(new.vertices.len(), 3);

    // A file that lacks a shape deletes it only where that is asked for.
    let mut features = features;
    features.features.truncate(1);
    let put = put_shapes(&mut layer, &features, None, Mode::Update).unwrap();
    assert_eq!(put, kept(2));
    let put = put_shapes(&mut layer, &features, None, Mode::Mirror).unwrap();
    assert_eq!((put.kept, put.removed, layer.shapes.len()), (1, 1, 1));
}

#[test]
fn features_of_other_programs_become_shapes_with_attributes() {
    let file = br#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "lake", "osm_id": 17, "depth": 2.5, "salt": false, "note": null},
         "geometry": {"type": "MultiPolygon", "coordinates": [
            [[[200000, 0], [200010, 0, 5.5], [200010, 10], [200000, 0]]],
            [[[200100, 0], [200110, 0], [200110, 10], [200100, 0]]]]}}]}"#;
    let features = Features::read(file).unwrap();
    let mut layer = ShapeLayer::new(text("lakes"));
    let put = put_shapes(&mut layer, &features, None, Mode::Update).unwrap();
    assert_eq!(put.added, 2);
    let Shape::Polygon(lake) = &layer.shapes[1] else { panic!("a polygon") };
    assert_eq!((lake.name.to_str(), lake.vertices.len()), ("lake".into(), 3));
    let attributes = lake.attributes.in_order();
    let attributes: Vec<(String, String, i32)> =
        attributes.iter().map(|it| (it.name.to_string(), it.value.to_string(), it.kind)).collect();
    let row = |name: &str, value: &str, kind| (name.to_owned(), value.to_owned(), kind);
    let expected = [
        row("osm_id", "17", 1),
        row("depth", "2.5", 2),
        row("salt", "false", 0),
        row("note", "", 0),
    ];
    assert_eq!(attributes, expected);
    let document = layer.to_document().unwrap();
    assert_eq!(ShapeLayer::of(&document).unwrap().shapes[0].vertex_count(), Some(3));
}

#[test]
fn what_no_shape_can_be_is_refused_with_its_place() {
    let feature = |geometry: &str, properties: &str| {
        format!(
            r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":{geometry},"properties":{properties}}}]}}"#
        )
    };
    let ring = "[[200000,0],[200010,0],[200010,10],[200000,0]]";
    let polygon = format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#);
    for (geometry, properties, path, expected) in [
        (
            r#"{"type":"Circle"}"#,
            "{}",
            "features[0].geometry.type",
            "Point, LineString, Polygon, or several of one of them",
        ),
        (
            r#"{"type":"Point","coordinates":[1,"x"]}"#,
            "{}",
            "features[0].geometry.coordinates",
            "two numbers: x and y",
        ),
        (
            r#"{"type":"Point","coordinates":[200000,5]}"#,
            "{}",
            "features[0].geometry",
            "a polygon or a line (points are key points)",
        ),
        (
            r#"{"type":"LineString","coordinates":[[200000,5]]}"#,
            "{}",
            "features[0].geometry",
            "a line of two points or more",
        ),
        (
            r#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
            "{}",
            "features[0].geometry",
            "a ring of four points or more that ends where it starts",
        ),
        (
            &format!(r#"{{"type":"Polygon","coordinates":[{ring},{ring}]}}"#),
            "{}",
            "features[0].geometry",
            "a polygon without holes, as Terrain Builder has none",
        ),
        ("null", "{}", "features[0].geometry", "a geometry"),
        (&polygon, r#"{"deleted":"no"}"#, "features[0].properties.deleted", "true or false"),
        (&polygon, r#"{"azimuth":1e300}"#, "features[0].properties.azimuth", "a finite number"),
        (
            &polygon,
            r#"{"name":"日本"}"#,
            "features[0].properties.name",
            "characters of Windows-1252",
        ),
        (&polygon, r#"{"tags":[1]}"#, "features[0].properties.attributes", "a text"),
        (
            &polygon,
            r#"{"a;b":1}"#,
            "features[0].properties.attributes",
            "names of Windows-1252 without a semicolon",
        ),
        (&polygon, r#"[]"#, "features[0].properties", "an object"),
    ] {
        let file = feature(geometry, properties);
        let mut layer = sample();
        let before = layer.clone();
        let error = Features::read(file.as_bytes())
            .and_then(|features| put_shapes(&mut layer, &features, None, Mode::Update))
            .unwrap_err();
        assert_eq!((error.path().to_string().as_str(), error.expected()), (path, expected));
        assert_eq!(error.rule(), rule::GEOJSON);
        assert_eq!(layer, before);
    }
    for (file, offset) in [("{\"type\":\n  oops}", 11), ("", 0), ("[1,", 2)] {
        let error = Features::read(file.as_bytes()).unwrap_err();
        assert_eq!(error.rule(), rule::GEOJSON, "{file}");
        assert!(error.offset().abs_diff(offset) <= 1, "{file}: {}", error.offset());
    }
    assert!(Features::read("[".repeat(100_000).as_bytes()).is_err());
    assert!(Features::read(b"{\"type\":\"Topology\"}").is_err());
    assert!(
        Features::read(br#"{"type":"FeatureCollection","features":[],"origin":{"map":[0]}}"#)
            .is_err()
    );
}

#[test]
fn key_points_are_known_again_by_their_names() {
    let mut points = vec![
        KeyPoint {
            name: text("camp"),
            position: [200_010.1, 20.2],
            kind: 3,
            address: 8,
            ..KeyPoint::default()
        },
        KeyPoint {
            name: text("mill"),
            position: [200_700.0, 80.0],
            address: 16,
            ..KeyPoint::default()
        },
    ];
    let file = br#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [200011, 21]}, "properties": {"name": "camp", "text": "Caf\u00e9"}},
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [200500, 50]}, "properties": {"name": "new", "size": [5, 6]}}]}"#;
    let features = Features::read(file).unwrap();
    assert_eq!(features.features[0].geometry, Some(ReadGeometry::Point([200_011.0, 21.0])));
    let put = put_key_points(&mut points, &features, None, Mode::Update).unwrap();
    assert_eq!(put, PutFeatures { kept: 1, changed: 1, added: 1, removed: 0 });
    assert_eq!((points[0].kind, points[0].address, points[0].position), (3, 8, [200_011.0, 21.0]));
    assert_eq!(
        (points[2].text.to_str(), points[2].size, points[2].visible),
        ("new".into(), [5.0, 6.0], true)
    );
    let put = put_key_points(&mut points, &features, None, Mode::Mirror).unwrap();
    assert_eq!(put, PutFeatures { kept: 2, changed: 0, added: 0, removed: 1 });

    for (properties, path) in [
        (r#"{"text": "x"}"#, "features[0].properties.name"),
        (r#"{"name": "x", "colour": 1}"#, "features[0].properties"),
        (r#"{"name": "x", "kind": 1.5}"#, "features[0].properties.kind"),
        (r#"{"name": "x", "size": [1]}"#, "features[0].properties.size"),
    ] {
        let file = format!(
            r#"{{"type":"Feature","geometry":{{"type":"Point","coordinates":[1,2]}},"properties":{properties}}}"#
        );
        let features = Features::read(file.as_bytes()).unwrap();
        let before = points.clone();
        let error = put_key_points(&mut points, &features, None, Mode::Update).unwrap_err();
        assert_eq!(error.path().to_string(), path);
        assert_eq!(points, before);
    }
}

#[test]
fn every_point_is_moved_from_the_world_to_the_map() {
    let json = br#"{"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1010, 2020]}},
        {"type": "Feature", "geometry": null},
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1000, 2000], [999, 2001]]}},
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [
            [[1000, 2000], [1100, 2000], [1100, 2100], [1000, 2000]],
            [[1010, 2010], [1020, 2010], [1020, 2020], [1010, 2010]]]}}]}"#;
    let mut features = Features::read(json).unwrap();
    let origin = Origin { map: [200_000.0, 50.0], world: [1_000.0, 2_000.0] };
    features.move_to_map(&origin);
    let found: Vec<_> = features.features.iter().map(|it| it.geometry.clone()).collect();
    let ring = |points: [[f64; 2]; 4]| points.map(|[x, y]| [200_000.0 + x, 50.0 + y]).to_vec();
    let outer = ring([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 0.0]]);
    let inner = ring([[10.0, 10.0], [20.0, 10.0], [20.0, 20.0], [10.0, 10.0]]);
    let expected = [
        Some(ReadGeometry::Point([200_010.0, 70.0])),
        None,
        Some(ReadGeometry::Line(vec![[200_000.0, 50.0], [199_999.0, 51.0]])),
        Some(ReadGeometry::Polygon(vec![outer, inner])),
    ];
    assert_eq!(found, expected);
    assert_eq!(features.origin, None);
}
