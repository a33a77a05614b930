//! Values in memory.

use super::types::Type;

/// A text in the UTF-8 that the engine would write.
pub(crate) type Text = Vec<u8>;

#[derive(Clone)]
pub(crate) enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Text),
    StringName(Text),
    /// The numbers of a vector, rectangle, matrix or colour in the order of the packet.
    Reals(Type, Vec<f32>),
    Ints(Type, Vec<i32>),
    NodePath(Box<NodePath>),
    Rid(u64),
    /// An instance id; 0 is the null object.
    Object(u64),
    Callable,
    Signal(Text, u64),
    Dictionary(Box<Dictionary>),
    Array(Box<Array>),
    Bytes(Vec<u8>),
    Int32s(Vec<i32>),
    Int64s(Vec<i64>),
    Float32s(Vec<f32>),
    Float64s(Vec<f64>),
    Strings(Vec<Text>),
    /// The numbers of an array of vectors or colours in one list.
    Vectors(Type, Vec<f32>),
    /// A value that the engine converts and this decoder does not. Only its type is known.
    Untold(Type),
}

#[derive(Clone, Default)]
pub(crate) struct NodePath {
    pub(crate) absolute: bool,
    pub(crate) names: Vec<Text>,
    pub(crate) subnames: Vec<Text>,
}

#[derive(Clone, Default)]
pub(crate) struct Dictionary {
    pub(crate) key: Option<Element>,
    pub(crate) value: Option<Element>,
    pub(crate) pairs: Vec<(Value, Value)>,
}

#[derive(Clone, Default)]
pub(crate) struct Array {
    pub(crate) element: Option<Element>,
    pub(crate) elements: Vec<Value>,
}

/// The declared type of a typed container's elements.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Element {
    Builtin(Type),
    Class(Text),
    Script(Text),
}

impl Value {
    pub(crate) fn type_of(&self) -> Type {
        match self {
            Self::Nil => Type::Nil,
            Self::Bool(_) => Type::Bool,
            Self::Int(_) => Type::Int,
            Self::Float(_) => Type::Float,
            Self::String(_) => Type::String,
            Self::StringName(_) => Type::StringName,
            Self::Reals(of, _) | Self::Ints(of, _) | Self::Vectors(of, _) | Self::Untold(of) => *of,
            Self::NodePath(_) => Type::NodePath,
            Self::Rid(_) => Type::Rid,
            Self::Object(_) => Type::Object,
            Self::Callable => Type::Callable,
            Self::Signal(..) => Type::Signal,
            Self::Dictionary(_) => Type::Dictionary,
            Self::Array(_) => Type::Array,
            Self::Bytes(_) => Type::PackedByteArray,
            Self::Int32s(_) => Type::PackedInt32Array,
            Self::Int64s(_) => Type::PackedInt64Array,
            Self::Float32s(_) => Type::PackedFloat32Array,
            Self::Float64s(_) => Type::PackedFloat64Array,
            Self::Strings(_) => Type::PackedStringArray,
        }
    }
}

impl NodePath {
    /// Returns the engine's text of the path.
    pub(crate) fn to_text(&self) -> Text {
        let mut text = if self.absolute { b"/".to_vec() } else { Vec::new() };
        text.extend(self.names.join(&b'/'));
        for subname in &self.subnames {
            text.push(b':');
            text.extend_from_slice(subname);
        }
        text
    }

    /// Splits the names at `/`, and the part after the first `:` at `:`.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let pieces = |text: &[u8], at: u8| -> Vec<Text> {
            let pieces = text.split(|&byte| byte == at).filter(|piece| !piece.is_empty());
            pieces.map(<[u8]>::to_vec).collect()
        };
        let colon = text.iter().position(|&byte| byte == b':').unwrap_or(text.len());
        Self {
            absolute: text.first() == Some(&b'/'),
            names: pieces(&text[..colon], b'/'),
            subnames: pieces(&text[colon..], b':'),
        }
    }
}
