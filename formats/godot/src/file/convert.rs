//! Converts files to another engine.

use super::{Opener, ValueFile, unread_layer};
use crate::wrapper::{Cipher, Layer, Wrapping};
use formwork::Result;
use formwork_edit::convert::{Converter, Loss};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Encoder, Real};

impl<R: Real> ValueFile<R> {
    /// Returns the file as another engine would write it, and what the values lose: each value becomes the nearest one of
    /// that engine, in the same framing and compression, after the same header, and encrypted as that engine does it.
    ///
    /// ```
    /// use formwork_godot::wrapper::{Cipher, Key, Layer, encrypt};
    /// use formwork_variant::{Dialect, to_vec, variant};
    ///
    /// let save = variant!({ "hp": 7, "at": (formwork_variant::Vector2i { x: 1, y: 2 }) });
    /// let packet = to_vec(&save, Dialect::GODOT4)?;
    /// let encrypted = encrypt(&packet, Cipher::Cfb, &Key::from_password("secret"))?;
    ///
    /// let file = formwork_godot::Opener::new().password("secret").open(encrypted)?;
    /// let (file, losses) = file.convert(Dialect::GODOT3)?;
    /// assert_eq!(losses[0].place, "at"); // (Godot 3 has no Vector2i.)
    /// assert_eq!((file.dialect(), file.value()["hp"].as_int()), (Dialect::GODOT3, Some(7)));
    /// assert_eq!(file.layers(), [Layer::Encrypted(Cipher::Ecb)]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the engine does not read one of the layers, if a file of settings has something that its
    /// Dictionary does not hold, or if a length in the header cannot say the new length.
    pub fn convert(&self, to: Dialect) -> Result<(Self, Vec<Loss>)> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let limits = *self.decoder.size_limits();
        let converter = Converter::new(self.dialect(), to).in_precision::<R>().limits(limits);
        let encoder = Encoder::new(to).in_precision::<R>().limits(limits).rounding(true);
        let (mut losses, mut packets) = (Vec::new(), Vec::with_capacity(self.values.len()));
        for (index, value) in self.values.iter().enumerate() {
            let converted = converter.convert(value.clone());
            losses.extend_from_slice(converted.losses());
            let packet = encoder.encode(&converted.lossy());
            packets.push(packet.map_err(|error| error.under(self.place(index)))?);
        }
        let content = self.framing.join(to, packets)?;
        let layers = self.layers().iter().map(|layer| match layer {
            Layer::Encrypted(_) => Layer::Encrypted(Cipher::of(to)),
            layer => *layer,
        });
        let layers: Vec<Layer> = layers.collect();
        if let Some(error) = unread_layer(&layers, to) {
            return Err(error);
        }
        let wrapping = Wrapping::new(layers).header_of(&self.unwrapped);
        let bytes = wrapping.close(&content, self.key.as_ref())?;
        let mut opener = Opener::new().in_precision::<R>().dialect(to).framing(self.framing);
        opener.key.clone_from(&self.key);
        let file = opener.limits(limits).header(self.header().len() as u64).open(bytes)?;
        Ok((file, losses))
    }
}
