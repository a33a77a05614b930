//! Zip archives, which engines load as packs.

use std::collections::BTreeMap;
use std::path::Path;

use formwork_godot::detect::{Other, detect, text};
use formwork_godot::pack::{ZipPack, ZippedFile, unsafe_part};
use formwork_variant::json::to_json;
use formwork_variant::{Array, Dialect, Variant};

use super::SHOWN;
use super::extract::place;
use crate::container::Torn;
use crate::failure::{Failure, Status};
use crate::file::{Checking, Decodes, Decoding, Describing, File};
use crate::form::Form;
use crate::format::LimitOptions;
use crate::guess::engine_name;
use crate::lines::{Finding, Grade};
use crate::output::OutputOptions;
use crate::quantity::{counted, integer};
use crate::remark;
use crate::report::{Entry, Report};
use crate::rows::Rows;
use crate::source::Source;
use crate::style::shown;
use crate::verdict::Verdict;

/// A zip archive.
#[derive(Debug)]
pub(crate) struct Zip {
    pub(crate) source: Source,
    pub(crate) limits: LimitOptions,
}

impl Zip {
    fn open(&self) -> Result<ZipPack<'_>, Failure> {
        ZipPack::open(self.source.content())
            .map_err(|error| Failure::in_value(&self.source.name, error))
    }

    /// Returns the kind of a file in the archive, in a word of `info`.
    fn kind(&self, zip: &ZipPack<'_>, file: &ZippedFile) -> String {
        /// Number of bytes that are searched for values.
        const LOOKED_AT: u64 = 1 << 16;
        if file.is_encrypted {
            return "encrypted".into();
        }
        if file.size == 0 {
            return "empty".into();
        }
        if file.size > LOOKED_AT {
            return "large".into();
        }
        let Ok(content) = zip.content(file, &self.limits.limits()) else { return "damaged".into() };
        if let Some(other) = Other::by_start(&content) {
            return other.name().into();
        }
        let detection = detect(&content);
        match (detection.best(), detection.other.or_else(|| text(&content))) {
            (Some(best), _) => format!("{} values", engine_name(best.dialect)),
            (None, other) => other.map_or("unknown", Other::name).into(),
        }
    }

    fn lines(&self, zip: &ZipPack<'_>) -> Vec<String> {
        let files: Vec<_> = zip.files().iter().map(|file| (self.kind(zip, file), file)).collect();
        let size = files.iter().map(|(_, file)| file.size.to_string().len()).max().unwrap_or(0);
        let kind = files.iter().map(|(kind, _)| kind.len()).max().unwrap_or(0);
        let line = |(it, file): &(String, &ZippedFile)| {
            format!("{:>size$}  {it:kind$}  {}", file.size, shown(&file.name))
        };
        files.iter().map(line).collect()
    }

    fn listing(&self, zip: &ZipPack<'_>) -> Variant {
        let files = zip.files().iter().map(|file| {
            let facts: Variant = [
                ("name", Variant::from(file.name.as_str())),
                ("kind", Variant::from(self.kind(zip, file).as_str())),
                ("size", integer(file.size)),
                ("stored_size", integer(file.stored_size)),
                ("crc32", Variant::from(format!("{:08x}", file.crc32).as_str())),
                ("encrypted", Variant::Bool(file.is_encrypted)),
            ]
            .into_iter()
            .collect();
            facts
        });
        [("files", Variant::Array(files.collect::<Array>()))].into_iter().collect()
    }

    /// Writes all files into a folder, but those whose paths lead outside. Overwrites no existing file.
    fn extract(&self, folder: &Path) -> Result<Status, Failure> {
        let zip = self.open()?;
        let name = &self.source.name;
        let (mut taken, mut left) = (0_u64, 0_u64);
        for file in zip.files() {
            let path = &*file.name;
            let why = unsafe_part(path).map(str::to_owned);
            let target = folder.join(path);
            let is_there = why.is_none() && target.symlink_metadata().is_ok();
            let why = why.or(is_there.then(|| "there is a file of this name already".to_owned()));
            let content = match why {
                Some(why) => Err(why),
                None => zip.content(file, &self.limits.limits()).map_err(|error| error.to_string()),
            };
            match content {
                Ok(content) => {
                    place(folder, path)?;
                    OutputOptions::file_at(&target).write(|out| {
                        // The output records a write error itself.
                        let _ = out.write_all(&content);
                        Ok(())
                    })?;
                    taken += 1;
                }
                Err(why) => {
                    left += 1;
                    remark(&format!("{name}: '{}' is left: {why}", shown(path)));
                }
            }
        }
        remark(&format!("{}: {}", shown(folder.display()), counted(taken, "file")));
        Ok(if left == 0 { Status::Done } else { Status::No })
    }
}

