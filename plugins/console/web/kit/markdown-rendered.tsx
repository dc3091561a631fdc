import { Anchor } from '@mantine/core'
import type { Components } from 'react-markdown'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

const plugins = [remarkGfm]
const components: Components = {
  // Of an address that leads nowhere safe only the text is left.
  a: ({ href, children }) =>
    href ? (
      <Anchor inherit underline="always" href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </Anchor>
    ) : (
      <span>{children}</span>
    )
}

const MarkdownRendered = ({ text }: { text: string }) => (
  <ReactMarkdown remarkPlugins={plugins} components={components}>
    {text}
  </ReactMarkdown>
)
export default MarkdownRendered
