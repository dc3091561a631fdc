import { Typography } from '@mantine/core'
import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))
/** More is shown as it stands: nobody reads it, and a parser takes seconds for it. */
const RENDERED = 200_000

/**
 * Markdown of an agent, a document or a person: never as HTML; links lead to http, https and mailto alone, images are of the
 * platform or in the text itself.
 */
export function Markdown({ text }: { text: string }) {
  const plain = <pre className={classes.plain}>{text}</pre>
  if (text.length > RENDERED) return plain
  return (
    <Typography className={classes.markdown}>
      <Suspense fallback={plain}>
        <Rendered text={text} />
      </Suspense>
    </Typography>
  )
}
