import type { FormSchema } from 'agent-platform/console'
import { SchemaForm } from 'agent-platform/console'
import { ValueField } from './value-field.tsx'

type Values = Readonly<Record<string, unknown>>

/** Data by a JSON Schema: a field for each property of an object's, else as JSON. */
export function DataFields(props: {
  label: string
  schema: unknown
  value: unknown
  onChange: (value: unknown) => void
}) {
  const { label, schema, value, onChange } = props
  const form = Object(schema) as FormSchema
  if (form.properties && Object.keys(form.properties).length > 0)
    return <SchemaForm schema={form} value={Object(value ?? {}) as Values} onChange={onChange} />
  return <ValueField label={label} description="As JSON" value={value} onChange={onChange} />
}
