//! Which objects of a layer are meant.

use formwork_alb1::to_str;
use formwork_alb1::tree::BoundingBox;
use glob::Pattern;

use crate::area::Area;

/// Selects objects by their place and their template. The default selects all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only those in this box; its borders belong to it.
    pub bounds: Option<BoundingBox<f64>>,
    /// Only those in this area.
    pub area: Option<Area>,
    /// Only those whose template has a name like one of these, where there are any.
    templates: Vec<Pattern>,
}

impl Filter {
    /// Selects objects whose template has a name like `pattern`, besides those that were selected
    /// before: `*` stands for anything, `?` for a character, `[ab]` and `[a-z]` for one of several;
    /// upper and lower case differ.
    ///
    /// # Errors
    ///
    /// Where the pattern is wrong: what is wrong with it.
    pub fn add_template(&mut self, pattern: &str) -> Result<(), String> {
        self.templates.push(Pattern::new(pattern).map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Whether objects with a template of this name are meant.
    #[must_use]
    pub fn has_template(&self, name: &[u8]) -> bool {
        let name = to_str(name);
        self.templates.is_empty() || self.templates.iter().any(|pattern| pattern.matches(&name))
    }

    /// Whether objects at this place are meant.
    #[must_use]
    pub fn has_place(&self, x: f64, y: f64) -> bool {
        let in_bounds =
            |BoundingBox { x0, y0, x1, y1 }| (x0..=x1).contains(&x) && (y0..=y1).contains(&y);
        self.bounds.is_none_or(in_bounds) && self.area.as_ref().is_none_or(|area| area.has(x, y))
    }
}
