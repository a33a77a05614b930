//! The names of the containers around a content.

use formwork_godot::wrapper::Layer;

/// Names containers: `fastlz`, `deflate+encrypted-ecb`.
pub fn named(layers: &[Layer]) -> String {
    layers.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
}

/// Names containers, for the text after their content; returns an empty text where there are none.
pub fn within(layers: &[Layer]) -> String {
    if layers.is_empty() { String::new() } else { format!(" in {}", named(layers)) }
}

/// Names containers, for the text before their content; returns an empty text where there are none.
pub fn inside(layers: &[Layer]) -> String {
    if layers.is_empty() { String::new() } else { format!("inside ({}), ", named(layers)) }
}
