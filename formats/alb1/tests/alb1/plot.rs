//! Projects drawn as pictures.

use formwork_alb1::Document;
use formwork_alb1::terrain::{KeyPoint, ObjectLayer, Project, Root, ShapeLayer, hash};
use formwork_alb1::tree::{BoundingBox, Colour, Grid, Object, Tree, Version};
use formwork_terrain::object_list::Filter;
use formwork_terrain::plot::{ColourBy, Drawn, Picture, Plot};

use crate::corpus::each_sample;
use crate::terrain::{layer, project, shapes, text};

/// Checks that a picture is XML of one element, whatever its contents, and not too large.
fn check(picture: &Picture, name: &str) {
    let svg = &picture.svg;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{name}");
    assert!(svg.len() < 4_000_000, "{name}: {} bytes", svg.len());
    for wrong in ["NaN", "inf", "\u{0}"] {
        assert!(!svg.contains(wrong), "{name}: {wrong}");
    }
    let mut open = 0_i32;
    for (position, _) in svg.match_indices('<') {
        let rest = &svg[position..];
        let end = rest.find('>').unwrap();
        open += match (rest.starts_with("</"), rest[..end].ends_with('/')) {
            (true, _) => -1,
            (_, true) => 0,
            _ => 1,
        };
    }
    assert_eq!(open, 0, "{name}");
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_file_is_drawn() {
    each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        let project = Project::of(&document).ok();
        let layer = ObjectLayer::of(&document).ok();
        let shapes = ShapeLayer::of(&document).ok();
        for (colour_by, drawn) in
            [(ColourBy::Template, Drawn::Fitting), (ColourBy::Layer, Drawn::Density)]
        {
            let plot = Plot {
                title: sample.name.clone(),
                project: project.as_ref(),
                layers: layer.iter().collect(),
                shapes: shapes.iter().collect(),
                colour_by,
                drawn,
                ..Plot::default()
            };
            let picture = plot.draw().unwrap();
            check(&picture, &sample.name);
            if let Some(layer) = &layer {
                let placed =
                    formwork_alb1::tree::objects(&layer.tree, layer.tree_version()).count();
                assert_eq!(picture.objects + picture.outside, placed, "{}", sample.name);
            }
        }
    });
}

/// Returns a layer with `count` objects at these places.
fn filled(count: u32, place: impl Fn(u32) -> [f64; 2]) -> ObjectLayer {
    let mut layer = layer();
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]).with_levels(3, 14).unwrap();
    let object = |id| {
        let [x, y] = place(id);
        (
            hash(if id % 3 == 0 { b"t_oak" } else { b"b_elder" }),
            Object { id, x, y, ..Object::default() },
        )
    };
    let tree = Tree::build(&grid, (0..count).map(object), |_| Colour::from(0)).unwrap();
    layer.set_tree(&tree).unwrap();
    layer
}

