import { ScrollArea, Typography } from '@mantine/core'
import { parseHtml } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { createElement, useMemo } from 'react'
import classes from './html-preview.module.css'

/** What is drawn, without any attribute; of everything else, such as links and forms, the text alone. */
const drawn = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre code strong b em i s del sub sup hr br table thead tbody tfoot tr th td'.split(
    ' '
  )
)
const left = new Set(['script', 'style', 'template', 'title'])
const empty = new Set(['hr', 'br'])
/** White space between rows is no row. */
const rowsOnly = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr'])
/** The page has the headings above. */
const lowered: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

/** HTML of a document, drawn anew as elements of this page: nothing in it runs, loads or leads anywhere. */
export function HtmlPreview({ html }: { html: string }) {
  const content = useMemo(() => contentOf(parseHtml(html).body), [html])
  return (
    <ScrollArea.Autosize
      mah={640}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Preview' }}
    >
      <Typography className={classes.content}>{content}</Typography>
    </ScrollArea.Autosize>
  )
}

function contentOf(parent: Element): ReactNode[] {
  const name = parent.localName
  return Array.from(parent.childNodes).map((node, index) => {
    if (node instanceof Text) return rowsOnly.has(name) ? null : node.data
    if (!(node instanceof Element)) return null
    return elementOf(node, index)
  })
}

function elementOf(element: Element, key: number): ReactNode {
  const name = element.localName
  if (left.has(name)) return null
  if (empty.has(name)) return createElement(name, { key })
  const children = contentOf(element)
  if (!drawn.has(name)) return children
  return createElement(lowered[name] ?? name, { key }, ...children)
}
