import { JsonInput, NumberInput } from '@mantine/core'
import { useState } from 'react'

interface NumberProps {
  readonly label: string
  readonly value: number | null | undefined
  readonly least?: number
  readonly most: number
  readonly step?: number
  readonly onChange: (value: number | null) => void
}

/** A number, or the default where it is empty. */
export function NumberOf({ label, value, least = 0, most, step = 1, onChange }: NumberProps) {
  return (
    <NumberInput
      label={label}
      placeholder="Default"
      value={value ?? ''}
      min={least}
      max={most}
      step={step}
      allowDecimal={step < 1}
      onChange={(given) => onChange(typeof given === 'number' ? given : null)}
    />
  )
}

type Json = Record<string, unknown>

interface JsonProps {
  readonly label: string
  readonly description: string
  readonly value: object | undefined
  readonly onChange: (value: Json | undefined) => void
}

/** A JSON object; what is not complete yet stays in the field. */
export function JsonOf({ label, description, value, onChange }: JsonProps) {
  const [text, setText] = useState(value ? JSON.stringify(value, null, 2) : '')
  const read = (given: string): Json | undefined => {
    try {
      const parsed: unknown = JSON.parse(given)
      return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        ? (parsed as Json)
        : undefined
    } catch {
      return undefined
    }
  }
  const isWrong = text.trim() !== '' && read(text) === undefined
  return (
    <JsonInput
      label={label}
      description={description}
      value={text}
      error={isWrong ? 'Enter a JSON object' : undefined}
      onChange={(given) => {
        setText(given)
        const parsed = read(given)
        if (parsed !== undefined || given.trim() === '') onChange(parsed)
      }}
      autosize
      minRows={2}
      maxRows={16}
    />
  )
}
