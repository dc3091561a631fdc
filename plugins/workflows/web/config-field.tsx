import { MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { AgentSelect, api, SearchSelect } from 'agent-platform/console'
import type { FieldKind } from './step-types.ts'
import { ValueField } from './value-field.tsx'

interface Props {
  readonly kind: FieldKind
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** Ids of the steps beside it. */
  readonly others: readonly string[]
}

/** A field of a step's config. Numbers and choices that are made by an expression are entered as text. */
export function ConfigField({ kind, value, onChange, others, ...shared }: Props) {
  const text = typeof value === 'string' ? value : ''
  const list = Array.isArray(value) ? value.map(String) : []
  if (kind === 'agent' && !text.includes('{{'))
    return <AgentSelect {...shared} value={text || null} onChange={(id) => onChange(id ?? undefined)} />
  if (kind === 'workflow' && !text.includes('{{'))
    return <WorkflowSelect {...shared} value={text || null} onChange={(id) => onChange(id ?? undefined)} />
  if (kind === 'step')
    return (
      <Select
        {...shared}
        data={[...others]}
        value={text || null}
        onChange={(id) => onChange(id ?? undefined)}
        clearable
      />
    )
  if (kind === 'steps')
    return (
      <MultiSelect
        {...shared}
        data={[...others]}
        value={list}
        onChange={(ids) => onChange(ids.length > 0 ? ids : undefined)}
        clearable
      />
    )
  if (kind === 'texts')
    return (
      <TagsInput
        {...shared}
        value={list}
        onChange={(texts) => onChange(texts.length > 0 ? texts : undefined)}
      />
    )
  if (kind === 'number' && typeof value !== 'string')
    return (
      <NumberInput
        {...shared}
        min={0}
        value={(value as number | undefined) ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    )
  if (kind === 'value') return <ValueField {...shared} value={value} onChange={onChange} />
  if (kind === 'long')
    return (
      <Textarea
        {...shared}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        autosize
        minRows={3}
        maxRows={14}
      />
    )
  return (
    <TextInput
      {...shared}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}

interface WorkflowSelectProps {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

const WorkflowSelect = (props: WorkflowSelectProps) => (
  <SearchSelect
    {...props}
    what="workflows"
    find={async (query, signal) => {
      const { data } = await api.get('/v1/workflows', { params: { query }, signal })
      return data.map(({ id, name }) => ({ value: id, label: name }))
    }}
    read={async (id, signal) => {
      const query = { query: id, limit: 1 }
      return (await api.get('/v1/workflows', { params: { query }, signal })).data[0]?.name ?? id
    }}
  />
)
