import type { Element, ElementContent, Nodes, Root } from 'hast'
import type { Options as Schema } from 'rehype-sanitize'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { unified } from 'unified'
import { nodesOf } from './nodes.ts'
import { formulaOf } from './notation.ts'

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
/** Elements that stand apart from their neighbors, and that the schema does not have. */
const BLOCKS = new Set([
  ...['address', 'article', 'aside', 'button', 'center', 'dialog', 'fieldset', 'figcaption', 'figure'],
  ...[
    'footer',
    'form',
    'header',
    'hgroup',
    'label',
    'legend',
    'main',
    'menu',
    'nav',
    'optgroup',
    'option',
    'search'
  ]
])
const cleaning = unified().use(rehypeSanitize, schema)

/** A tree in which a browser runs nothing and loads nothing, and whose links tell nobody where they were. */
export function sanitised(tree: Nodes): Root {
  for (const node of nodesOf(tree)) {
    if ('children' in node)
      node.children = node.children.filter((it) => !isHidden(it)).flatMap(captioned) as typeof node.children
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

/** A table with its caption before it: within it, Markdown would have the caption in a cell. */
function captioned(node: Nodes): Nodes[] {
  if (node.type !== 'element' || node.tagName !== 'table') return [node]
  const isCaption = (it: ElementContent) => it.type === 'element' && it.tagName === 'caption'
  const captions = node.children.filter(isCaption) as Element[]
  node.children = node.children.filter((it) => !isCaption(it))
  return [...captions.map((it): Element => ({ ...it, tagName: 'div', properties: {} })), node]
}

const HIDING = new Set(['display:none', 'visibility:hidden', 'font-size:0', 'font-size:0px', 'opacity:0'])

/** What a browser does not show is not read to a model either. The second form of a formula by KaTeX is drawn, not read. */
function isHidden(node: Nodes): boolean {
  if (node.type !== 'element') return false
  const { hidden, style, className } = node.properties
  const rules = typeof style === 'string' ? style.toLowerCase().split(';') : []
  return (
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    rules.some((rule) => HIDING.has(rule.replace('!important', '').replace(/\s+/g, ''))) ||
    (Array.isArray(className) && className.includes('katex-html'))
  )
}

/** Images by what is said of them, formulas by their characters, and fields of forms, but the boxes of a list, by nothing. */
function replace(element: Element): void {
  const { tagName, properties } = element
  if (BLOCKS.has(tagName)) {
    element.tagName = 'div'
    element.properties = {}
  }
  if (tagName === 'math') {
    element.tagName = properties.display === 'block' ? 'div' : 'span'
    element.children = [{ type: 'text', value: formulaOf(element) }]
    element.properties = {}
  }
  const isField = tagName === 'input' && properties.type !== 'checkbox'
  if (tagName !== 'img' && !isField) return
  element.tagName = 'span'
  element.properties = {}
  const { alt } = properties
  element.children = typeof alt === 'string' && alt !== '' ? [{ type: 'text', value: `[${alt}]` }] : []
}
