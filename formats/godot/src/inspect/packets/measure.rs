//! Measures packets and records before they are read.

use super::{Inspector, Packets, Walk};
use formwork_records::inspect::Kind;
use formwork_records::schema::{Layout, Occurs, Repetition};
use formwork_variant::codec::{Decoder, WarningCounts};
use formwork_variant::dialect::Packet;

/// Returns the length of the packet or record that starts here.
pub(super) fn measure<'a>(walker: &Walk<'a>, shape: Layout) -> Option<usize> {
    let mut inner = Inspector::new(walker.before_limit(), walker.resolver.dialect)
        .starting(walker.position, shape);
    inner.0.resolver.resource = walker.resolver.resource;
    inner.0.resolver.brief = true;
    let mut end = walker.walk.end();
    for item in inner {
        let span = item.ok()?;
        if span.kind == Kind::Rest {
            end = usize::try_from(span.offset).ok()?;
        }
    }
    end.checked_sub(walker.position)
}

/// Returns the length of the packet that starts here, at this depth, if nothing in it is wanted and it has no notes:
/// then it can be skipped.
pub(super) fn unwanted<'a>(walker: &mut Walk<'a>, depth: u32) -> Option<usize> {
    let Packets { brief, target, dialect, allowance, .. } = walker.resolver;
    let is_deepest = walker.deepest.is_some_and(|deepest| depth >= deepest);
    if walker.shallow || !(brief || is_deepest || target.is_some()) {
        return None;
    }
    let start = walker.position;
    let target = target.and_then(|target| usize::try_from(target).ok());
    let target = target.map(|target| target.saturating_sub(start));
    if target == Some(0) || allowance == 0 {
        return None;
    }
    let mut found = WarningCounts::default();
    let bytes = walker.before_limit().get(start..)?;
    let decoder = Decoder::new(dialect).double().allow_objects(true);
    let mut walk = decoder.walk_counting_warnings(bytes, &mut found);
    let is_whole = loop {
        match walk.next() {
            None => break true,
            Some(Ok(_)) if target.is_none_or(|target| walk.offset() <= target) => {}
            Some(_) => break false,
        }
    };
    let length = walk.offset();
    if is_whole && found.only_padding_as_left() {
        return Some(length);
    }
    // Packets in packets are not to be walked through again and again.
    walker.resolver.allowance = allowance.saturating_sub(length);
    None
}

/// Returns the length of a packet, if its header gives it.
pub(super) fn packet_size(packet: &Packet, raw: u64) -> Option<usize> {
    let word = packet.header.word();
    let part = |name: &str| {
        word.values(raw).find(|it| it.0.name == name).map(|it| (it.1.into(), it.0.integer()))
    };
    let mut size = usize::from(word.bytes);
    for field in packet.payload.fields {
        let there = match field.occurs() {
            Repetition::Once => true,
            Repetition::If(condition) => condition.evaluate(|_, parts| part(parts.first()?))? != 0,
            _ => return None,
        };
        if there {
            size += field.element().size()?;
        }
    }
    Some(size)
}
