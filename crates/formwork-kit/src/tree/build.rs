//! Trees out of what the inspectors say.

use formwork::inspect::{self, Inspector, Kind, Layout, Span};
use formwork::{Format, Result};

use super::node::{Name, Node};

/// The nodes of these bytes.
pub(super) fn nodes(bytes: &[u8], format: Format) -> Vec<Node> {
    match format {
        Format::Variant(dialect) => {
            of_spans(Inspector::new(bytes, dialect).layout_alone(), bytes.len())
        }
        Format::Alb1 => of_spans(inspect::alb1::Inspector::new(bytes), bytes.len()),
    }
}

fn of_spans<'a>(spans: impl Iterator<Item = Result<Span<'a>>>, length: usize) -> Vec<Node> {
    let whole = Node {
        start: 0,
        end: length,
        parent: 0,
        next: 0,
        name: Name::Own,
        layout: Layout::Bytes,
        is_leaf: false,
        is_fixed: true,
    };
    let mut nodes = Vec::with_capacity(16 + length / 4);
    nodes.push(whole);
    // Those that are not at their end, from the outside in.
    let mut open = Vec::with_capacity(16);
    open.push(0);
    let mut at = 0;
    // Of a fault nothing is kept but the rest of the bytes, which comes behind it.
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
            is_fixed: span.length.is_some(),
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

/// Ends all but so many of those that are open.
fn close(nodes: &mut [Node], open: &mut Vec<usize>, depth: usize, at: usize) {
    let next = nodes.len();
    for index in open.drain(depth.min(open.len())..) {
        if let Some(node) = nodes.get_mut(index) {
            (node.end, node.next) = (at, next);
        }
    }
}
