import { Mark, Paper } from '@mantine/core'
import { useEffect, useRef } from 'react'
import classes from './document-source.module.css'

/** Around a passage, or from the beginning, as much is laid out. */
const SHOWN = 60_000

/** The text as it was written, with the passage marked and in sight. */
export function DocumentSource(props: { content: string; start?: number; end?: number }) {
  const { content, start = 0, end = 0 } = props
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' })
  }, [])
  const from = Math.max(0, Math.min(start - SHOWN / 2, content.length - SHOWN))
  const to = Math.min(content.length, from + SHOWN)
  const last = Math.min(end, to)
  return (
    <Paper
      withBorder
      className={classes.scroll}
      component="section"
      aria-label="Text of the document"
      tabIndex={0}
    >
      <pre className={classes.text}>
        {from > 0 && `… ${from.toLocaleString('en')} characters before\n`}
        {content.slice(from, start)}
        {last > start && <Mark ref={mark as never}>{content.slice(start, last)}</Mark>}
        {content.slice(Math.max(start, last), to)}
        {to < content.length && `\n… ${(content.length - to).toLocaleString('en')} characters more`}
      </pre>
    </Paper>
  )
}
