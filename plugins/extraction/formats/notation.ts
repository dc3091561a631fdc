import type { Element, ElementContent, Nodes, Root } from 'hast'
import { nodesOf } from './nodes.ts'
import { grouped, subscript, superscript } from './scripts.ts'

/** The characters in an element, without recursion. */
export const textIn = (node: Nodes): string => {
  let text = ''
  for (const it of nodesOf(node)) if (it.type === 'text') text += it.value
  return text
}

/** Writes what stands above or below the line, and the reading of characters, as characters: Markdown has no form for it. */
export function writeNotation(tree: Root): void {
  const parents = [...nodesOf(tree)].filter((it) => 'children' in it)
  // The innermost first: a power may have a power.
  for (const parent of parents.reverse()) {
    const children: Nodes[] = []
    let before = ''
    for (const child of parent.children) {
      const text = child.type === 'element' ? written(child, before) : undefined
      const last = children.at(-1)
      const node: Nodes = text === undefined ? child : { type: 'text', value: text }
      // One text instead of many is written in far less time.
      if (node.type === 'text' && last?.type === 'text') last.value += node.value
      else children.push(node)
      before = textIn(node).slice(-20) || before
    }
    parent.children = children as typeof parent.children
  }
}

function written(element: Element, before: string): string | undefined {
  const text = () => textIn(element)
  switch (element.tagName) {
    case 'sup':
      return isNote(element)
        ? `[${text()
            .trim()
            .replace(/^\[(.*)\]$/, '$1')}]`
        : superscript(text(), before)
    case 'sub':
      return subscript(text())
    case 'rp':
      return ''
    case 'rt':
      return text().trim() === '' ? '' : `(${text().trim()})`
    default:
      return undefined
  }
}

/** A link to elsewhere in the document, as marks of notes are. */
const isNote = (element: Element): boolean =>
  textIn(element).trim() !== '' &&
  element.children.some(
    (it) => it.type === 'element' && it.tagName === 'a' && String(it.properties.href ?? '#').startsWith('#')
  )

/** A formula in MathML as characters: `(a+b)/2`, `10⁶`, `√(x+1)`. */
export function formulaOf(element: ElementContent | Element): string {
  if (element.type === 'text') return element.value.trim().replace(/[\u2061-\u2064]/g, '')
  if (element.type !== 'element') return ''
  const parts = element.children
    .map((it) => ({ it, text: formulaOf(it) }))
    .filter(({ it, text }) => it.type === 'element' || text !== '')
    .map(({ text }) => text)
  const [first = '', second = '', third = ''] = parts
  switch (element.tagName) {
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    case 'semantics':
      return first
    case 'msup':
    case 'mover':
      return `${first}${superscript(second, first)}`
    case 'msub':
    case 'munder':
      return `${first}${subscript(second)}`
    case 'msubsup':
    case 'munderover':
      return `${first}${subscript(second)}${superscript(third, first)}`
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`
    case 'msqrt':
      return `√${grouped(parts.join(''))}`
    case 'mroot':
      return `${superscript(second)}√${grouped(first)}`
    case 'mfenced':
      return `(${parts.join(', ')})`
    case 'mtable':
      return `(${parts.join('; ')})`
    case 'mtr':
      return parts.join(', ')
    default:
      return parts.join('')
  }
}
