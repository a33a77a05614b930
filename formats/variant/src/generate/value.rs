//! Whole values: the choice of types, the nesting and end of containers, and the contents of typed ones.

#![deny(clippy::wildcard_enum_match_arm)]

use arbitrary::{Result, Unstructured};

use super::choice::{below, chance, one_of};
use super::kinds::Kinds;
use super::{Config, text};
use crate::dialect::{Dialect, NullObject, ObjectForms, Precision, Quirks};
use crate::{
    Builder, ElementType, Front, Making, Object, Real, Variant, VariantString, VariantType,
};
use formwork_records::limits::Limits;

/// Engine classes for objects, those first whose typed arrays may hold a placeholder object.
pub const CLASSES: &[&str] =
    &["EncodedObjectAsID", "RefCounted", "Object", "Reference", "Node", "Resource", "Sprite2D"];

/// Makes one value.
///
/// Containers under way are a list, not recursion: depth costs no stack.
pub(super) struct Generator<'u, 'a, 'c, R: Real> {
    pub(super) u: &'u mut Unstructured<'a>,
    pub(super) quirks: &'static Quirks,
    pub(super) config: &'c Config,
    /// Whether the components that the value holds are as wide as those on the wire.
    pub(super) same_width: bool,
    /// The allowed types that hold no values, and those that do.
    leaves: Kinds,
    containers: Kinds,
    /// The rest of the budgets.
    nodes: usize,
    pub(super) bytes: usize,
    depth: usize,
    /// The probability, in percent, that a nested value is a container.
    container_percent: u8,
    /// The probability, in percent, that a container has more than two elements.
    many_percent: u8,
    /// Whether the outermost container gets elements as long as there is something to make them of, and
    /// how many more its limits leave room for.
    fill: bool,
    room: usize,
    builder: Builder<R, Left>,
}

/// The rest of an open container.
struct Left {
    /// Elements, pairs or properties.
    count: usize,
    /// The number of values in each of them.
    values: usize,
}

/// The first result of making a value.
pub(super) enum Started<R: Real> {
    Whole(Variant<R>),
    /// A container that was opened, with elements to come.
    Opened,
}

impl<'u, 'a, 'c, R: Real> Generator<'u, 'a, 'c, R> {
    pub(super) fn new(u: &'u mut Unstructured<'a>, dialect: Dialect, config: &'c Config) -> Self {
        let quirks = dialect.quirks();
        let [leaves, containers] = Kinds::of(dialect, config.types);
        let engine = quirks.depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
        Self {
            u,
            quirks,
            config,
            same_width: R::DOUBLE == (dialect.precision() == Precision::Double),
            leaves,
            containers,
            nodes: config.max_nodes,
            bytes: config.max_bytes,
            depth: config.max_depth.min(engine) as usize,
            container_percent: 30,
            many_percent: 30,
            fill: false,
            room: 0,
            builder: Builder::new(),
        }
    }

    /// Any value.
    pub(super) fn value(mut self) -> Result<Variant<R>> {
        if self.u.is_empty() {
            return Ok(Variant::Nil);
        }
        let started = if chance(self.u, self.config.single_percent)? {
            self.container_percent = 0;
            self.many_percent = 10;
            let (leaves, containers) = (self.leaves.as_slice(), self.containers.as_slice());
            let index = below(self.u, leaves.len() + containers.len())?;
            let behind = index.saturating_sub(leaves.len());
            let Some(&chosen) = leaves.get(index).or_else(|| containers.get(behind)) else {
                return Ok(Variant::Nil);
            };
            self.start(chosen)?
        } else {
            (self.container_percent, self.many_percent) =
                *one_of(self.u, &[(40, 40), (97, 5), (15, 95), (60, 50)])?;
            self.fill = chance(self.u, self.config.fill_percent)?;
            match self.one_of_containers()? {
                Some(container) => self.start(container)?,
                None => self.start_any()?,
            }
        };
        self.complete(started)
    }

    /// A value of one type.
    pub(super) fn value_of(mut self, variant_type: VariantType) -> Result<Variant<R>> {
        let started = self.start(variant_type)?;
        self.complete(started)
    }

    /// Makes the elements that are still to come, and theirs.
    fn complete(&mut self, started: Started<R>) -> Result<Variant<R>> {
        let mut started = started;
        loop {
            if let Started::Whole(mut value) = started {
                // Puts the value into the container around it, and that into the next one if it is full now.
                loop {
                    let Some((making, left)) = self.builder.innermost() else { return Ok(value) };
                    // A key that is there already keeps its place and gets the new value.
                    making.put(value);
                    left.count -= usize::from(making.key().is_none());
                    if left.count > 0 || self.goes_on() {
                        break;
                    }
                    match self.builder.close() {
                        Some((making, _)) => value = self.finish(making)?,
                        None => break,
                    }
                }
            }
            started = self.next()?;
        }
    }

