//! Attributes: fields, views, and what readers hold bytes to.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::expression::{Kind, Said, Scope, list_of};
use super::names::{quoted, snake, unique};
use super::{Exporter, Source, State, Through, body_of, own_order, refused, text_of, through};
use crate::error::Result;
use crate::schema::{
    Arguments, Check, End, EndKind, Field, Layout, Meaning, Order, View, ViewBytes, ViewFrom,
};

/// An entry of `seq` or `instances`.
#[derive(Clone, Debug, Default)]
pub(super) struct Attribute {
    pub(super) id: String,
    doc: String,
    /// When it is there.
    when: Vec<String>,
    /// The keys, and their values in YAML.
    keys: Vec<(&'static str, String)>,
    /// The type, as YAML after `type:`.
    ty: String,
    /// Whether it takes all bytes up to the end of the region.
    takes_rest: bool,
}

impl Attribute {
    fn new(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }

    fn key(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.keys.push((key, value.into()));
        self
    }

    /// A value that is computed.
    pub(super) fn value(id: &str, value: &str) -> Self {
        Self::new(id).key("value", quoted(value))
    }

    /// No bytes: where it is, is the value of the instance `.._at`.
    pub(super) fn start(id: &str) -> Self {
        Self { when: vec![format!("{id}_at >= 0")], ..Self::new(id).key("size", "0") }
    }

    /// As many of the next bytes as there are, up to this number.
    pub(super) fn next(length: usize) -> Self {
        let size = format!("_io.size - _io.pos < {length} ? _io.size - _io.pos : {length}");
        Self::new(&format!("next_{length}")).key("pos", "_io.pos").key("size", quoted(&size))
    }

    /// Elements of a type, as many.
    pub(super) fn repeated(ty: String, count: &str) -> Self {
        let this = Self { ty: quoted(&ty), ..Self::default() };
        this.key("repeat", "expr").key("repeat-expr", quoted(count))
    }

    /// One of two types.
    pub(super) fn either(id: &str, condition: &str, yes: &str, no: &str) -> Self {
        let cases = [("1".to_owned(), yes.to_owned()), ("_".to_owned(), no.to_owned())];
        Self::cases(id, &format!("({condition}) ? 1 : 0"), &cases)
    }

    /// One of several types.
    pub(super) fn cases(id: &str, on: &str, cases: &[(String, String)]) -> Self {
        Self { ty: switch(on, cases), ..Self::new(id) }
    }

    /// Some bits.
    pub(super) fn bits(
        id: &str,
        width: u8,
        named: Option<String>,
        is_closed: bool,
        doc: &str,
    ) -> Self {
        let mut this = Self { ty: format!("b{width}"), doc: doc.to_owned(), ..Self::new(id) };
        if let Some(named) = named {
            this = this.key("enum", named);
            if is_closed {
                this = this.key("valid", "{in-enum: true}");
            }
        }
        this
    }

