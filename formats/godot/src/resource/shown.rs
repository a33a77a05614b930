//! A resource file as one value.

use super::read::{External, Import, Internal, Resource};
use formwork_variant::{Array, FullObject, Object, Real, Variant, VariantString};

impl<R: Real> Resource<R> {
    /// Returns the file as one value: a dictionary with engine, format and class, the external resources, and
    /// the file's own as objects, the main one last.
    #[must_use]
    pub fn into_value(self) -> Variant<R> {
        let Self { head, external, internal, import } = self;
        let mut pairs = vec![
            ("engine", Variant::from(head.engine())),
            ("format", Variant::Int(head.format.into())),
            ("class", Variant::String(head.class)),
        ];
        if let Some(class) = head.script_class {
            pairs.push(("script_class", Variant::String(class)));
        }
        if let Some(uid) = head.uid {
            pairs.push(("uid", Variant::Int(uid)));
        }
        pairs.push(("external", list(external.into_iter().map(External::into_value))));
        pairs.push(("resources", list(internal.into_iter().map(Internal::into_value))));
        pairs.extend(import.map(|import| ("import", import.into_value())));
        pairs.into_iter().collect()
    }
}

fn list<R: Real>(values: impl Iterator<Item = Variant<R>>) -> Variant<R> {
    Variant::Array(values.collect::<Array<R>>())
}

impl External {
    fn into_value<R: Real>(self) -> Variant<R> {
        let texts = [("class", self.class), ("path", self.path)];
        let texts = texts.into_iter().map(|(name, text)| (name, Variant::String(text)));
        texts.chain(self.uid.map(|uid| ("uid", Variant::Int(uid)))).collect()
    }
}

impl<R: Real> Internal<R> {
    fn into_value(self) -> Variant<R> {
        let Self { path, class, properties } = self;
        let object = Object::Full(Box::new(FullObject { class, properties }));
        [("path", Variant::String(path)), ("resource", Variant::Object(object))]
            .into_iter()
            .collect()
    }
}

impl<R: Real> Import<R> {
    fn into_value(self) -> Variant<R> {
        let source = |(path, md5): (VariantString, VariantString)| -> Variant<R> {
            let texts = [("path", path), ("md5", md5)];
            texts.into_iter().map(|(name, text)| (name, Variant::String(text))).collect()
        };
        let option = |(name, value)| (Variant::String(name), value);
        let options = self.options.into_iter().map(option).collect::<Vec<_>>();
        [
            ("editor", Variant::String(self.editor)),
            ("sources", list(self.sources.into_iter().map(source))),
            ("options", Variant::Dictionary(options.into())),
        ]
        .into_iter()
        .collect()
    }
}
