//! Types of road and crossroads, carried from one project to another.

use formwork_alb1::Document;
use formwork_alb1::terrain::{
    CrossDefinition, Project, RoadCurve, RoadDefinition, RoadPart, RoadStraight, Root,
};
use formwork_terrain::road_set::{RoadSet, RoadSetError, retype};

use crate::corpus::each_sample;
use crate::terrain::{project, text};

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_set_comes_back_from_json_and_yaml() {
    let mut roads = 0;
    each_sample(|sample| {
        if !sample.name.ends_with(".tv4p") {
            return;
        }
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        let mut project = Project::of(&document).unwrap();
        let set = RoadSet::of(&project).unwrap();
        assert_eq!(RoadSet::from_json(&set.to_json().unwrap()).unwrap(), set, "{}", sample.name);
        assert_eq!(RoadSet::from_yaml(&set.to_yaml().unwrap()).unwrap(), set, "{}", sample.name);
        roads += set.roads.len();
        // Replacing the roads by themselves changes nothing.
        set.put_into(&mut project, true).unwrap();
        project.store_in(&mut document).unwrap();
        assert!(document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
        // And into a new project they come whole.
        let mut other = Project::new(text("other"));
        set.put_into(&mut other, false).unwrap();
        assert_eq!(RoadSet::of(&other).unwrap(), set);
    });
    println!("{roads} types of road");
}

#[test]
fn texts_that_look_like_something_else_survive_yaml() {
    let mut set = RoadSet::of(&project()).unwrap();
    for name in ["no", "1.0", "~", "a: b # c", "- x", "#ff", "'", "\u{e9}\u{20ac}", "", " a "] {
        set.roads[0].name = name.into();
        set.crossroads[0].connects[0] = Some(name.into());
        assert_eq!(RoadSet::from_yaml(&set.to_yaml().unwrap()).unwrap(), set, "{name}");
        assert_eq!(RoadSet::from_json(&set.to_json().unwrap()).unwrap(), set, "{name}");
    }
}

/// A project that has two types of road before those of the set.
fn other() -> Project {
    let mut other = Project::new(text("other"));
    for name in ["gravel", "mud"] {
        let road = RoadDefinition { name: text(name), ..RoadDefinition::default() };
        other.objects.road_base.roads.push(road);
    }
    let crossing =
        CrossDefinition { name: text("old"), connect_b: 1, ..CrossDefinition::default() };
    other.objects.road_base.crossroads.push(crossing);
    other
}

#[test]
fn crossroads_connect_by_name() {
    let mut source = project();
    source.objects.road_base.crossroads[0].connect_b = -1;
    let set = RoadSet::of(&source).unwrap();
    let asphalt = Some("asphalt".to_owned());
    assert_eq!(set.crossroads[0].connects, [asphalt, None, None, None]);
    let mut document = other().to_document().unwrap();
    let mut target = Project::of(&document).unwrap();
    let put = set.put_into(&mut target, false).unwrap();
    assert_eq!((put.added, put.replaced), (2, 0));
    target.store_in(&mut document).unwrap();
    let base = Project::of(&document).unwrap().objects.road_base;
    let names: Vec<_> = base.roads.iter().map(|road| road.name.to_string()).collect();
    assert_eq!(names, ["gravel", "mud", "asphalt"]);
    let mut crossings = base.crossroads;
    assert_eq!(crossings[0].connections_mut().map(|it| *it), [0, 1, 0, 0]);
    assert_eq!(crossings[1].connections_mut().map(|it| *it), [2, -1, -1, -1]);
    assert_eq!(RoadSet::of(&target).unwrap().crossroads[1], set.crossroads[0]);
}

#[test]
fn the_same_name_is_refused_or_takes_the_place() {
    let mut target = project();
    let mut set = RoadSet::of(&target).unwrap();
    let before = target.clone();
    let names = vec!["asphalt".to_owned(), "crossing".to_owned()];
    assert_eq!(set.put_into(&mut target, false), Err(RoadSetError::Exists(names)));
    assert_eq!(target, before);

    // A curve more before the one that a placed road has: the road follows it.
    let placed = &mut target.objects.placed_roads.roads[0];
    placed.direction_a = vec![
        RoadPart { kind: 8, part: 0, ..RoadPart::default() },
        RoadPart { kind: 7, part: 0, ..RoadPart::default() },
        RoadPart { kind: 3, part: 0, ..RoadPart::default() },
        RoadPart { kind: 8, part: 99, ..RoadPart::default() },
    ];
    let curve = set.roads[0].curves[0].clone();
    let mut first = curve.clone();
    (first.name, first.model) = ("first".into(), "dz\\first.p3d".into());
    set.roads[0].curves = vec![first, curve];
    assert_eq!(set.put_into(&mut target, true).unwrap().replaced, 2);
    let parts = target.objects.placed_roads.roads[0].direction_a.iter().map(|part| part.part);
    assert_eq!(parts.collect::<Vec<_>>(), [1, 1, 0, 99]);
    let curves = &target.objects.road_base.roads[0].curves;
    assert_eq!(
        curves[0],
        RoadCurve { name: text("first"), model: text("dz\\first.p3d"), ..RoadCurve::default() }
    );

    // Without the part the road cannot stay.
    set.roads[0].straights.clear();
    let before = target.clone();
    let error = set.put_into(&mut target, true).unwrap_err();
    let expected = "asphalt: a road is placed with the part asf_6, which the new one lacks";
    assert_eq!(error.to_string(), expected);
    assert_eq!(target, before);
}

#[test]
fn what_cannot_be_said_is_refused() {
    let mut specials = project();
    let field = formwork_alb1::Field::new(1, formwork_alb1::Value::Empty);
    specials.objects.road_base.roads[0].specials.push(field);
    let mut nan = project();
    nan.objects.road_base.roads[0].max_angle = f64::NAN;
    let mut dangling = project();
    dangling.objects.road_base.crossroads[0].connect_d = 7;
    for (project, expected) in [
        (specials, "asphalt: it has special parts, whose form is not known"),
        (nan, "asphalt: NaN cannot be written"),
        (dangling, "crossing: it continues with type 7, which is not there"),
    ] {
        assert_eq!(RoadSet::of(&project).unwrap_err().to_string(), expected);
    }
    let set = RoadSet::of(&project()).unwrap();
    let mut colour = set.clone();
    colour.roads[0].colour = "red".into();
    let mut letters = set.clone();
    letters.roads[0].name = "日本".into();
    let mut unknown = set.clone();
    unknown.crossroads[0].connects[2] = Some("sand".into());
    let mut twice = set.clone();
    twice.roads.push(set.roads[0].clone());
    let mut bank = set.clone();
    bank.roads[0].curves[0].can_bank = Some(true);
    for set in [colour, letters, unknown, twice, bank] {
        let mut target = other();
        assert!(matches!(set.put_into(&mut target, true), Err(RoadSetError::Unrepresentable(..))));
        assert_eq!(target, other());
    }
    for text in ["roads: [{}]", "rods: []", "{", "roads: 3"] {
        assert!(matches!(RoadSet::from_yaml(text), Err(RoadSetError::Text(_))), "{text}");
    }
}

/// Review alb1-cli, row 11: the second crossroad took the place of the first, without a word.
#[test]
fn a_crossroad_that_a_set_has_twice_is_refused() {
    let mut set = RoadSet::of(&project()).unwrap();
    let mut second = set.crossroads[0].clone();
    second.model = "dz\\other.p3d".into();
    set.crossroads.push(second);
    let mut target = Project::new(text("new"));
    for replace in [false, true] {
        let error = set.put_into(&mut target, replace).unwrap_err();
        assert_eq!(error.to_string(), "crossing: the set has this name twice");
        assert_eq!(target, Project::new(text("new")));
    }
}

/// Review alb1-cli, row 10: a project took numbers with which it could not be written out again.
#[test]
fn a_number_that_is_not_finite_goes_into_no_project() {
    let yaml = RoadSet::of(&project()).unwrap().to_yaml().unwrap();
    for (field, number) in [
        ("max_angle:", ".nan"),
        ("max_bank:", ".inf"),
        ("radius:", "-.inf"),
        ("min:", ".nan"),
        ("max:", ".inf"),
        ("standard:", ".nan"),
    ] {
        let line =
            yaml.lines().find(|line| line.trim_start_matches("- ").trim().starts_with(field));
        let line = line.unwrap_or_else(|| panic!("{field} in {yaml}"));
        let start = &line[..line.find(field).unwrap() + field.len()];
        let set =
            RoadSet::from_yaml(&yaml.replacen(line, &format!("{start} {number}"), 1)).unwrap();
        let mut target = Project::new(text("new"));
        let error = set.put_into(&mut target, true).unwrap_err();
        assert!(error.to_string().ends_with("cannot be written"), "{error}");
        assert_eq!(target, Project::new(text("new")));
    }
}

/// A part is found again by the end of its name, wherever it is in the list.
#[test]
fn placed_roads_get_another_type_with_its_models() {
    let mut project = project();
    let straight = |name: &str| RoadStraight {
        name: text(name),
        model: text(&format!("dz\\roads\\{name}.p3d")),
        ..RoadStraight::default()
    };
    let objects = &mut project.objects;
    objects.road_base.roads[0].straights = vec![straight("asf_6"), straight("asf_12")];
    let dirt = RoadDefinition {
        name: text("dirt"),
        straights: vec![straight("ces_12"), straight("ces_6")],
        ..RoadDefinition::default()
    };
    objects.road_base.roads.push(dirt);
    let road = &mut objects.placed_roads.roads[0];
    (road.kind, road.model) = (3, text("DZ\\roads\\asf_12.p3d"));
    let part = |part: i32, name: &str| RoadPart {
        kind: 3,
        part,
        model: text(&format!("dz\\roads\\{name}.p3d")),
        ..RoadPart::default()
    };
    road.direction_a = vec![part(0, "asf_6"), part(1, "asf_12")];
    road.direction_b = vec![RoadPart { kind: 2, part: 9, ..RoadPart::default() }];
    let before = project.clone();
    let done = retype(&mut project, &[0], 1).unwrap();
    assert_eq!((done.roads, done.parts), (1, 4));
    let road = &project.objects.placed_roads.roads[0];
    assert_eq!((road.road, &road.model), (1, &text("dz\\roads\\ces_12.p3d")));
    let parts = |parts: &[RoadPart]| -> Vec<_> {
        parts.iter().map(|it| (it.part, it.model.to_string())).collect()
    };
    assert_eq!(
        parts(&road.direction_a),
        [(1, "dz\\roads\\ces_6.p3d".to_owned()), (0, "dz\\roads\\ces_12.p3d".to_owned())]
    );
    assert_eq!(road.direction_b, before.objects.placed_roads.roads[0].direction_b);
    // Back again, and nothing is done twice.
    retype(&mut project, &[0], 0).unwrap();
    project.objects.placed_roads.roads[0].model = text("DZ\\roads\\asf_12.p3d");
    assert_eq!(project, before);
    assert_eq!(retype(&mut project, &[0], 0).unwrap().roads, 0);
    assert_eq!(retype(&mut project, &[], 1).unwrap().roads, 0);
    // The other type has no curve.
    project.objects.placed_roads.roads[0].direction_c =
        vec![RoadPart { kind: 8, ..part(0, "asf_10 25") }];
    let curved = project.clone();
    assert!(matches!(retype(&mut project, &[0], 1), Err(RoadSetError::Unrepresentable(..))));
    assert!(retype(&mut project, &[0], 9).is_err());
    assert_eq!(project, curved);
}
