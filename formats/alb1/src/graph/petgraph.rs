//! The graph in the form of the library petgraph.

use petgraph::graph::DiGraph;

use super::{Graph, ObjectId};
use formwork::Path;

/// How an object leads to another.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Edge {
    /// It holds it, there.
    Holds(Path),
    /// A pointer leads to it, from there.
    Points(Path),
}

impl Graph<'_> {
    /// Returns the graph for petgraph's algorithms. The index of a node is the index of its
    /// [`ObjectId`]; pointers that lead nowhere have no edge.
    #[must_use]
    pub fn to_petgraph(&self) -> DiGraph<ObjectId, Edge> {
        let mut graph = DiGraph::with_capacity(self.objects.len(), self.objects.len());
        let nodes: Vec<_> = self.objects().map(|id| graph.add_node(id)).collect();
        let node = |id: ObjectId| nodes.get(id.index()).copied();
        for id in self.objects() {
            if let (Some(from), Some(to)) = (self.parent(id).and_then(node), node(id)) {
                graph.add_edge(from, to, Edge::Holds(self.way(id)));
            }
        }
        for pointer in &self.pointers {
            if let (Some(from), Some(to)) = (node(pointer.from), pointer.to.and_then(node)) {
                graph.add_edge(from, to, Edge::Points(pointer.way.clone()));
            }
        }
        graph
    }
}