    /// Returns the YAML after the name.
    pub(super) fn lines(&self, indent: usize) -> String {
        let (mut out, indent) = (String::new(), " ".repeat(indent));
        if !self.doc.is_empty() {
            let _ = writeln!(out, "{indent}doc: {}", quoted(&self.doc));
        }
        if !self.when.is_empty() {
            let all: Vec<String> = match &self.when[..] {
                [one] => vec![one.clone()],
                all => all.iter().map(|it| format!("({it})")).collect(),
            };
            let _ = writeln!(out, "{indent}if: {}", quoted(&all.join(" and ")));
        }
        if !self.ty.is_empty() {
            let _ = writeln!(out, "{indent}type: {}", self.ty);
        }
        for (key, value) in &self.keys {
            let _ = writeln!(out, "{indent}{key}: {value}");
        }
        out
    }
}

fn switch(on: &str, cases: &[(String, String)]) -> String {
    let all: Vec<String> =
        cases.iter().map(|(case, ty)| format!("{case}: {}", quoted(ty))).collect();
    format!("{{switch-on: {}, cases: {{{}}}}}", quoted(on), all.join(", "))
}

/// Returns no bytes, which are read if the condition holds.
pub(super) fn holds(
    scope: &Scope,
    check: &Check,
    names: &mut HashSet<String>,
) -> Result<Attribute> {
    let condition = scope.truth(&check.condition)?;
    let doc = check.message.unwrap_or_default().to_owned();
    Ok(Attribute { doc, ..Attribute::new(&unique("holds", names)) }
        .key("size", "0")
        .key("valid", format!("{{expr: {}}}", quoted(&condition.text))))
}

/// Returns no bytes, which are read if a list of elements that count as several has as many as it should.
pub(super) fn counts(id: &str, handed: &Handed, names: &mut HashSet<String>) -> Attribute {
    let count = handed.own.as_ref().map(Said::part).unwrap_or_default();
    let condition = format!("{count} == 0 or {id}.last.slots_so_far == {count}");
    Attribute::new(&unique("holds", names))
        .key("size", "0")
        .key("valid", format!("{{expr: {}}}", quoted(&condition)))
}

/// Fails where bytes are left in the region.
pub(super) fn close(attributes: &mut Vec<Attribute>) {
    if attributes.last().is_some_and(|last| last.takes_rest && last.when.is_empty()) {
        return;
    }
    let end = Attribute::new("nothing_more");
    attributes.push(end.key("size-eos", "true").key("valid", "{expr: \"_.length == 0\"}"));
}

/// The order of bytes: one that is known, or big where a condition holds.
#[derive(Clone, Debug)]
pub(super) enum Way {
    Fixed(bool),
    Either(Said),
}

/// The facts about a place that its layout does not say.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    way: Way,
    meaning: Meaning,
    used: bool,
    /// The name of a type that is made for it.
    hint: String,
}

impl Facts {
    pub(super) fn of_type(way: &Way) -> Self {
        Self { way: way.clone(), meaning: Meaning::Plain, used: false, hint: "content".to_owned() }
    }
}

/// The bytes that are known before the layout is looked at.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// All up to the end of the region.
    Rest,
    /// As many.
    Bytes(Said),
}

/// The arguments that a layout is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Handed {
    /// The count, the size or the key.
    own: Option<Said>,
    /// To what is inside.
    inner: Option<Box<Handed>>,
    /// To the type.
    parameters: Vec<Said>,
    /// How many elements those in front in the list count as.
    before: Option<String>,
}

impl Handed {
    fn inner(&self) -> Self {
        self.inner.as_deref().cloned().unwrap_or_default()
    }

    /// Returns the same as parameters of a type that is made, and what they are.
    fn as_parameters(&self, all: &mut Vec<Said>) -> Result<Self> {
        let mut taken = |said: &Said| {
            let id = format!("a{}", all.len());
            all.push(said.clone());
            Said::whole(id, said.kind)
        };
        let own = self.own.as_ref().map(&mut taken);
        let parameters = self.parameters.iter().map(taken).collect();
        let inner = self.inner.as_ref().map(|it| it.as_parameters(all)).transpose()?;
        Ok(Self { own, inner: inner.map(Box::new), parameters, before: None })
    }

    fn is_by_index(&self) -> bool {
        self.own.iter().chain(&self.parameters).any(|it| it.is_by_index)
            || self.inner.as_ref().is_some_and(|it| it.is_by_index())
    }
}

/// Returns whether something in a list in the layout is up to the position in that list.
fn is_by_index_inside(layout: Layout, handed: &Handed) -> bool {
    match layout {
        Layout::Same(of) | Layout::OrEnd(of) | Layout::Deferred(of) => {
            is_by_index_inside(of(), handed)
        }
        Layout::Within(of) | Layout::Before(of) | Layout::Coded(_, of) => {
            is_by_index_inside(of(), &handed.inner())
        }
        Layout::Array(..) => handed.is_by_index(),
        Layout::List(_) | Layout::ToEnd(_) | Layout::Until(_) => {
            handed.inner.as_ref().is_some_and(|it| it.is_by_index())
        }
        _ => false,
    }
}

