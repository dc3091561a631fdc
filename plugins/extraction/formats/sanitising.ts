import type { Element, Nodes, Root } from 'hast'
import type { Options as Schema } from 'rehype-sanitize'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { unified } from 'unified'

// What a browser would load from elsewhere tells others who reads: there are no images, but what is said of them.
const LOADED = ['img', 'picture', 'source']
const schema: Schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !LOADED.includes(name)) ?? [],
  // With all that is in them.
  strip: [
    'script',
    'style',
    'template',
    'title',
    'noscript',
    'iframe',
    'object',
    'svg',
    'math',
    'select',
    'textarea'
  ],
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] }
}
const cleaning = unified().use(rehypeSanitize, schema)

/** A tree in which a browser runs nothing and loads nothing, and whose links tell nobody where they were. */
export function sanitised(tree: Nodes): Root {
  for (const node of nodesOf(tree)) {
    if (node.type === 'element') replace(node)
    // Where it stood in the document is never asked for, and half of what is copied.
    delete node.position
  }
  const clean = cleaning.runSync(tree as Root)
  for (const node of nodesOf(clean)) {
    if (node.type !== 'element' || node.tagName !== 'a' || node.properties.href === undefined) continue
    node.properties.rel = ['noopener', 'noreferrer', 'nofollow']
    node.properties.target = '_blank'
  }
  return clean
}

/** Without recursion: a document may have a hundred thousand elements in each other. */
export function* nodesOf(tree: Nodes): Generator<Nodes> {
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    yield node
    if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) nodes.push(node.children[at] as Nodes)
  }
}

/** Images by what is said of them, and fields of forms, but the boxes of a list, by nothing. */
function replace(element: Element): void {
  const { tagName, properties } = element
  const isField = tagName === 'input' && properties.type !== 'checkbox'
  if (tagName !== 'img' && !isField) return
  element.tagName = 'span'
  element.properties = {}
  const { alt } = properties
  element.children = typeof alt === 'string' && alt !== '' ? [{ type: 'text', value: `[${alt}]` }] : []
}