    /// Makes room for one more element of the outermost container, if it is full and must continue.
    fn goes_on(&mut self) -> bool {
        if self.builder.depth() > 1 {
            return false;
        }
        let Some((_, left)) = self.builder.innermost() else { return false };
        if self.room == 0 || self.nodes < left.values || self.u.is_empty() {
            return false;
        }
        left.count += 1;
        self.room -= 1;
        self.nodes -= left.values;
        true
    }

    /// Starts the next value of the innermost container.
    fn next(&mut self) -> Result<Started<R>> {
        let (wanted, packed) = match self.builder.innermost() {
            None => (None, false),
            Some((making, _)) => {
                let Front { variant_type, types: [first, second], .. } = &making.front;
                if *variant_type == VariantType::Object {
                    return self.next_property();
                }
                let at_key = *variant_type == VariantType::Dictionary && making.key().is_none();
                let at_value = making.key().is_some();
                let wanted = if at_value { second.clone() } else { first.clone() };
                let packed = *variant_type == VariantType::PackedTypedArray;
                if at_key && wanted.is_none() && chance(self.u, 50)? {
                    return self.everyday_key();
                }
                (wanted.map(|wanted| *wanted), packed)
            }
        };
        match wanted {
            None => self.start_any(),
            // A packed array of nulls holds bools, all of them false.
            Some(ElementType::Builtin(VariantType::Nil)) if packed => {
                Ok(Started::Whole(Variant::Bool(false)))
            }
            Some(ElementType::Builtin(VariantType::Object)) if chance(self.u, 30)? => {
                Ok(Started::Whole(Variant::Nil))
            }
            Some(ElementType::Builtin(variant_type)) => self.start(variant_type),
            Some(ElementType::Class(class)) => self.object_of(class, true),
            Some(ElementType::Script(_)) => self.object_of(VariantString::from("Node"), false),
            // No value is of a type that does not exist.
            Some(ElementType::Unknown(_)) => Ok(Started::Whole(Variant::Nil)),
        }
    }

    /// A property: its name, and the start of its value.
    fn next_property(&mut self) -> Result<Started<R>> {
        let known = ["script", "name", "position", "metadata/x"];
        let name = text::identifier(self.u, self.quirks, self.config, &known)?;
        let is_script = name == "script";
        if let Some((object, _)) = self.builder.innermost() {
            object.name(name);
        }
        if is_script && self.quirks.script_by_path {
            // These engines accept only these two values as a script.
            let script = if self.u.arbitrary()? { "res://script.gd".into() } else { Variant::Nil };
            return Ok(Started::Whole(script));
        }
        self.start_any()
    }

    /// Makes a key of the most frequent kinds: small numbers and short strings.
    fn everyday_key(&mut self) -> Result<Started<R>> {
        let types = [VariantType::Int, VariantType::String, VariantType::StringName];
        let chosen = *one_of(self.u, &types)?;
        if self.leaves.as_slice().contains(&chosen) { self.start(chosen) } else { self.start_any() }
    }

    fn start_any(&mut self) -> Result<Started<R>> {
        if chance(self.u, self.container_percent)?
            && let Some(container) = self.one_of_containers()?
        {
            return self.start(container);
        }
        match self.leaves.as_slice() {
            [] => Ok(Started::Whole(Variant::Nil)),
            leaves => {
                let leaf = *one_of(self.u, leaves)?;
                self.start(leaf)
            }
        }
    }

    fn one_of_containers(&mut self) -> Result<Option<VariantType>> {
        match self.containers.as_slice() {
            [] => Ok(None),
            containers => one_of(self.u, containers).map(|&container| Some(container)),
        }
    }

    /// Starts a value of this type.
    fn start(&mut self, variant_type: VariantType) -> Result<Started<R>> {
        self.nodes = self.nodes.saturating_sub(1);
        let front = Front::new(variant_type);
        let (front, values) = if !variant_type.holds_values() {
            return self.leaf(variant_type).map(Started::Whole);
        } else if variant_type == VariantType::Object {
            return self.object();
        } else if variant_type == VariantType::Array {
            let typed = self.quirks.typed_arrays && chance(self.u, 40)?;
            let element = if typed { self.element_type()? } else { None };
            (front.typed(element, None), 1)
        } else if variant_type == VariantType::Dictionary {
            let mut types = [None, None];
            if self.quirks.typed_dictionaries {
                for wanted in &mut types {
                    if chance(self.u, 30)? {
                        *wanted = self.element_type()?;
                    }
                }
            }
            let [key, value] = types;
            (front.typed(key, value), 2)
        } else {
            let element = self.element_type_of_pandemonium()?;
            (front.typed(Some(element), None), 1)
        };
        self.enter(front, values)
    }

