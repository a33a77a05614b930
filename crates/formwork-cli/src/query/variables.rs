//! The variables that filters are given on the command line, with the options of jq.

use std::path::Path;

use clap::Args;
use formwork_variant::Dialect;
use formwork_variant::Real;
use serde::de::IgnoredAny;

use super::functions;
use super::value::Value;
use crate::failure::Failure;
use crate::input::read;
use crate::source::name;
use crate::style::shown;

/// The variables of a filter.
#[derive(Args, Debug, Default)]
pub(crate) struct Variables {
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
    pub(super) fn all<R: Real>(
        &self,
        file: &Path,
        dialect: Option<Dialect>,
    ) -> Result<Vec<(String, Value<R>)>, Failure> {
        let mut named: Vec<(String, Value<R>)> = Vec::new();
        let json = |option: &str, text: &str| {
            let value = functions::from_json(text, dialect);
            value.map_err(|error| Failure::usage(format!("{option}: {}", shown(error))))
        };
        for [name, text] in self.arg.as_chunks::<2>().0 {
            named.push((name.clone(), Value::text(text.as_str())));
        }
        for [name, text] in self.argjson.as_chunks::<2>().0 {
            named.push((name.clone(), json(&format!("--argjson {}", shown(name)), text)?));
        }
        for [name, path] in self.slurpfile.as_chunks::<2>().0 {
            let values = texts(path)?.into_iter().map(|text| json(&shown(path), &text));
            let values = Value::list(values.collect::<Result<_, _>>()?);
            named.push((name.clone(), values.map_err(|error| Failure::no(error.to_string()))?));
        }
        for [name, path] in self.rawfile.as_chunks::<2>().0 {
            named.push((name.clone(), Value::of_bytes(&bytes(path)?)));
        }
        let texts = self.args.iter().map(|text| Ok(Value::text(text.as_str())));
        let values = self.jsonargs.iter().map(|text| json("--jsonargs", text));
        let positional = texts.chain(values).collect::<Result<Vec<_>, _>>()?;
        let map = |pairs: Vec<(String, Value<R>)>| {
            let pairs = pairs.into_iter().map(|(name, value)| (Value::text(name), value));
            jaq_core::ValT::from_map(pairs)
                .map_err(|error| Failure::no(format!("a variable: {error:?}")))
        };
        let positional = Value::list(positional).map_err(|error| Failure::no(error.to_string()))?;
        let arguments =
            vec![("positional".to_owned(), positional), ("named".to_owned(), map(named.clone())?)];
        let environment = std::env::vars_os().map(|(name, value)| {
            (name.to_string_lossy().into_owned(), Value::text(&*value.to_string_lossy()))
        });
        named.push(("ARGS".to_owned(), map(arguments)?));
        named.push(("ENV".to_owned(), map(environment.collect())?));
        named.push(("__file__".to_owned(), Value::text(name(file))));
        Ok(named)
    }
}

fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::stream("could not be read", &name(Path::new(path)), &error);
    read(Path::new(path)).map_err(failed)
}

/// Returns each of the JSON texts in a file.
fn texts(path: &str) -> Result<Vec<String>, Failure> {
    let text = String::from_utf8(bytes(path)?)
        .map_err(|_| Failure::no(format!("{}: this is no JSON, but binary", shown(path))))?;
    let (mut texts, mut start) = (Vec::new(), 0);
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    while let Some(next) = stream.next() {
        next.map_err(|error| Failure::no(format!("{}: no JSON: {error}", shown(path))))?;
        texts.push(text[start..stream.byte_offset()].to_owned());
        start = stream.byte_offset();
    }
    Ok(texts)
}