impl Exporter {
    /// Returns what a field of a record is in `seq`, or a computed one in `instances`.
    pub(super) fn field(
        &mut self,
        scope: &Scope,
        slot: usize,
        big: bool,
        (names, instances): (&mut HashSet<String>, &mut Vec<Attribute>),
    ) -> Result<Vec<Attribute>> {
        let (field, id) = (&scope.record.fields[slot], &scope.ids[slot]);
        let doc = self.doc(field);
        if let Some(magic) = field.magic {
            let contents = list_of(&magic.bytes(big));
            return Ok(vec![Attribute::new(id).key("contents", contents)]);
        }
        if let Some(computed) = &field.computed {
            let value = scope.said(computed)?;
            instances.push(Attribute { doc, ..Attribute::value(id, &value.text) });
            return field.checks.iter().map(|check| holds(scope, check, names)).collect();
        }
        let way = match &field.order {
            Order::Inherited => Way::Fixed(big),
            Order::Little => Way::Fixed(false),
            Order::Big => Way::Fixed(true),
            Order::If(condition, is_big) => {
                let said = scope.truth(condition)?;
                match is_big {
                    true => Way::Either(said),
                    false => Way::Either(Said::new(format!("not {}", said.part()), Kind::Bool)),
                }
            }
        };
        let hint = format!("{}_content", id.trim_end_matches('_'));
        let facts = Facts { way, meaning: field.meaning, used: field.used, hint };
        let layout = (field.layout)();
        let handed = self.hand(layout, &field.arguments, scope)?;
        let mut attribute = self.attribute(id, &facts, layout, &handed, None)?;
        if let Some(when) = &field.when {
            attribute.when.insert(0, scope.truth(when)?.text);
        }
        attribute.doc = doc;
        let mut all = vec![attribute];
        if layout.slots_of_elements() && field.when.is_none() {
            all.push(counts(id, &handed, names));
        }
        for check in field.checks {
            let attribute = &mut all[0];
            let is_simple = attribute.when.is_empty()
                && field.checks.len() == 1
                && !check.condition.has_place()
                && !attribute.keys.iter().any(|(key, _)| matches!(*key, "repeat" | "valid"));
            match is_simple {
                true => {
                    let condition = scope.truth(&check.condition)?;
                    let valid = format!("{{expr: {}}}", quoted(&condition.text));
                    attribute.keys.push(("valid", valid));
                }
                false => all.push(holds(scope, check, names)?),
            }
        }
        Ok(all)
    }

    /// Returns the doc comment of a field, and what else is known of it.
    fn doc(&mut self, field: &Field) -> String {
        let more = match field.meaning {
            Meaning::Zero => {
                self.unseen.insert("bytes and bits that are always zero");
                "Always zero.".to_owned()
            }
            Meaning::Hex => "Shown in hexadecimal.".to_owned(),
            Meaning::Masked(mask) => format!("A text, each byte combined with {mask:#04x}."),
            Meaning::Utf16 => "Text in UTF-16.".to_owned(),
            Meaning::Letters if matches!((field.layout)().inner(), Layout::Integer { .. }) => {
                "Letters, one in each byte.".to_owned()
            }
            _ if text_of((field.layout)().inner(), field.meaning, false).is_some()
                && field.used =>
            {
                "Text.".to_owned()
            }
            _ => String::new(),
        };
        let messages = field.checks.iter().filter_map(|check| check.message);
        let all: Vec<&str> = [field.doc, &*more].into_iter().chain(messages).collect();
        let all: Vec<&str> = all.into_iter().filter(|it| !it.is_empty()).collect();
        all.join(" ")
    }

    /// Returns a view, as an instance.
    pub(super) fn view(
        &mut self,
        scope: &Scope,
        view: &'static View,
        big: bool,
        names: &mut HashSet<String>,
    ) -> Result<Attribute> {
        let id = unique(view.name, names);
        let layout = (view.layout)();
        let handed = self.hand(layout, &view.arguments, scope)?;
        let facts = Facts {
            way: Way::Fixed(big),
            meaning: Meaning::Plain,
            used: false,
            hint: format!("{id}_content"),
        };
        let content = match &view.bytes {
            ViewBytes::Count(bytes) => Some(Content::Bytes(scope.number(bytes)?)),
            ViewBytes::Rest => Some(Content::Rest),
            ViewBytes::Open => None,
        };
        let mut attribute = self.attribute(&id, &facts, layout, &handed, content)?;
        let at = scope.number(&view.at)?;
        let at = match view.from {
            ViewFrom::File => {
                attribute.keys.insert(0, ("io", "_root._io".to_owned()));
                at.text
            }
            ViewFrom::Region => at.text,
            from => format!("{}_at + {}", scope.start_id(from), at.part()),
        };
        if view.from != ViewFrom::File {
            self.unseen.insert("places outside of the region around");
        }
        attribute.keys.insert(0, ("pos", quoted(&at)));
        if let Some(when) = &view.when {
            attribute.when.insert(0, scope.truth(when)?.text);
        }
        Ok(attribute)
    }

