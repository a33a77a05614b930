//! `get`: prints values of a file.

use super::output::Sink;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use formwork_alb1::json::DocumentJson;
use formwork_alb1::{Document, Value};
use formwork_variant::Strictness;
use formwork_variant::edit::ValuePath;
use formwork_variant::json::Style;
use formwork_variant::{Real, Variant};

use super::change::chosen;
use super::contents::{Contents, InputOptions};
use super::documents;
use super::failure::{Failure, Status};
use super::folder::print_failed;
use super::form::Form;
use super::format::{LimitOptions, by_precision};
use super::framing::FramingName;
use super::lost_path::{lost, no_place};
use super::output::OutputOptions;
use super::packets::Input;
use super::source::word;
use super::{alb1, pack, remark};

/// Print values of a file
///
/// Prints the value at each PATH, as JSON if nothing else is chosen. Without a PATH, prints the whole value.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Get {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the value is, such as player/bag/1
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Output form [default: json]
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// Print strings as they are, without quotation marks
    #[arg(short, long)]
    raw: bool,
    /// Print JSON (the default)
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Print JSON without line breaks and spaces
    #[arg(short, long)]
    compact: bool,
    /// Look into value number INDEX of several, counted from 0; -1 is the last one
    #[arg(long, value_name = "INDEX", allow_negative_numbers = true)]
    index: Option<i64>,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork get game.save player/gold
  formwork get game.save player/name --raw
  formwork get game.save player/position --as text
  formwork get houses.tv4l mname

Paths:
  player/gold        the entry 'gold' of the dictionary 'player'
  bag/1, bag/-1      an element of an array, counted from 0, or from the end
  12, Vector2(1, 2)  an entry whose key is no string: the key as the engine prints it
  "a/b"              a key that holds '/': with quotation marks, if need be
  [3]                an entry by its position, counted from 0
  0/player/gold      in the first of several values
Errors and 'formwork dump' print exact paths, such as dictionary[2].value.array[0]. These work, too.
The paths of ALB1 files are those that 'formwork diff' prints: objManager.mroadbase.mroad["asphalt"].

Exit status: 0 printed, 1 there is no such value or the file is damaged, 2 wrong use, 3 the file could not be read."#;