impl File for Zip {
    fn source(&self) -> &Source {
        &self.source
    }

    fn kind(&self) -> &str {
        Other::Zip.description()
    }

    fn refusal(&self) -> Failure {
        let name = &self.source.name;
        Failure::usage(format!("{name}: this is a zip archive of files, not one file of values"))
            .hint(format!(
                "to use a file of it: '{name}!NAME' ('formwork info {name}' lists the names)"
            ))
            .hint(format!(
                "to add or remove files: formwork pack {name} --put FILE, or --remove NAME"
            ))
    }

    fn decode(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        decoding.refuse_but(self, Decodes::Members)?;
        if let Some(folder) = decoding.into {
            return self.extract(folder);
        }
        let (name, zip) = (&self.source.name, self.open()?);
        let text = match decoding.form {
            Form::Json => to_json(&self.listing(&zip), Dialect::GODOT4, decoding.style) + "\n",
            Form::Text => self.lines(&zip).iter().map(|line| format!("{line}\n")).collect(),
            form => {
                let form = form.name();
                return Err(Failure::usage(format!(
                    "{name}: '{form}' is a form for values; an archive has a list of files"
                ))
                .hint("use --as json or --as text"));
            }
        };
        decoding.write_one(Other::Zip.name(), |out| {
            // The output records a write error itself.
            let _ = out.write_all(text.as_bytes());
            Ok(())
        })?;
        remark(&format!(
            "{name}: this is a zip archive; to read a file of it: formwork decode '{name}!NAME', to take all out: --into \
             FOLDER"
        ));
        Ok(Status::Done)
    }

    fn recover(&self, _: &Decoding<'_>, _: &Torn) -> Result<Status, Failure> {
        let name = &self.source.name;
        Err(Failure::usage(format!("{name}: --recover is for files of values, not for archives")))
    }

    fn describe(&self, report: &mut Report, asked: Describing) -> Status {
        report.add("format", Entry::named(Other::Zip.name(), Other::Zip.description()));
        report.add("size", Entry::Amount(asked.size, "byte"));
        let zip = match ZipPack::open(self.source.content()) {
            Ok(zip) => zip,
            Err(error) => {
                report.fault(vec![error.to_string()], Finding::of(Grade::Damage, &error));
                return Status::Done;
            }
        };
        report.add("files", Entry::Number(zip.files().len() as u64, "in the archive"));
        let mut kinds = BTreeMap::<String, u64>::new();
        for file in zip.files() {
            *kinds.entry(self.kind(&zip, file)).or_default() += 1;
        }
        if !kinds.is_empty() {
            report.add("kinds", Entry::Counts(kinds.into_iter().collect()));
            let mut lines = self.lines(&zip);
            if !asked.all && lines.len() > SHOWN {
                let more = lines.len() - SHOWN;
                lines.truncate(SHOWN);
                lines.push(format!("and {more} more (--all lists them)"));
            }
            report.add_for_people("contents", Entry::Lines(lines));
            let names = zip.files().iter().map(|file| file.name.clone());
            report.add_for_programs("contents", Entry::List(names.collect()));
        }
        Status::Done
    }

    fn verify(&self, _: Checking<'_>) -> Result<Verdict, Failure> {
        let (name, zip) = (&self.source.name, self.open()?);
        let faults = zip.check(&self.limits.limits());
        let files = counted(zip.files().len() as u64, "file");
        if let Some((file, error)) = faults.first() {
            let line = format!("{name}: zip, {files}: damaged: {}: {error}", shown(file));
            let mut verdict = Verdict::ok(line);
            verdict.ok = false;
            verdict.findings =
                faults.iter().map(|(_, error)| Finding::of(Grade::Damage, error)).collect();
            return Ok(verdict);
        }
        Ok(Verdict::ok(format!("{name}: zip, {files}: all are whole")))
    }

    fn rows(&self, rows: &mut Rows<'_>) -> Result<(), Failure> {
        rows.unknown(&self.source, self.refusal())
    }
}
