//! Packs of games, whole and damaged.

use formwork_godot::pack::{Pack, PackedFile};

/// Checks that any bytes are a pack or refused. A file that is given another content is read back, and every
/// other file is what it was. With its present content given again, the pack is unchanged.
pub fn pack(data: &[u8]) {
    let Some(pack) = open(data) else { return };
    let faults = pack.check();
    // The first files are enough: each means a new pack.
    for file in pack.files().iter().take(4) {
        let Ok(content) = pack.wrapped_content(file) else { continue };
        if let Ok(same) = pack.with_file(file, &content) {
            assert_eq!(same, data, "{}", file.name());
        }
        let twice = content.repeat(2);
        let Ok(changed) = pack.with_file(file, &twice) else { continue };
        let changed = open(&changed).expect("what is written can be read");
        assert_eq!(changed.files().len(), pack.files().len());
        for (old, new) in pack.files().iter().zip(changed.files()) {
            if old.is_removal() || old.stored_size() == 0 {
                continue;
            }
            let expected =
                if std::ptr::eq(old, file) { Some(&*twice) } else { content_of(&pack, old) };
            assert_eq!(content_of(&changed, new), expected, "{}", old.name());
        }
        if faults.is_empty() {
            assert_eq!(changed.check(), []);
        }
    }
}

/// Opens the pack. The bytes of an encrypted directory are taken for its decrypted bytes.
fn open(data: &[u8]) -> Option<Pack<'_>> {
    let mut pack = Pack::open(data).ok()?;
    if let Some(sealed) = pack.sealed_directory() {
        let _ = pack.open_directory(sealed.get(44..).unwrap_or_default());
    }
    Some(pack)
}

fn content_of<'a>(pack: &Pack<'a>, file: &PackedFile) -> Option<&'a [u8]> {
    pack.content(file).ok()
}