impl Get {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let ended = self.open_and_print();
        if let (true, Err(failure)) = (self.json, &ended) {
            print_failed(&self.file, failure)?;
        }
        ended
    }

    fn open_and_print(&self) -> Result<Status, Failure> {
        let key = self.input.key_to(&self.file)?;
        let contents = Contents::open(&self.file, &self.input, key.as_ref(), self.limits)?;
        self.print(contents, Sink::Output(&self.output))
    }

    /// Returns the options that print the value at a path, or all values.
    pub(crate) fn showing(path: Option<String>, form: Option<Form>) -> Self {
        Self {
            file: PathBuf::new(),
            paths: path.into_iter().collect(),
            form,
            raw: false,
            json: false,
            compact: false,
            index: None,
            input: InputOptions::default(),
            limits: LimitOptions::default(),
            output: OutputOptions::default(),
        }
    }

    /// Prints the values of a file.
    pub(crate) fn print(&self, contents: Contents, sink: Sink<'_>) -> Result<Status, Failure> {
        let input = match contents {
            Contents::Packets(input) => input,
            Contents::Config(file) => file.into_packet(self.limits)?,
            Contents::Resource(file) => file.into_packet(self.limits)?,
            Contents::Script(file) => file.into_packet(self.limits)?,
            Contents::Pack(file) => return Err(pack::File::no_values(&file.source.name)),
            Contents::Alb1(file) => return self.fields(&file, sink),
            Contents::Document(file) => return self.parts(&file, sink),
        };
        by_precision!(input.dialect, R => self.values::<R>(&input, sink))
    }

    /// Prints parts of a document of any format.
    fn parts(&self, file: &documents::File, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &file.source.name;
        if self.index.is_some() {
            return Err(file.no_index());
        }
        if let Some(form) = self.form.filter(|form| *form != Form::Json) {
            let form = form.name();
            return Err(Failure::usage(format!("{name}: values of JSON have no form '{form}'"))
                .hint("for strings without quotation marks: --raw"));
        }
        let document = file.open()?;
        let whole = [String::new()];
        let paths = if self.paths.is_empty() { &whole[..] } else { &self.paths };
        let found = paths.iter().map(|path| documents::at(&*document, name, path));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let printing = documents::Printing { is_raw: self.raw, is_compact: self.compact };
        sink.write(|out| {
            printing.print(&found, out);
            Ok(())
        })?;
        Ok(Status::Done)
    }

    const fn style(&self) -> Style {
        if self.compact { Style::Compact } else { Style::Pretty }
    }

    fn values<R: Real>(&self, input: &Input, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &input.source.name;
        let form = self.form.unwrap_or_default();
        if let Some(found) = self.sought::<R>(input) {
            sink.write(|out| {
                found.iter().try_for_each(|value| self.print_one(value, input, form, out))
            })?;
            return Ok(Status::Done);
        }
        let read = input.values::<R>(Strictness::Engine)?;
        let unread = read.unread(name);
        let values = chosen(name, &read.values, self.index)?;
        if self.paths.is_empty() && values.len() != 1 {
            let all = values.to_vec();
            sink.write(|out| form.write_all(all, input.dialect, self.style(), name, out))?;
        } else {
            let whole = [String::new()];
            let paths = if self.paths.is_empty() { &whole[..] } else { &self.paths };
            let mut found = Vec::with_capacity(paths.len());
            for path in paths {
                let place = ValuePath::new(path).find_in(values, input.dialect);
                let lost = |error| lost(name, path, values, input.dialect, &error);
                let (number, place) = place.map_err(lost)?;
                found.extend(place.get(&values[number]));
            }
            sink.write(|out| {
                found.into_iter().try_for_each(|value| self.print_one(value, input, form, out))
            })?;
        }
        let Some(unread) = unread else { return Ok(Status::Done) };
        remark(&unread);
        Ok(Status::No)
    }

    /// Returns the values at the paths, and decodes no others. Returns none where this is
    /// impossible: then all values must be read for the error message.
    fn sought<R: Real>(&self, input: &Input) -> Option<Vec<Variant<R>>> {
        if self.paths.is_empty() || self.index.is_some() || input.framing == FramingName::Settings {
            return None;
        }
        // With several values, the first step of a path is the number of one.
        let (_, packet) = input.only_packet()?;
        let decoder = input.decoder::<R>(Strictness::Engine);
        let value = |path: &String| {
            let range = ValuePath::new(path).find_packet(packet, &decoder).ok()??;
            decoder.decode(packet.get(range)?).ok()
        };
        self.paths.iter().map(value).collect()
    }

    fn print_one<R: Real>(
        &self,
        value: &Variant<R>,
        input: &Input,
        form: Form,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if let (true, Some(text)) = (self.raw, value.as_string()) {
            // The output records a write error itself.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n"));
            return Ok(());
        }
        form.write(value, input.dialect, self.style(), &input.source.name, out)?;
        let text = value.as_string().map(|text| text.to_string_lossy());
        if let ([path], Some(text), None) = (&self.paths[..], text, self.form)
            && documents::is_json(&text)
        {
            let (file, path) = (input.source.word(), word(path));
            remark(&format!(
                "the text is JSON; to read in it: formwork get --raw {file} {path} | formwork get - PATH"
            ));
        }
        Ok(())
    }

    fn fields(&self, file: &alb1::File, sink: Sink<'_>) -> Result<Status, Failure> {
        let name = &file.name;
        if self.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index does not apply"
            )));
        }
        let json = DocumentJson::new().style(self.style());
        let form = self.form.unwrap_or_default();
        if self.paths.iter().all(String::is_empty) {
            return file.decode(form, json, false, sink);
        }
        if form == Form::Native {
            return Err(Failure::usage(format!(
                "{name}: 'native' is a form for saves, not for ALB1 files"
            )));
        }
        let document = file.document()?;
        let mut found = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            found.push(document.get(path).map_err(|error| no_place(name, path, &error))?);
        }
        sink.write(|out| {
            let mut values = found.into_iter();
            values.try_for_each(|value| self.print_field(&document, value, form, json, name, out))
        })?;
        Ok(Status::Done)
    }

    fn print_field(
        &self,
        document: &Document,
        value: &Value,
        form: Form,
        json: DocumentJson,
        name: &str,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let is_bare = self.raw || form == Form::Text;
        if let (true, Value::String(text)) = (is_bare, value) {
            // The output records a write error itself.
            let _ = writeln!(out, "{}", text.to_str());
            return Ok(());
        }
        let written = json.write_value(document, value, &mut *out);
        written.map_err(|error| Failure::in_value(name, error))?;
        let _ = out.write_all(b"\n");
        Ok(())
    }
}
