import { Select, Slider, Text, Textarea } from '@mantine/core'
import type { MemoryType } from './queries.ts'
import { typeOptions } from './queries.ts'

export interface MemoryDraft {
  readonly type: MemoryType
  readonly content: string
  readonly importance: number
}

export function MemoryFields(props: { draft: MemoryDraft; onChange: (draft: MemoryDraft) => void }) {
  const { draft, onChange } = props
  return (
    <>
      <Textarea
        label="Memory"
        description="One thing, as a sentence that is understood by itself."
        value={draft.content}
        onChange={({ currentTarget }) => onChange({ ...draft, content: currentTarget.value })}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={8_000}
        required
        data-autofocus
      />
      <Select
        label="Kind"
        data={typeOptions}
        value={draft.type}
        onChange={(type) => type && onChange({ ...draft, type: type as MemoryType })}
        allowDeselect={false}
        maw={240}
      />
      <div>
        <Text size="sm" fw={500} id="importance">
          Importance
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          Decides between memories that fit alike: {Math.round(draft.importance * 100)} %
        </Text>
        <Slider
          value={draft.importance}
          onChange={(importance) => onChange({ ...draft, importance })}
          min={0}
          max={1}
          step={0.05}
          label={(value) => `${Math.round(value * 100)} %`}
          thumbLabel="Importance"
          maw={320}
        />
      </div>
    </>
  )
}
