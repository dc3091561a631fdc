import {
  ActionIcon,
  Card,
  Group,
  JsonInput,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput
} from '@mantine/core'
import { Trash2 } from 'lucide-react'
import type { Scorer } from './words.ts'
import { scorerNames } from './words.ts'

/** As it is entered: all that a scorer of any type may have. */
export interface ScorerDraft {
  readonly key: number
  readonly type: Scorer['type']
  readonly ignoreCase: boolean
  readonly text: string
  readonly schema: string
  readonly rubric: string
  readonly threshold: number
  readonly app: string
  readonly function: string
}

export const blankScorer = (key: number): ScorerDraft => ({
  ...{ key, type: 'contains', ignoreCase: true, text: '', schema: '{\n  "type": "object"\n}' },
  ...{ rubric: '', threshold: 0.7, app: '', function: '' }
})

const types = Object.entries(scorerNames).map(([value, label]) => ({ value, label }))
const means: Readonly<Record<Scorer['type'], string>> = {
  exact: 'The answer is the expected outcome, but for white space around it.',
  contains: 'The answer contains the expected outcome, or another text.',
  json_schema: 'The answer is JSON that fits a schema.',
  judge: 'A model grades the answer by what you say a good answer is. Its calls are charged.',
  app_function:
    'A function of an app is given input, expected outcome and answer, and gives a score of 0 to 1.'
}

/** Throws a SyntaxError for a schema that is no JSON. */
export function scorerOf(draft: ScorerDraft, name: string): Scorer {
  const { type, ignoreCase, text, rubric, threshold, app } = draft
  switch (type) {
    case 'exact':
      return { type, name, ignoreCase }
    case 'contains':
      return { type, name, ignoreCase, ...(text !== '' && { text }) }
    case 'json_schema':
      return { type, name, schema: JSON.parse(draft.schema) }
    case 'judge':
      return { type, name, rubric, threshold }
    case 'app_function':
      return { type, name, app, function: draft.function, threshold }
  }
}

export function ScorerFields(props: {
  draft: ScorerDraft
  onChange: (changes: Partial<ScorerDraft>) => void
  onRemove: (() => void) | undefined
}) {
  const { draft, onChange, onRemove } = props
  const { type } = draft
  return (
    <Card withBorder padding="sm">
      <Stack gap="sm">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <Select
            label="Scorer"
            data={types}
            value={type}
            onChange={(value) => value && onChange({ type: value as Scorer['type'] })}
            allowDeselect={false}
            flex={1}
          />
          {onRemove && (
            <ActionIcon variant="subtle" color="red" size="lg" aria-label="Remove scorer" onClick={onRemove}>
              <Trash2 size={16} />
            </ActionIcon>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {means[type]}
        </Text>
        {type === 'contains' && (
          <TextInput
            label="Text"
            placeholder="The expected outcome"
            value={draft.text}
            onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
            maxLength={8_000}
          />
        )}
        {(type === 'contains' || type === 'exact') && (
          <Switch
            label="Capitals and small letters are the same"
            checked={draft.ignoreCase}
            onChange={({ currentTarget }) => onChange({ ignoreCase: currentTarget.checked })}
          />
        )}
        {type === 'json_schema' && (
          <JsonInput
            label="JSON Schema"
            value={draft.schema}
            onChange={(schema) => onChange({ schema })}
            validationError="This is no JSON"
            formatOnBlur
            autosize
            minRows={4}
            maxRows={12}
            required
          />
        )}
        {type === 'judge' && (
          <Textarea
            label="Rubric"
            placeholder="It answers the question, names the source, and is friendly"
            value={draft.rubric}
            onChange={({ currentTarget }) => onChange({ rubric: currentTarget.value })}
            maxLength={8_000}
            autosize
            minRows={2}
            required
          />
        )}
        {type === 'app_function' && (
          <Group grow gap="sm">
            <TextInput
              label="App"
              value={draft.app}
              onChange={({ currentTarget }) => onChange({ app: currentTarget.value })}
              maxLength={100}
              required
            />
            <TextInput
              label="Function"
              value={draft.function}
              onChange={({ currentTarget }) => onChange({ function: currentTarget.value })}
              maxLength={100}
              required
            />
          </Group>
        )}
        {(type === 'judge' || type === 'app_function') && (
          <NumberInput
            label="Passes from"
            suffix=" %"
            min={0}
            max={100}
            value={Math.round(draft.threshold * 100)}
            onChange={(value) => onChange({ threshold: Math.min(100, Math.max(0, Number(value))) / 100 })}
            maw={160}
          />
        )}
      </Stack>
    </Card>
  )
}