    /// Returns what a field hands over to its layout.
    fn hand(
        &mut self,
        layout: Layout,
        arguments: &'static Arguments,
        scope: &Scope,
    ) -> Result<Handed> {
        static NONE: Arguments = Arguments::None;
        let by = |name: &str| match arguments {
            Arguments::Many(all) => all.iter().find(|it| it.0 == name).map(|it| &it.1),
            _ => None,
        };
        let own = |name: &str| match by(name) {
            Some(Arguments::One(expression)) => scope.number(expression).map(Some),
            _ => Err(refused(format!("{layout} without `{name}`"))),
        };
        let inner = || by("inner").or_else(|| by("each")).unwrap_or(&NONE);
        let (own, of) = match layout {
            Layout::Same(of) | Layout::OrEnd(of) | Layout::Array(_, of) => {
                return self.hand(of(), arguments, scope);
            }
            Layout::Deferred(_) | Layout::Nested(_) => {
                return Err(refused("a field that the reader leaves to the program"));
            }
            Layout::List(of) => (own("count")?, of),
            Layout::Within(of) => (own("bytes")?, of),
            Layout::Before(of) => (own("left")?, of),
            Layout::ToEnd(of) | Layout::Until(of) => (None, of),
            Layout::Coded(_, of) => {
                let key = match by("key") {
                    Some(Arguments::One(key)) => Some(match key.place() {
                        Some(place) => scope.place(place, &[])?,
                        None => scope.number(key)?,
                    }),
                    _ => None,
                };
                (key, of)
            }
            Layout::Padding(_) => {
                let Arguments::Many([(_, Arguments::One(length)), ..]) = arguments else {
                    return Err(refused("padding without a length"));
                };
                return Ok(Handed { own: Some(scope.number(length)?), ..Handed::default() });
            }
            Layout::Record(_) | Layout::Choice(_) => {
                let (source, _) = self.source_of(layout).unwrap_or_else(|| unreachable!());
                let mut parameters = Vec::new();
                for (need, _) in self.parameters(&source) {
                    let name = source.parameters()[need.index].0;
                    parameters.push(scope.handed(arguments, &need, name)?);
                }
                return Ok(Handed { parameters, ..Handed::default() });
            }
            _ => return Ok(Handed::default()),
        };
        let inner = self.hand(of(), inner(), scope)?;
        Ok(Handed { own, inner: Some(Box::new(inner)), ..Handed::default() })
    }

