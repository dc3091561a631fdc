/** Path within the console of what a text links to by a name (`[[Name]]`) or a relative address; undefined where there is none. */
export type PageOf = (target: string, kind: 'name' | 'address') => string | undefined

interface Node {
  type: string
  value?: string
  url?: string
  children?: Node[]
  data?: { hProperties: { 'data-page': string } }
}
const names = /\[\[([^\][|#]+)(?:#[^\][|]*)?(?:\|([^\][]+))?\]\]/g

/** Links of a document to others of the console, for remark: those of which no page is known stay as they stand. */
export const pageLinks = (pageOf: PageOf) => () => (tree: Node) => linked(tree, pageOf)

function linked(node: Node, pageOf: PageOf): void {
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return split(child.value ?? '', pageOf)
    const page = child.type === 'link' && isRelative(child.url ?? '') && pageOf(child.url ?? '', 'address')
    if (page) child.data = { hProperties: { 'data-page': page } }
    if (child.type !== 'link') linked(child, pageOf)
    return [child]
  })
}

const isRelative = (url: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|[/#?])/i.test(url) && url !== ''

function split(text: string, pageOf: PageOf): Node[] {
  const parts: Node[] = []
  let at = 0
  for (const { index, 0: all, 1: name = '', 2: label } of text.matchAll(names)) {
    const page = pageOf(name.trim(), 'name')
    if (!page) continue
    const words: Node = { type: 'text', value: (label ?? name).trim() }
    parts.push(
      { type: 'text', value: text.slice(at, index) },
      { type: 'link', url: page, children: [words], data: { hProperties: { 'data-page': page } } }
    )
    at = index + all.length
  }
  return [...parts, { type: 'text', value: text.slice(at) }]
}
