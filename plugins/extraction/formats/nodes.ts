import type { Nodes } from 'hast'

/** Every node of a tree, in document order. Without recursion, because a document can nest 100,000 elements. */
export function* nodesOf(tree: Nodes): Generator<Nodes> {
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    yield node
    if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) nodes.push(node.children[at] as Nodes)
  }
}
