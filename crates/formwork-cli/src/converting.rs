//! Values that are converted to another engine: what is converted, what is made, and the losses.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;

use clap::ValueEnum;
use formwork_edit::convert::{Loss, LossKind};
use formwork_variant::Dialect;
use formwork_variant::dialect::FloatWidth;
use serde::Serialize;

use crate::failure::{Failure, Status};
use crate::lines::line;
use crate::progress;
use crate::quantity::counted;
use crate::source::Source;
use crate::style::Palette;
use crate::terminal;

/// A form of the list of losses.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum ReportForm {
    /// One line of text per loss
    #[default]
    Text,
    /// One line of JSON per loss
    Json,
}

/// The losses in a file.
#[derive(Debug)]
pub(crate) struct Losses {
    form: ReportForm,
    /// Whether the losses are only counted.
    counts_only: bool,
    /// For each kind of loss: the number, and the first loss.
    kinds: RefCell<BTreeMap<LossKind, (u64, String)>>,
}

impl Losses {
    /// Makes the list of a file without losses, which prints them in this form, or only counts them.
    pub(crate) const fn new(form: ReportForm, counts_only: bool) -> Self {
        Self { form, counts_only, kinds: RefCell::new(BTreeMap::new()) }
    }

    /// Counts a loss in the value with the number `index`, and prints it where each is wanted.
    pub(crate) fn lose(&self, name: &str, index: usize, place: &str, loss: &Loss) {
        let mut kinds = self.kinds.borrow_mut();
        let (count, first) = kinds.entry(loss.kind).or_insert_with(|| (0, String::new()));
        *count += 1;
        if *count == 1 {
            *first = format!("{name}: {place}{loss}");
        }
        if self.counts_only {
            return;
        }
        let style = Palette::stderr().note;
        let line = match self.form {
            ReportForm::Json => json(index, loss),
            ReportForm::Text => format!("{style}loss{style:#}: {name}: {place}{loss}"),
        };
        progress::aside(|| {
            // A failure to write to standard error is ignored.
            let _ = writeln!(terminal::stderr(), "{line}");
        });
    }

    /// Returns the number of losses of each kind.
    pub(crate) fn counts(&self) -> BTreeMap<LossKind, u64> {
        self.kinds.borrow().iter().map(|(kind, (count, _))| (*kind, *count)).collect()
    }

    /// Returns the number of losses of each kind, and the first one in words.
    pub(crate) fn into_kinds(self) -> BTreeMap<LossKind, (u64, String)> {
        self.kinds.into_inner()
    }

    /// Refuses losses: names the number of each kind, and the values that would be written.
    pub(crate) fn refuse(&self, name: &str, to: Dialect) -> Result<(), Failure> {
        let losses = self.counts();
        if losses.is_empty() {
            return Ok(());
        }
        let all: u64 = losses.values().sum();
        let have = if all == 1 { "has" } else { "have" };
        let what = counted(all, "value");
        let message =
            format!("{name}: {what} {have} no exact counterpart in {to}; nothing was written");
        let mut failure = Failure::no(message);
        for (kind, count) in &losses {
            let (description, nearest) = (kind.description(), kind.nearest());
            failure = failure.line(format!("{count} {}: {to} {description}", kind.name()));
            failure = failure.line(format!("  with --lossy: {nearest}"));
        }
        if losses.keys().eq([&LossKind::Rounded]) && to.quirks().float_width == FloatWidth::Narrow {
            failure = failure.line(
                "Godot 2 keeps floats in 32 bits, which is about 7 digits: 0.4 is 0.4000000059604645 there.",
            );
        }
        Err(failure.hint("use --lossy to write the nearest values"))
    }
}

/// A loss, as JSON.
#[derive(Serialize)]
struct LossLine<'l> {
    /// Number of the value in the file.
    index: usize,
    kind: &'static str,
    /// Its place, as keys of the stored values.
    path: &'l str,
    /// Its place, as fields of the format.
    field_path: String,
    r#type: &'static str,
    found: &'l str,
    nearest: &'l str,
    message: &'l str,
}

/// Returns a loss as a line of JSON.
fn json(index: usize, loss: &Loss) -> String {
    line(&LossLine {
        index,
        kind: loss.kind.name(),
        path: &loss.place,
        field_path: format!("{:#}", loss.path),
        r#type: loss.variant_type.name(),
        found: &loss.found,
        nearest: &loss.nearest,
        message: &loss.why,
    })
}

/// How values are converted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Converting<'c> {
    pub(crate) to: Dialect,
    pub(crate) is_lossy: bool,
    /// Whether an option names the engine that wrote the file.
    pub(crate) is_named: bool,
    pub(crate) losses: &'c Losses,
}

impl Converting<'_> {
    /// Refuses losses, unless they are allowed.
    pub(crate) fn refuse_losses(&self, name: &str) -> Result<(), Failure> {
        if self.is_lossy { Ok(()) } else { self.losses.refuse(name, self.to) }
    }
}

/// A converted content, without containers.
#[derive(Debug)]
pub(crate) struct Converted {
    pub(crate) content: Vec<u8>,
    /// The work that was done, in a few words.
    pub(crate) what: String,
    /// The remarks for the user.
    pub(crate) remarks: Vec<String>,
    pub(crate) status: Status,
}

impl Converted {
    /// Takes a content without values as it is.
    pub(crate) fn as_it_was(source: &Source, kind: &str) -> Self {
        Self {
            content: source.content().to_vec(),
            what: "the content as it was".to_owned(),
            remarks: vec![format!("the content is {kind} and stays as it is")],
            status: Status::Done,
        }
    }
}
