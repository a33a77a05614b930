//! `decode` of packs: a listing, or all files in a folder.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use formwork_godot::detect::Other;
use formwork_godot::pack::{unsafe_part, within_game};
use formwork_godot::wrapper;
use formwork_variant::Dialect;
use formwork_variant::Variant;
use formwork_variant::json::to_json;

use super::File;
use crate::failure::{Failure, Status};
use crate::file::Decoding;
use crate::form::Form;
use crate::listing::Listed;
use crate::output::OutputOptions;
use crate::quantity::counted;
use crate::quantity::integer;
use crate::remark;
use crate::style::shown;

impl File {
    /// Lists the files.
    pub(super) fn list(&self, decoding: &Decoding<'_>) -> Result<Status, Failure> {
        let Decoding { form, style, .. } = *decoding;
        let pack = self.open_whole()?;
        let name = &self.source.name;
        let files = Listed::all(&pack);
        let text = match form {
            Form::Native | Form::Project => {
                let form = form.name();
                return Err(Failure::usage(format!(
                    "{name}: '{form}' is a form for values; a pack has a list of files"
                ))
                .hint("use --as json or --as text"));
            }
            Form::Text => Listed::lines(&files).iter().map(|line| format!("{line}\n")).collect(),
            Form::Json => {
                let listing: Variant = [
                    ("engine", Variant::from(pack.engine().to_string().as_str())),
                    ("version", integer(pack.version().into())),
                    ("files", Listed::values(&files)),
                ]
                .into_iter()
                .collect();
                // The listing holds only values that plain JSON has.
                to_json(&listing, Dialect::GODOT4, style) + "\n"
            }
        };
        decoding.write_one(Other::GodotPack.name(), |out| {
            // The output records a write error itself.
            let _ = out.write_all(text.as_bytes());
            Ok(())
        })?;
        remark(&format!(
            "{name}: this is a pack; to read a file of it: formwork decode '{name}!NAME', to take all out: --into \
             FOLDER"
        ));
        Ok(Status::Done)
    }

    /// Extracts all files. Leaves out files whose path leads outside the folder and files whose content is not in the
    /// pack; the answer is "no" then, and for damaged files. An entry that removes the file of another pack is no file.
    /// Overwrites no existing file.
    pub(super) fn extract(&self, folder: &Path) -> Result<Status, Failure> {
        let pack = self.open_whole()?;
        let name = &self.source.name;
        let (mut taken, mut left, mut is_whole) = (0_u64, 0_u64, true);
        let mut leave = |file: &str, why: &str| {
            left += 1;
            remark(&format!("{name}: '{}' is left: {why}", shown(file)));
        };
        let mut written: HashSet<String> = HashSet::new();
        // Engines use the last of several entries with one name.
        let mut last = HashMap::new();
        for (index, file) in pack.files().iter().enumerate() {
            last.insert(within_game(&file.name()).to_owned(), index);
        }
        for (index, file) in pack.files().iter().enumerate() {
            let file_name = file.name();
            let path = within_game(&file_name);
            if last.get(path) != Some(&index) {
                continue;
            }
            if let Some(why) = unsafe_part(path) {
                leave(path, why);
                continue;
            }
            if file.is_removal() {
                let what = "only says that the file of this name in another pack is gone";
                remark(&format!("{name}: '{}' {what}", shown(path)));
                continue;
            }
            if file.is_delta() {
                leave(path, "it only holds what changed in the file of this name in another pack");
                continue;
            }
            let content = match pack.wrapped_content(file) {
                Ok(content) => content,
                Err(error) => {
                    leave(path, &error.to_string());
                    continue;
                }
            };
            let content = match (file.is_encrypted(), &self.source.key) {
                (false, _) => content,
                (true, None) => {
                    leave(path, "it is encrypted: use --key");
                    continue;
                }
                (true, Some(key)) => match wrapper::decrypt(&content, key, &self.limits.limits()) {
                    Ok((_, content)) => content,
                    Err(_) => {
                        leave(path, "the key is another one, or the file is damaged");
                        continue;
                    }
                },
            };
            let target = folder.join(path);
            if let Some(file) = own_folders(path).find(|folder| written.contains(*folder)) {
                leave(path, &format!("the pack has the file '{}', too", shown(file)));
                continue;
            }
            place(folder, path)?;
            if fs::symlink_metadata(&target).is_ok() {
                leave(path, "there is a file of this name already");
                continue;
            }
            OutputOptions::file_at(&target).write(|out| {
                // The output records a write error itself.
                let _ = out.write_all(&content);
                Ok(())
            })?;
            written.insert(path.to_owned());
            taken += 1;
            // The sum is that of the content, before it is encrypted.
            let damage = file.digest().and_then(|digest| match pack.sum(file) {
                Ok(sum) if sum == digest => None,
                Ok(_) => Some("its MD5 sum is another one".to_owned()),
                Err(error) => Some(error.to_string()),
            });
            if let Some(damage) = damage {
                is_whole = false;
                remark(&format!("{name}: '{}' is damaged: {damage}", shown(path)));
            }
        }
        remark(&format!("{}: {}", shown(folder.display()), counted(taken, "file")));
        Ok(if left == 0 && is_whole { Status::Done } else { Status::No })
    }
}

/// Returns the folders in which a file of a pack is.
fn own_folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(end, _)| path.get(..end))
}

/// Makes the parent folders of a file. None of them may be a link, which could lead elsewhere.
pub(super) fn place(folder: &Path, path: &str) -> Result<(), Failure> {
    let failed = |path: &Path, error: &std::io::Error| {
        Failure::stream("the folder could not be made", &shown(path.display()), error)
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut here = folder.to_owned();
    let parts: Vec<_> = path.split('/').collect();
    for part in parts.iter().take(parts.len().saturating_sub(1)) {
        here.push(part);
        match fs::symlink_metadata(&here) {
            Ok(there) if there.is_dir() => {}
            Ok(_) => {
                let name = shown(here.display());
                return Err(Failure::unreadable(format!(
                    "{name}: this is no folder, so nothing is put into it"
                )));
            }
            Err(_) => fs::create_dir(&here).map_err(|error| failed(&here, &error))?,
        }
    }
    Ok(())
}