    /// Opens a container whose elements need `values` values each, unless it stays empty.
    fn enter(&mut self, front: Front, values: usize) -> Result<Started<R>> {
        let count = self.count(values)?;
        let making = Making::new(front, 0, Some(self.quirks.same_keys));
        if count == 0 {
            return self.finish(making).map(Started::Whole);
        }
        self.builder.open(making, Left { count, values });
        Ok(Started::Opened)
    }

    fn object(&mut self) -> Result<Started<R>> {
        if self.quirks.objects == ObjectForms::HeaderOnly {
            return Ok(Started::Whole(Variant::Object(Object::Null)));
        }
        // The other forms hold no values, so a seed cannot fill them.
        let filled = self.fill && self.builder.depth() == 0;
        if self.config.objects && (filled || chance(self.u, 60)?) {
            let class = text::identifier(self.u, self.quirks, self.config, CLASSES)?;
            return self.full_object(class);
        }
        // Where a null object is written as a plain null, it is read as one.
        let null = self.quirks.null_object == NullObject::Object;
        if null && chance(self.u, 30)? {
            return Ok(Started::Whole(Variant::Object(Object::Null)));
        }
        self.stand_in()
    }

    fn stand_in(&mut self) -> Result<Started<R>> {
        let id: u64 = super::number::number(self.u, self.config)?;
        Ok(Started::Whole(Variant::Object(Object::Id(id.max(1)))))
    }

    fn full_object(&mut self, class: VariantString) -> Result<Started<R>> {
        self.enter(Front::object(class), 1)
    }

    /// A null or an object for a container whose elements are of a class.
    fn object_of(&mut self, class: VariantString, stand_ins: bool) -> Result<Started<R>> {
        self.nodes = self.nodes.saturating_sub(1);
        let above = matches!(
            class.as_bytes(),
            b"Object" | b"RefCounted" | b"Reference" | b"EncodedObjectAsID"
        );
        match below(self.u, 3)? {
            1 if self.config.objects => self.full_object(class),
            2 if stand_ins && above => self.stand_in(),
            _ => Ok(Started::Whole(Variant::Nil)),
        }
    }

    /// Returns the element type of a Godot 4 container; [`None`] if no type is possible.
    fn element_type(&mut self) -> Result<Option<ElementType>> {
        if chance(self.u, 25)? {
            if !self.config.objects {
                // What the engine puts in the place of every class where objects are not allowed.
                return Ok(Some(ElementType::Class(VariantString::from(CLASSES[0]))));
            }
            if self.u.arbitrary()? {
                let name = text::identifier(self.u, self.quirks, self.config, &["a.gd", "é.tres"])?;
                let path = "res://".chars().map(u32::from).chain(name.numbers());
                return Ok(Some(ElementType::Script(VariantString::from_numbers(path))));
            }
            let class = text::identifier(self.u, self.quirks, self.config, CLASSES)?;
            return Ok(Some(ElementType::Class(class)));
        }
        let builtin = self.builtin()?;
        let kept =
            builtin != VariantType::Nil && (self.config.objects || builtin != VariantType::Object);
        Ok(kept.then_some(ElementType::Builtin(builtin)))
    }

    fn element_type_of_pandemonium(&mut self) -> Result<ElementType> {
        if chance(self.u, 25)? {
            return Ok(ElementType::Class(text::identifier(
                self.u,
                self.quirks,
                self.config,
                CLASSES,
            )?));
        }
        Ok(ElementType::Builtin(self.builtin()?))
    }

    /// A type for elements: one that holds no values, mostly.
    fn builtin(&mut self) -> Result<VariantType> {
        if chance(self.u, self.container_percent / 2)?
            && let Some(container) = self.one_of_containers()?
        {
            return Ok(container);
        }
        match self.leaves.as_slice() {
            [] => Ok(VariantType::Nil),
            leaves => one_of(self.u, leaves).copied(),
        }
    }

    /// Returns a number of elements that need `values` values each.
    fn count(&mut self, values: usize) -> Result<usize> {
        if self.builder.depth() >= self.depth {
            return Ok(0);
        }
        let most = (self.nodes / values).min(self.config.max_count);
        let count = if chance(self.u, self.many_percent)? {
            below(self.u, most + 1)?
        } else {
            *one_of(self.u, &[1, 0, 2, 1, 2, 3])?
        }
        .min(most);
        let count = if self.builder.depth() == 0 && self.fill {
            let count = count.max(1).min(most);
            self.room = most - count;
            count
        } else {
            count
        };
        // Reserved: the first element must not use up the budget of the last one.
        self.nodes -= count * values;
        Ok(count)
    }

    fn finish(&mut self, mut making: Making<R>) -> Result<Variant<R>> {
        // Godot 2's scripts make shared containers, so nearly all are.
        let shared = self.quirks.shared_containers && !chance(self.u, 20)?;
        making.front.shared = shared && making.front.variant_type != VariantType::Object;
        Ok(making.finish())
    }
}
