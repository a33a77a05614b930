//! The variables that filters are given on the command line, with the options of jq.

use std::path::Path;

use clap::Args;
use formwork::document::Json;
use serde::de::IgnoredAny;

use super::value::Value;
use crate::failure::Failure;
use crate::input::read;
use crate::lines::whole_name;
use crate::source::name;
use crate::style::shown;

/// The variables of a filter.
#[derive(Args, Debug, Default)]
pub(super) struct Variables {
    /// Let $NAME be the text VALUE in FILTER
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"], allow_hyphen_values = true)]
    arg: Vec<String>,
    /// Let $NAME be the value that is JSON in FILTER
    #[arg(long, num_args = 2, value_names = ["NAME", "JSON"], allow_hyphen_values = true)]
    argjson: Vec<String>,
    /// Let $NAME be the list of the values in a file of JSON
    #[arg(long, num_args = 2, value_names = ["NAME", "PATH"], hide_short_help = true)]
    slurpfile: Vec<String>,
    /// Let $NAME be the text in a file
    #[arg(long, num_args = 2, value_names = ["NAME", "PATH"], hide_short_help = true)]
    rawfile: Vec<String>,
    /// Let $ARGS.positional be these texts; behind FILTER
    #[arg(long, num_args = 0.., hide_short_help = true, value_name = "VALUE")]
    args: Vec<String>,
    /// Let $ARGS.positional be these values that are JSON; behind FILTER
    #[arg(long, num_args = 0.., hide_short_help = true, value_name = "JSON", conflicts_with = "args")]
    jsonargs: Vec<String>,
}

impl Variables {
    /// Returns each variable of a filter on `file`, and its value.
    pub(super) fn all(&self, file: &Path) -> Result<Vec<(String, Value)>, Failure> {
        let mut named: Vec<(String, Value)> = Vec::new();
        let text = |text: &str| Value::from(text.to_owned());
        for [name, value] in self.arg.as_chunks::<2>().0 {
            named.push((name.clone(), text(value)));
        }
        for [name, json] in self.argjson.as_chunks::<2>().0 {
            named.push((name.clone(), value(&format!("--argjson {}", shown(name)), json)?));
        }
        for [name, path] in self.slurpfile.as_chunks::<2>().0 {
            named.push((name.clone(), values(path)?));
        }
        for [name, path] in self.rawfile.as_chunks::<2>().0 {
            named.push((name.clone(), text(&String::from_utf8_lossy(&bytes(path)?))));
        }
        let texts = self.args.iter().map(|it| Ok(text(it)));
        let jsons = self.jsonargs.iter().map(|json| value("--jsonargs", json));
        let positional = texts.chain(jsons).collect::<Result<Value, _>>()?;
        let object = |pairs: Vec<(String, Value)>| {
            let pairs = pairs.into_iter().map(|(name, value)| (Value::from(name), value));
            jaq_core::ValT::from_map(pairs).map_err(|error: jaq_core::Error<Value>| {
                Failure::usage(format!("the variables: {error}"))
            })
        };
        let arguments = vec![
            ("positional".to_owned(), positional),
            ("named".to_owned(), object(named.clone())?),
        ];
        let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let environment =
            std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value).into()));
        named.push(("ARGS".to_owned(), object(arguments)?));
        named.push(("ENV".to_owned(), object(environment.collect())?));
        named.push(("__file__".to_owned(), text(&whole_name(file))));
        Ok(named)
    }
}

fn value(option: &str, text: &str) -> Result<Value, Failure> {
    let json = Json::read(text.as_bytes());
    json.map(Value::from).map_err(|error| {
        Failure::usage(format!(
            "{option}: no JSON: expected {}, found {}",
            error.expected(),
            shown(error.found())
        ))
    })
}

fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::stream("could not be read", &name(Path::new(path)), &error);
    read(Path::new(path)).map_err(failed)
}

/// Returns the list of the JSON texts in a file.
fn values(path: &str) -> Result<Value, Failure> {
    let text = String::from_utf8(bytes(path)?)
        .map_err(|_| Failure::no(format!("{}: this is no JSON, but binary", shown(path))))?;
    let (mut found, mut start) = (Vec::new(), 0);
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    while let Some(next) = stream.next() {
        next.map_err(|error| Failure::no(format!("{}: no JSON: {error}", shown(path))))?;
        found.push(value(&shown(path), &text[start..stream.byte_offset()])?);
        start = stream.byte_offset();
    }
    Ok(found.into_iter().collect())
}