/// A number that looks random, from 0 to below `end`.
fn scattered(number: u32, end: f64) -> f64 {
    let mixed = (u64::from(number) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64 * end
}

#[test]
fn a_picture_of_many_objects_stays_small() {
    let layer = filled(400_000, |id| {
        [200_000.0 + scattered(id, 10_240.0), scattered(id ^ 0x5555_5555, 10_240.0)]
    });
    let plot = Plot { layers: vec![&layer], ..Plot::default() };
    let density = plot.draw().unwrap();
    assert!(density.is_density);
    assert_eq!(density.objects, 400_000);
    check(&density, "density");
    let dots = Plot { drawn: Drawn::Dots, ..plot }.draw().unwrap();
    assert!(!dots.is_density);
    check(&dots, "dots");
}

#[test]
fn everything_of_a_project_is_in_its_picture() {
    let (mut project, shapes) = (project(), shapes());
    let point = KeyPoint {
        name: text("camp"),
        text: text("Camp <A> & \"B\"\u{7}"),
        position: [200_500.0, 500.0],
        ..KeyPoint::default()
    };
    project.objects.key_points.points.push(point);
    let layer = filled(4, |id| [200_100.0 + f64::from(id) * 100.0, 300.0]);
    let plot = Plot {
        title: "island".into(),
        project: Some(&project),
        layers: vec![&layer],
        shapes: vec![&shapes],
        ..Plot::default()
    };
    let picture = plot.draw().unwrap();
    check(&picture, "island");
    for expected in [
        "Camp &lt;A&gt; &amp; &quot;B&quot;\u{fffd}",
        ">t_oak<",
        ">b_elder<",
        ">placed roads<",
        ">200 m<",
        ">200400<",
        "4 objects; coordinates in metres",
    ] {
        assert!(picture.svg.contains(expected), "{expected}\n{}", picture.svg);
    }
    assert_eq!(picture, plot.draw().unwrap());
}

#[test]
fn a_picture_of_nothing_or_of_wild_numbers_is_one_all_the_same() {
    check(&Plot::default().draw().unwrap(), "nothing");
    let mut project = project();
    for bounds in [[f64::NAN; 4], [-1e308, -1e308, 1e308, 1e308], [5.0, 5.0, 5.0, 5.0]] {
        project.objects.map_frames.frames[0].bounds = bounds;
        let roads = &mut project.objects.placed_roads.roads;
        (roads[0].position, roads[0].orientation) = ([f64::INFINITY, 0.0], f64::NAN);
        let mut turned = roads[0].clone();
        turned.position = [200_000.0, 0.0];
        roads.push(turned);
        let plot = Plot { project: Some(&project), ..Plot::default() };
        check(&plot.draw().unwrap(), "wild");
    }
    let layer = filled(1, |_| [200_000.0, 0.0]);
    let bounds = BoundingBox { x0: 300_000.0, y0: 0.0, x1: 300_000.0, y1: 0.0 };
    let plot = Plot {
        layers: vec![&layer],
        bounds: Some(bounds),
        filter: Filter::default(),
        ..Plot::default()
    };
    let picture = plot.draw().unwrap();
    check(&picture, "elsewhere");
    assert_eq!((picture.objects, picture.outside), (0, 1));
}

/// The width of a picture, and the sizes of its letters.
fn sizes(svg: &str) -> (f64, Vec<&str>) {
    let after = |text: &'static str| {
        let parts = svg.match_indices(text).map(move |(at, _)| &svg[at + text.len()..]);
        parts.map(|rest| rest.split(['"', 'p']).next().unwrap())
    };
    let width = after(" width=\"").next().unwrap().parse().unwrap();
    (width, after("font-size=\"").chain(after("font-size:")).collect())
}

#[test]
fn a_picture_is_laid_out_for_its_width_with_letters_of_one_size() {
    let (mut project, shapes) = (project(), shapes());
    let frame = [200_000.0, 0.0, 205_120.0, 5120.0];
    project.objects.map_frames.frames[0].bounds = frame;
    let layer = filled(40, |id| [200_100.0 + f64::from(id) * 100.0, 300.0]);
    let plot = |width| Plot {
        title: "island".into(),
        project: Some(&project),
        layers: vec![&layer],
        shapes: vec![&shapes],
        width,
        ..Plot::default()
    };
    let large = plot(Plot::WIDTH).draw().unwrap();
    let large = sizes(&large.svg).1;
    for width in [240, 420, 759, 760, 1000, 1360, 4000] {
        let picture = plot(width).draw().unwrap();
        check(&picture, &width.to_string());
        let (drawn, letters) = sizes(&picture.svg);
        assert!((drawn - f64::from(width)).abs() < 0.5, "{width}: {drawn}");
        assert_eq!(letters, large, "{width}");
        for expected in [">N</text>", ">t_oak<", ">b_elder<", "40 objects; coordinates in metres"] {
            assert!(picture.svg.contains(expected), "{width}: {expected}");
        }
    }
}

#[test]
fn names_of_places_never_stand_on_each_other() {
    let mut project = project();
    let point = |number: i32| KeyPoint {
        name: text(&format!("place {number}")),
        position: [200_500.0 + f64::from(number % 7), 500.0 + f64::from(number / 7)],
        ..KeyPoint::default()
    };
    project.objects.key_points.points = (0..60).map(point).collect();
    let picture = Plot { project: Some(&project), ..Plot::default() }.draw().unwrap();
    check(&picture, "places");
    // Each has its mark with a title, and few have room for a name.
    assert_eq!(picture.svg.matches("<title>place ").count(), 60);
    let names = picture.svg.matches(">place ").count() - 60;
    assert!((1..20).contains(&names), "{names}");
}
