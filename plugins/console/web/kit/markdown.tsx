import { Typography } from '@mantine/core'
import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'
import type { PageOf } from './markdown-links.ts'

const Rendered = lazy(() => import('./markdown-rendered.tsx'))
/** More is shown as it stands: nobody reads it, and a parser takes seconds for it. */
const RENDERED = 200_000

/**
 * Markdown of an agent, a document or a person: never as HTML; links lead to http, https and mailto alone, images are of the
 * platform or in the text itself.
 */
export function Markdown({ text, pageOf }: { text: string; pageOf?: PageOf | undefined }) {
  const plain = <pre className={classes.plain}>{text}</pre>
  if (text.length > RENDERED) return plain
  return (
    <Suspense fallback={plain}>
      <Typography className={classes.markdown}>
        <Rendered text={text} pageOf={pageOf} />
      </Typography>
    </Suspense>
  )
}