    /// Returns the attribute of a layout.
    pub(super) fn attribute(
        &mut self,
        id: &str,
        facts: &Facts,
        root: Layout,
        root_handed: &Handed,
        content: Option<Content>,
    ) -> Result<Attribute> {
        let mut attribute = Attribute::new(id);
        let (mut layout, mut handed, mut state) = (root, root_handed.clone(), State::default());
        if let Some(content) = content {
            state.sized = true;
            attribute = match content {
                Content::Rest => attribute.key("size-eos", "true"),
                Content::Bytes(bytes) => attribute.key("size", quoted(&bytes.text)),
            };
        }
        loop {
            let text =
                |said: &Option<Said>| said.as_ref().map(|it| it.text.clone()).unwrap_or_default();
            match through(layout, facts.meaning, state) {
                Through::Wrapped => {
                    if is_by_index_inside(layout, &handed) {
                        return Err(refused("arguments by the position in a list in a region"));
                    }
                    attribute.ty = self.wrap(facts, layout, &handed, state.sized)?;
                    return Ok(attribute);
                }
                Through::Here => break,
                Through::Inner(of, next) => {
                    match layout {
                        Layout::OrEnd(_) => attribute.when.push("not _io.eof".to_owned()),
                        Layout::Within(_) => {
                            attribute = attribute.key("size", quoted(&text(&handed.own)));
                        }
                        Layout::Before(_) => {
                            let left = handed.own.as_ref().map(Said::part).unwrap_or_default();
                            let size = format!("_io.size - _io.pos - {left}");
                            attribute = attribute.key("size", quoted(&size));
                        }
                        Layout::Coded(coding, _) => {
                            let Some(process) = (coding.kaitai)(&text(&handed.own)) else {
                                return Err(refused(format!("the code {}", coding.name)));
                            };
                            if !state.sized {
                                attribute = attribute.key("size-eos", "true");
                            }
                            attribute = attribute.key("process", quoted(&process));
                        }
                        Layout::Array(count, _) => {
                            attribute = attribute
                                .key("repeat", "expr")
                                .key("repeat-expr", count.to_string());
                        }
                        Layout::List(_) if layout.slots_of_elements() => {
                            let count = handed.own.as_ref().map(Said::part).unwrap_or_default();
                            let so_far = format!("_.slots_so_far >= {count}");
                            attribute = attribute
                                .key("repeat", "until")
                                .key("repeat-until", quoted(&so_far));
                            attribute.when.push(format!("{count} > 0"));
                            handed = handed.inner();
                            if !root.slots_of_elements() {
                                self.unseen
                                    .insert("elements that count as more than there is room for");
                            }
                            handed.before = Some(format!(
                                "_index == 0 ? 0 : {}[_index - 1].slots_so_far",
                                attribute.id
                            ));
                            (layout, state) = (of, next);
                            continue;
                        }
                        Layout::List(_) => {
                            let count = quoted(&text(&handed.own));
                            attribute = attribute.key("repeat", "expr").key("repeat-expr", count);
                        }
                        Layout::ToEnd(_) => attribute = attribute.key("repeat", "eos"),
                        Layout::Until(_) => {
                            if !matches!(of.inner(), Layout::Record(_) | Layout::Choice(_)) {
                                return Err(refused(format!("{layout} up to the last")));
                            }
                            attribute =
                                attribute.key("repeat", "until").key("repeat-until", "_.is_last");
                        }
                        _ => {}
                    }
                    attribute.takes_rest |= matches!(layout, Layout::ToEnd(_));
                    if !matches!(layout, Layout::Same(_) | Layout::OrEnd(_) | Layout::Array(..)) {
                        handed = handed.inner();
                    }
                    (layout, state) = (of, next);
                }
            }
        }
        self.here(attribute, facts, layout, &handed, state)
    }

