import { Markdown } from 'agent-platform/console'
import { memo, useRef } from 'react'
import classes from './chat.module.css'
import type { Settling } from './settled-blocks.ts'
import { settle, unsettled } from './settled-blocks.ts'

/** A block that is still being written and longer than that is shown as it stands: a parser would be asked at every frame. */
const RENDERED = 12_000

const Block = memo(Markdown)

/** Markdown while it is being written: of all its blocks only the last one is rendered anew. */
export function GrowingText({ text }: { text: string }) {
  const known = useRef<Settling>(unsettled)
  known.current = settle(known.current, text)
  const { blocks, end } = known.current
  const rest = text.slice(end)
  return (
    <div className={classes.blocks}>
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added
        <Block key={place} text={block} />
      ))}
      {rest.length > RENDERED ? (
        <pre className={classes.plain}>{rest}</pre>
      ) : (
        rest && <Markdown text={rest} />
      )}
    </div>
  )
}
