//! Trees out of what the inspectors say.

use crate::Format;
use formwork_godot::inspect::{Inspector, Kind, Span, SpanType};
use formwork_variant::Result;

use super::node::{Name, Node};

/// The nodes of these bytes.
pub(super) fn nodes(bytes: &[u8], format: Format) -> Vec<Node> {
    match format {
        Format::Variant(dialect) => {
            of_spans(Inspector::new(bytes, dialect).layout_alone(), bytes.len())
        }
        Format::Alb1 => of_spans(formwork_alb1::inspect::Inspector::new(bytes), bytes.len()),
    }
}

fn of_spans<'a>(spans: impl Iterator<Item = Result<Span<'a>>>, length: usize) -> Vec<Node> {
    let whole = Node {
        start: 0,
        end: length,
        parent: 0,
        next: 0,
        name: Name::Own,
        layout: SpanType::Bytes,
        is_leaf: false,
    };
    let mut nodes = Vec::with_capacity(16 + length / 4);
    nodes.push(whole);
    // Those that are not at their end, from the outside in.
    let mut open = Vec::with_capacity(16);
    open.push(0);
    let mut at = 0;
    // A fault has no node; the rest of the bytes follows it.
    for span in spans.flatten() {
        if span.kind == Kind::Part {
            continue;
        }
        let depth = span.depth as usize + 1;
        close(&mut nodes, &mut open, depth, at);
        let index = nodes.len();
        let is_leaf = span.kind != Kind::Open;
        let end = if is_leaf { at + span.bytes.len() } else { at };
        nodes.push(Node {
            start: at,
            end,
            parent: open.last().copied().unwrap_or_default(),
            next: index + 1,
            name: Name::from(&span.name),
            layout: span.layout,
            is_leaf,
        });
        if is_leaf {
            at = end;
        } else {
            open.push(index);
        }
    }
    close(&mut nodes, &mut open, 0, at);
    nodes
}

/// Closes the innermost open nodes until `depth` of them are left.
fn close(nodes: &mut [Node], open: &mut Vec<usize>, depth: usize, at: usize) {
    let next = nodes.len();
    for index in open.drain(depth.min(open.len())..) {
        if let Some(node) = nodes.get_mut(index) {
            (node.end, node.next) = (at, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use formwork_variant::Dialect;

    use super::nodes;
    use crate::case::{Cases, Reading};

    /// Whatever the bytes are: each node lies in the one that it is in, and behind those before it.
    #[test]
    fn nodes_lie_in_each_other_and_one_behind_the_other() {
        for format in
            [Format::Variant(Dialect::GODOT3), Format::Variant(Dialect::GODOT4), Format::Alb1]
        {
            let cases = Cases::new(Reading { format, allow_objects: false }, 1);
            for number in (0..cases.enumerated() + 200).step_by(7) {
                let bytes = cases.case(number).bytes;
                let nodes = nodes(&bytes, format);
                assert_eq!(nodes[0].range(), 0..bytes.len(), "{format}, case {number}");
                // Where the last child so far of each node ends.
                let mut ends: Vec<usize> = nodes.iter().map(|node| node.start).collect();
                for (at, node) in nodes.iter().enumerate().skip(1) {
                    let parent = &nodes[node.parent];
                    assert!(node.parent < at && node.next > at && node.next <= parent.next);
                    assert!(node.start >= ends[node.parent], "{format}, case {number}: {node:?}");
                    assert!(node.end <= parent.end, "{format}, case {number}: {node:?}");
                    ends[node.parent] = node.end;
                }
            }
        }
    }
}