    /// Gives an attribute the type of a layout.
    fn here(
        &mut self,
        mut attribute: Attribute,
        facts: &Facts,
        layout: Layout,
        handed: &Handed,
        state: State,
    ) -> Result<Attribute> {
        let Facts { way, meaning, used, .. } = facts;
        let own = handed.own.as_ref();
        let text = text_of(layout, *meaning, *used);
        match layout {
            Layout::Integer { number, names, open } => {
                let named = if let Meaning::Names(names) = meaning { names } else { names };
                let is_named = !named.is_empty();
                if number.is_wide() {
                    return Err(refused(format!("`{number}`: a number of sixteen bytes")));
                }
                let prefix = if number.signed { 's' } else { 'u' };
                attribute.ty =
                    self.number(&format!("{prefix}{}", number.bytes()), number.bytes(), way);
                if is_named {
                    if matches!(way, Way::Either(_)) && number.bits > 8 {
                        return Err(refused(
                            "a number that has names, in an order that a condition chooses",
                        ));
                    }
                    let hint = facts.hint.trim_end_matches("_content").to_owned();
                    attribute = attribute.key("enum", self.enum_id(&hint, named));
                    // Other numbers are refused of an enum's own names only.
                    if !open && !names.is_empty() {
                        attribute = attribute.key("valid", "{in-enum: true}");
                    }
                }
            }
            Layout::Float(bytes) => {
                attribute.ty = self.number(&format!("f{bytes}"), bytes.into(), way)
            }
            Layout::Array(..) | Layout::List(_) | Layout::ToEnd(_) | Layout::Opaque => {
                let is_wide = *meaning == Meaning::Utf16;
                match layout {
                    Layout::Array(count, _) => attribute = attribute.key("size", count.to_string()),
                    Layout::List(_) => {
                        let count = own.map(Said::part).unwrap_or_default();
                        let size = if is_wide {
                            format!("{count} * 2")
                        } else {
                            own.map(|it| it.text.clone()).unwrap_or_default()
                        };
                        attribute = attribute.key("size", quoted(&size));
                    }
                    _ if !state.sized => attribute = attribute.key("size-eos", "true"),
                    _ => {}
                }
                attribute.takes_rest |=
                    matches!(layout, Layout::ToEnd(_) | Layout::Opaque) && !state.sized;
                if let Meaning::Masked(mask) = meaning {
                    if state.coded {
                        return Err(refused("a masked text in a content that is coded"));
                    }
                    attribute = attribute.key("process", format!("\"xor({mask})\""));
                }
                if let (Some((encoding, more)), false) = (text, state.coded) {
                    attribute.ty = "str".to_owned();
                    attribute = attribute.key("encoding", self.encoding(encoding, way)?);
                    attribute.keys.extend(more);
                    if *meaning != Meaning::Letters {
                        self.unseen.insert("zeros after texts");
                    }
                }
            }
            Layout::Terminated(end) => {
                attribute = self.terminated(attribute, end, text.map(|it| it.0), way)?
            }
            Layout::Padding(multiple) => {
                let length = own.map(Said::part).unwrap_or_default();
                let size = format!("({multiple} - {length} % {multiple}) % {multiple}");
                attribute = attribute.key("size", quoted(&size));
                self.unseen.insert("bytes and bits that are always zero");
            }
            Layout::Record(_) | Layout::Choice(_) | Layout::Word(_) | Layout::Varint(_) => {
                // How many elements those in front count as is handed over first.
                let before =
                    layout.slots().map(|_| handed.before.clone().unwrap_or("0".to_owned()));
                let parameters = handed.parameters.iter().map(|it| it.text.clone());
                let handed: Vec<String> = before.into_iter().chain(parameters).collect();
                let call = |id: String| {
                    if handed.is_empty() { id } else { format!("{id}({})", handed.join(", ")) }
                };
                attribute.ty = match way {
                    Way::Fixed(big) => quoted(&call(self.named(layout, *big, state.sized)?)),
                    Way::Either(condition) => {
                        let big = call(self.named(layout, true, state.sized)?);
                        let little = call(self.named(layout, false, state.sized)?);
                        Attribute::either("", &condition.text, &big, &little).ty
                    }
                };
            }
            Layout::Same(_)
            | Layout::Within(_)
            | Layout::Before(_)
            | Layout::Coded(..)
            | Layout::OrEnd(_)
            | Layout::Deferred(_)
            | Layout::Nested(_)
            | Layout::Until(_) => {
                return Err(refused(layout));
            }
        }
        Ok(attribute)
    }

    /// Returns the type of a number.
    fn number(&self, ty: &str, bytes: usize, way: &Way) -> String {
        match way {
            _ if bytes == 1 => ty.to_owned(),
            Way::Fixed(big) if *big == self.is_big => ty.to_owned(),
            Way::Fixed(big) => format!("{ty}{}", if *big { "be" } else { "le" }),
            Way::Either(condition) => {
                Attribute::either("", &condition.text, &format!("{ty}be"), &format!("{ty}le")).ty
            }
        }
    }

    fn encoding(&mut self, encoding: &str, way: &Way) -> Result<String> {
        self.has_texts |= encoding != "ISO-8859-1";
        match (encoding, way) {
            ("UTF-16", Way::Fixed(big)) => Ok(format!("UTF-16{}", if *big { "BE" } else { "LE" })),
            ("UTF-16", Way::Either(_)) => {
                Err(refused("a text in UTF-16 in an order that a condition chooses"))
            }
            _ => Ok(encoding.to_owned()),
        }
    }

