//! Finds a value in the rows of `dump`.

use formwork_edit::{Step, ValuePath};
use formwork_variant::{Real, Strictness};

use crate::container::Torn;
use crate::failure::Failure;
use crate::framing::FramingName;
use crate::packets::Input;
use crate::rows::Place;
use crate::values::recover;

impl Input {
    /// Finds a value by its path, like `get`, in the readable part of the packets.
    pub(super) fn place<R: Real>(&self, path: &str) -> Result<Place, Failure> {
        if let Some(start) = self.packet::<R>(path) {
            return Ok(Place::Value(start));
        }
        let values = match self.values::<R>(Strictness::Engine) {
            Ok(read) => read.values,
            // The values before the fault keep their places.
            Err(_) => recover::<R>(self, &Torn::default()).values,
        };
        let found = ValuePath::new(path).find_in(&values, self.dialect);
        let (number, place) = found.map_err(|error| self.lost(path, None, &error))?;
        let is_settings = self.framing == FramingName::Settings;
        let mut names = match (is_settings, self.framing.order()) {
            (true, _) => Vec::new(),
            (false, Some(_)) => vec![format!("[{number}]"), "packet".to_owned()],
            (false, None) => vec![format!("[{number}]")],
        };
        for (level, step) in place.steps().iter().enumerate() {
            let is_setting = is_settings && level == 0;
            let (at, part) = match *step {
                Step::Element(at) => (at, None),
                Step::Key(at) if is_setting => (at, Some("name")),
                Step::Key(at) => (at, Some("key")),
                Step::Value(at) => (at, Some("value")),
                Step::Property(at) => {
                    names.push("properties".to_owned());
                    (at, Some("value"))
                }
            };
            names.push(format!("[{at}]"));
            names.extend(part.map(str::to_owned));
        }
        Ok(Place::Names(names))
    }

    /// Returns the offset of the packet of a value, without decoding a value; none where this is
    /// impossible.
    fn packet<R: Real>(&self, path: &str) -> Option<u64> {
        let (start, packet) = self.only_packet()?;
        let decoder = self.decoder::<R>(Strictness::Engine);
        let range = ValuePath::new(path).find_packet(packet, &decoder).ok()??;
        Some(start + range.start as u64)
    }
}
