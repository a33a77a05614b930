//! Files of settings, whole and damaged.

use formwork_godot::settings::{self, Settings};
use formwork_variant::{Decoder, Dialect};

use super::choose;

/// Checks that any bytes are read or refused, and that an error points into them. A file that is read gives a
/// packet, which gives the very same file. The rest of a damaged file takes no more than its bytes.
pub fn settings(data: &[u8]) {
    let Some((dialect, objects, bytes)) = choose(data) else { return };
    let decoder = Decoder::new(dialect).double().allow_objects(objects);
    if let Ok(settings) = Settings::new(bytes) {
        for setting in settings.flatten() {
            assert!(setting.offset as usize + setting.packet.len() <= bytes.len());
        }
    }
    let recovered = settings::recover(bytes, &decoder);
    assert!(recovered.values.len() <= 1);
    for lost in &recovered.lost {
        assert!(lost.range.start <= lost.range.end && lost.range.end <= bytes.len().max(8) as u64);
    }
    match settings::read(bytes, &decoder) {
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            assert!(!recovered.is_whole(), "{error}");
        }
        Ok(read) if read.fault.is_some() => {
            settings::to_packet(bytes, &decoder).expect_err("a Dictionary does not hold all of it");
        }
        Ok(read) => {
            assert!(recovered.is_whole() && recovered.values[0].is_identical(&read.value));
            written_again(bytes, dialect, &decoder);
        }
    }
}

fn written_again(bytes: &[u8], dialect: Dialect, decoder: &Decoder<f64>) {
    let packet = settings::to_packet(bytes, decoder).expect("the file was read");
    let again = settings::from_packet(&packet, decoder, Some(bytes)).expect("it was a file");
    assert!(again == bytes, "{dialect}");
}