    /// Gives an attribute the type of a text that something ends.
    fn terminated(
        &mut self,
        mut attribute: Attribute,
        end: End,
        encoding: Option<&str>,
        way: &Way,
    ) -> Result<Attribute> {
        if let Some(encoding) = encoding {
            attribute.ty = "str".to_owned();
            attribute = attribute.key("encoding", self.encoding(encoding, way)?);
        }
        attribute = match (end.bytes, end.width, encoding) {
            ([byte], 1, _) => attribute.key("terminator", byte.to_string()),
            ([0, 0], 2, Some("UTF-16")) => {
                attribute.ty = "strz".to_owned();
                attribute
            }
            _ => return Err(refused(format!("a text up to {end}, which is more than a byte"))),
        };
        Ok(match end.kind {
            EndKind::Taken => attribute,
            EndKind::TakenOrEnd => attribute.key("eos-error", "false"),
            EndKind::Left => attribute.key("consume", "false").key("eos-error", "false"),
        })
    }

    /// Returns the name of a declared type.
    fn named(&mut self, layout: Layout, big: bool, is_closed: bool) -> Result<String> {
        let Some((source, own_order)) = self.source_of(layout) else { return Err(refused(layout)) };
        if let Layout::Record(record) = layout
            && let Order::If(condition, is_big) = &record.order
        {
            // The parameters decide on the order.
            let parameters = self.parameters(&source);
            let handed: Vec<String> = parameters.iter().map(|it| it.1.clone()).collect();
            let call = |id: String| {
                if handed.is_empty() { id } else { format!("{id}({})", handed.join(", ")) }
            };
            let scope = Scope {
                record,
                ids: super::ids(record),
                parameters: parameters.clone(),
                sums: Default::default(),
            };
            let condition = scope.truth(condition)?;
            let yes = call(self.type_id(source.clone(), *is_big, is_closed));
            let no = call(self.type_id(source, !*is_big, is_closed));
            let attribute = Attribute::either("it", &condition.text, &yes, &no);
            let text = body_of("", &parameters, &[attribute], &[], "");
            return Ok(self.type_of_text(&format!("{}_order", snake(record.name)), text));
        }
        Ok(self.type_id(source, own_order.unwrap_or(big), is_closed))
    }

    /// Returns the type that is made for a layout, as YAML.
    fn wrap(
        &mut self,
        facts: &Facts,
        layout: Layout,
        handed: &Handed,
        is_closed: bool,
    ) -> Result<String> {
        let mut all = Vec::new();
        let inner = handed.as_parameters(&mut all)?;
        let mut facts = facts.clone();
        if let Way::Either(condition) = &facts.way {
            all.push(condition.clone());
            facts.way = Way::Either(Said::whole(format!("a{}", all.len() - 1), Kind::Bool));
        }
        let mut attributes = vec![self.attribute("it", &facts, layout, &inner, None)?];
        if is_closed {
            close(&mut attributes);
        }
        let mut parameters = Vec::new();
        for (index, said) in all.iter().enumerate() {
            let need = super::Need { index, parts: Vec::new(), kind: said.kind };
            if said.kind.parameter().is_none() {
                return Err(refused(format!("`{}`, which is handed over whole", said.text)));
            }
            parameters.push((need, format!("a{index}")));
        }
        let text = body_of("", &parameters, &attributes, &[], "");
        let id = self.type_of_text(&facts.hint, text);
        let handed: Vec<String> = all.into_iter().map(|it| it.text).collect();
        let call = if handed.is_empty() { id } else { format!("{id}({})", handed.join(", ")) };
        Ok(quoted(&call))
    }

    /// Returns the source of a type that has a name, and the order of bytes that it has whatever is around.
    fn source_of(&self, layout: Layout) -> Option<(Source, Option<bool>)> {
        let signature = self.signature(layout);
        Some(match layout {
            Layout::Record(record) => (Source::Record(record, signature), own_order(layout)),
            Layout::Choice(choice) => (Source::Choice(choice, signature), own_order(layout)),
            Layout::Word(word) => {
                let order = if word.bytes == 1 { Some(true) } else { word.is_big };
                (Source::Word(word, signature), order)
            }
            Layout::Varint(form) => (Source::Varint(form, signature), Some(true)),
            _ => return None,
        })
    }
}
