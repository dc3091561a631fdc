import { Anchor } from '@mantine/core'
import { createContext, useContext, useMemo } from 'react'
import type { Components } from 'react-markdown'
import ReactMarkdown, { defaultUrlTransform } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Link } from 'wouter'
import type { PageOf } from './markdown-links.ts'
import { pageLinks } from './markdown-links.ts'

const InLink = createContext(false)
const inText = /^data:image\/(?:png|jpeg|gif|webp);base64,/

/** An image elsewhere is not loaded, which would tell its host who reads: it is a link. */
function Picture({ src = '', alt = '' }: { src?: string | undefined; alt?: string | undefined }) {
  const isInLink = useContext(InLink)
  if (inText.test(src)) return <img src={src} alt={alt} />
  const url = URL.parse(src, location.href)
  if (src === '' || !url) return <span>{alt}</span>
  if (url.origin === location.origin) return <img src={src} alt={alt} loading="lazy" />
  const words = alt === '' ? `Image at ${url.host}` : `Image at ${url.host}: ${alt}`
  if (isInLink) return <span>{words}</span>
  return (
    <Anchor inherit underline="always" href={src} target="_blank" rel="noopener noreferrer">
      {words}
    </Anchor>
  )
}

const components: Components = {
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  // Of an address that leads nowhere safe only the text is left.
  a: ({ href, children, ...more }) => {
    const page = (more as { 'data-page'?: string })['data-page']
    if (page)
      return (
        <Anchor component={Link} inherit underline="always" href={page}>
          <InLink value={true}>{children}</InLink>
        </Anchor>
      )
    if (!href) return <span>{children}</span>
    return (
      <Anchor inherit underline="always" href={href} target="_blank" rel="noopener noreferrer">
        <InLink value={true}>{children}</InLink>
      </Anchor>
    )
  }
}

/** Of addresses in the text itself only those of pictures are kept. */
const urlOf = (url: string, key: string): string =>
  key === 'src' && inText.test(url) ? url : defaultUrlTransform(url)

function MarkdownRendered({ text, pageOf }: { text: string; pageOf: PageOf | undefined }) {
  const plugins = useMemo(() => (pageOf ? [remarkGfm, pageLinks(pageOf)] : [remarkGfm]), [pageOf])
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={urlOf}>
      {text}
    </ReactMarkdown>
  )
}
export default MarkdownRendered
