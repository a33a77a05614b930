//! The table of counterparts, for display.

use std::fmt::{self, Write as _};

use super::counterpart::{Form, Pair, counterparts};
use super::loss::LossKind;
use formwork_variant::VariantType;
use formwork_variant::dialect::Dialect;

/// The forms of each type in other dialects, and the possible losses: the table that the
/// [`Converter`](super::Converter) uses.
///
/// ```
/// use formwork_variant::Dialect;
/// use formwork_edit::convert::Table;
///
/// let table = Table::new(Some(Dialect::GODOT4), Some(Dialect::GODOT3));
/// assert!(table.to_string().contains("*Vector2*"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    losses: Vec<LossKind>,
}

impl Table {
    /// Makes the table of the types of `from`, or of all dialects, with their forms in `to`, or in each of the
    /// dialects that differ in their types.
    #[must_use]
    pub fn new(from: Option<Dialect>, to: Option<Dialect>) -> Self {
        let to = to.map_or_else(that_differ, |to| vec![to]);
        let types = VariantType::ALL.iter().copied();
        let types = types.filter(|it| from.is_none_or(|from| from.type_id(*it).is_some()));
        let name = |variant_type: VariantType| match from {
            Some(from) => from.type_name(variant_type),
            None => variant_type.name(),
        };
        let mut head = vec![from.map_or_else(|| "type".to_owned(), Dialect::name)];
        head.extend(to.iter().map(ToString::to_string));
        let row = |variant_type| {
            let cell = |&to| cell(from, to, variant_type);
            std::iter::once(name(variant_type).to_owned()).chain(to.iter().map(cell)).collect()
        };
        let rows = types.map(row).collect();
        let applies = |kind: &&LossKind| match from {
            Some(from) => to.iter().any(|&to| kind.applies(Pair { from, to })),
            None => true,
        };
        let losses = LossKind::ALL.iter().filter(applies).copied().collect();
        Self { head, rows, losses }
    }

    /// Returns the titles of the columns: the source first, then the targets.
    #[must_use]
    pub fn head(&self) -> &[String] {
        &self.head
    }

    /// Returns the rows: a type, and its forms in the targets.
    pub fn rows(&self) -> impl Iterator<Item = &[String]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// Returns the kinds of possible losses.
    #[must_use]
    pub fn losses(&self) -> &[LossKind] {
        &self.losses
    }
}

/// The newest of the dialects that have the same types each.
fn that_differ() -> Vec<Dialect> {
    let types = |dialect: &Dialect| (dialect.family(), dialect.rows().len());
    let mut newest: Vec<Dialect> = Vec::new();
    for dialect in Dialect::all().filter(|&dialect| dialect != Dialect::PANDEMONIUM_DOCS) {
        match newest.last_mut() {
            Some(last) if types(last) == types(&dialect) => *last = dialect,
            _ => newest.push(dialect),
        }
    }
    newest
}

/// Returns the form of a type in a dialect: its name there, or in italics the nearest type.
fn cell(from: Option<Dialect>, to: Dialect, variant_type: VariantType) -> String {
    // Without a source, an engine other than the target's that has the type is taken: values of the same engine are
    // unchanged.
    let has_type = |it: &Dialect| it.type_id(variant_type).is_some();
    let another = |it: &Dialect| has_type(it) && !it.family().is_same_engine(to.family());
    let source = || Dialect::all().rev().find(another).or_else(|| Dialect::all().find(has_type));
    let pair = Pair { from: from.or_else(source).unwrap_or(to), to };
    if pair.holds(variant_type) {
        return to.type_name(variant_type).to_owned();
    }
    if variant_type == VariantType::TypedArray && to.quirks().typed_arrays {
        return "Array with its element type".to_owned();
    }
    format!("*{}*", nearest(pair, variant_type))
}

/// The nearest forms in words.
fn nearest(pair: Pair, variant_type: VariantType) -> String {
    let mut words: Vec<String> = Vec::new();
    for form in counterparts(variant_type) {
        words.push(match form {
            Form::Type(nearest) if pair.holds(nearest) => pair.to.type_name(nearest).to_owned(),
            // That type has a separate row; the rows contain no cycles.
            Form::Type(nearest) => self::nearest(pair, nearest),
            Form::Fitting(nearest) if pair.always_fits(form) => {
                pair.to.type_name(nearest).to_owned()
            }
            Form::Fitting(nearest) => {
                format!("{} where all numbers fit, else", pair.to.type_name(nearest))
            }
            Form::ElementsHeld(element) if !pair.holds(element) => continue,
            Form::ElementsHeld(element) | Form::Elements(element) => {
                let element = match pair.holds(element) {
                    true => pair.to.type_name(element).to_owned(),
                    false => self::nearest(pair, element),
                };
                format!("{} of {element}", pair.to.type_name(VariantType::Array))
            }
            Form::Components => "Array of the components".to_owned(),
            Form::Fields => "Dictionary of the fields".to_owned(),
            Form::Null => "null".to_owned(),
        });
        if !matches!(form, Form::Fitting(_)) || pair.always_fits(form) {
            break;
        }
    }
    words.join(" ")
}

/// In Markdown.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let losses = self.losses.iter().map(|kind| {
            [kind.name(), kind.description(), kind.nearest()].map(str::to_owned).to_vec()
        });
        write_table(f, &self.head, &self.rows)?;
        f.write_str(
            "\nIn italics: the nearest type, where there is no counterpart. What else can be lost, and \
             what is written in its place:\n\n",
        )?;
        let head = ["loss", "the target ...", "nearest"].map(str::to_owned);
        write_table(f, &head, &losses.collect::<Vec<_>>())
    }
}

fn write_table(f: &mut fmt::Formatter<'_>, head: &[String], rows: &[Vec<String>]) -> fmt::Result {
    /// Longer cells exceed their column: padding all others to their width would not be more readable.
    const WIDEST: usize = 40;
    let columns = head.iter().enumerate().map(|(column, title)| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain([title]);
        cells.map(|cell| cell.chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0)
    });
    let widths: Vec<_> = columns.collect();
    let mut line = |cells: &[String]| {
        f.write_char('|')?;
        for (cell, &width) in cells.iter().zip(&widths) {
            write!(f, " {cell:width$} |")?;
        }
        f.write_char('\n')
    };
    line(head)?;
    line(&widths.iter().map(|&width| "-".repeat(width.max(3))).collect::<Vec<_>>())?;
    rows.iter().try_for_each(|row| line(row))
}
