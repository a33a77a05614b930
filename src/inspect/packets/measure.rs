//! How long something is, before it is read.

use super::Inspector;
use crate::inspect::Kind;
use crate::schema::{Repetition, Shape, Word};
use crate::variant::dialect::Packet;

impl Inspector<'_> {
    /// How long a packet or record is that starts here.
    pub(super) fn measure(&self, shape: Shape) -> Option<usize> {
        if matches!(shape, Shape::Padding) {
            return None;
        }
        let mut inner = Inspector::new(self.before_limit(), self.resolver.dialect)
            .starting(self.position, shape);
        inner.resolver.resource = self.resolver.resource;
        let mut end = self.limit;
        for item in inner {
            let span = item.ok()?;
            if span.kind == Kind::Rest {
                end = usize::try_from(span.offset).ok()?;
            }
        }
        end.checked_sub(self.position)
    }

    /// How long a packet is, where its header says it.
    pub(super) fn packet_size(&self, packet: &Packet, raw: u64) -> Option<usize> {
        let word = packet.header.word();
        let mut size = usize::from(word.bytes);
        for field in packet.payload {
            let there = match field.occurs {
                Repetition::Once => true,
                Repetition::If(condition) => {
                    condition.evaluate(&mut |path| bits_of_header(path, word, raw))? != 0
                }
                _ => return None,
            };
            if there {
                size += field.shape().size()?;
            }
        }
        Some(size)
    }
}

fn bits_of_header(path: &[&str], word: &Word, raw: u64) -> Option<i128> {
    let &["header", part] = path else { return None };
    word.parts(raw).find(|(bits, _)| bits.name == part).map(|(_, number)| number.into())
}
