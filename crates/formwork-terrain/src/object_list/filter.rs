//! Selects objects of a layer.

use formwork_alb1::to_str;
use formwork_alb1::tree::BoundingBox;
use glob::Pattern;

use crate::area::Area;

/// Selects objects by their place and their template. The default selects all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Selects only objects in this box, including its borders.
    pub bounds: Option<BoundingBox<f64>>,
    /// Selects only objects in this area.
    pub area: Option<Area>,
    /// Selects only objects whose template has a name like one of these, if there are any.
    templates: Vec<Pattern>,
}

impl Filter {
    /// Also selects objects whose template has a name like `pattern`: `*` matches anything, `?` a character, `[ab]` and
    /// `[a-z]` one of several characters. Upper and lower case differ.
    ///
    /// # Errors
    ///
    /// Returns a description of the fault if the pattern is wrong.
    pub fn add_template(&mut self, pattern: &str) -> Result<(), String> {
        self.templates.push(Pattern::new(pattern).map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Whether objects with a template of this name are selected.
    #[must_use]
    pub fn has_template(&self, name: &[u8]) -> bool {
        let name = to_str(name);
        self.templates.is_empty() || self.templates.iter().any(|pattern| pattern.matches(&name))
    }

    /// Whether objects at this place are selected.
    #[must_use]
    pub fn has_place(&self, x: f64, y: f64) -> bool {
        let in_bounds =
            |BoundingBox { x0, y0, x1, y1 }| (x0..=x1).contains(&x) && (y0..=y1).contains(&y);
        self.bounds.is_none_or(in_bounds) && self.area.as_ref().is_none_or(|area| area.has(x, y))
    }
}
