import { Anchor } from '@mantine/core'
import { useMemo } from 'react'
import type { Components } from 'react-markdown'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Link } from 'wouter'
import type { PageOf } from './markdown-links.ts'
import { pageLinks } from './markdown-links.ts'

const components: Components = {
  // Of an address that leads nowhere safe only the text is left.
  a: ({ href, children, ...more }) => {
    const page = (more as { 'data-page'?: string })['data-page']
    if (page)
      return (
        <Anchor component={Link} inherit underline="always" href={page}>
          {children}
        </Anchor>
      )
    if (!href) return <span>{children}</span>
    return (
      <Anchor inherit underline="always" href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </Anchor>
    )
  }
}

function MarkdownRendered({ text, pageOf }: { text: string; pageOf: PageOf | undefined }) {
  const plugins = useMemo(() => (pageOf ? [remarkGfm, pageLinks(pageOf)] : [remarkGfm]), [pageOf])
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  )
}
export default MarkdownRendered
