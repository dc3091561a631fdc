import { Textarea } from '@mantine/core'
import { useState } from 'react'

interface Props {
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** A value as JSON, or text with expressions as it stands. Emptied, it is left out. */
export function ValueField({ value, onChange, ...shared }: Props) {
  const [text, setText] = useState(() => textOf(value))
  const isBroken = parsedOf(text) === broken
  return (
    <Textarea
      {...shared}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const next = parsedOf(currentTarget.value)
        if (next !== broken) onChange(next)
      }}
      error={isBroken ? 'This is neither JSON nor text with expressions' : undefined}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      autosize
      minRows={1}
      maxRows={14}
    />
  )
}

const broken = Symbol('broken')

/** Text that would be read as JSON is quoted. */
function textOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string' && parsedOf(value) === value) return value
  return JSON.stringify(value, null, 2)
}

function parsedOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return /^\s*(?:\{(?!\{)|\[|")/.test(text) ? broken : text
  }
}
