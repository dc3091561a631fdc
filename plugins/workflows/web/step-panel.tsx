import {
  Button,
  Card,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
  Title
} from '@mantine/core'
import { ErrorNotice } from 'agent-platform/console'
import { ConfigField } from './config-field.tsx'
import type { Step } from './definition.ts'
import { stepTypeOf, typeNames } from './step-types.ts'
import { ValueField } from './value-field.tsx'

interface Props {
  readonly step: Step
  /** Steps that it stands beside. */
  readonly beside: readonly Step[]
  /** What the platform says is wrong with it. */
  readonly fault: unknown
  readonly onChange: (step: Step) => void
  readonly onRemove: () => void
}

/** What a step does, when, and what comes of its failures. */
export function StepPanel({ step, beside, fault, onChange, onRemove }: Props) {
  const { label, summary, fields } = stepTypeOf(step.type)
  const others = beside.map(({ id }) => id).filter((id) => id !== step.id)
  const set = (changes: Partial<Step>) => onChange(pruned({ ...step, ...changes }))
  const configure = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = step.config ?? {}
    set({ config: value === undefined ? rest : { ...rest, [name]: value } })
  }
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {step.name ?? step.id}
          </Title>
          <Button size="compact-sm" variant="light" color="red" onClick={onRemove}>
            Remove
          </Button>
        </Group>
        {fault ? <ErrorNotice error={fault} /> : null}
        <Select
          label="Type"
          description={summary}
          data={[...new Set([...typeNames, step.type])].map((value) => ({
            value,
            label: stepTypeOf(value).label
          }))}
          value={step.type}
          onChange={(type) => type && set({ type, config: { ...stepTypeOf(type).begins } })}
          allowDeselect={false}
        />
        <TextInput
          label="Name"
          placeholder={step.id}
          value={step.name ?? ''}
          onChange={({ currentTarget }) => set({ name: currentTarget.value || undefined })}
          maxLength={200}
        />
        <MultiSelect
          label="Comes after"
          placeholder={step.dependsOn?.length ? undefined : 'Begins at once'}
          data={others}
          value={[...(step.dependsOn ?? [])]}
          onChange={(ids) => set({ dependsOn: ids.length > 0 ? ids : undefined })}
          clearable
        />
        {fields?.map(({ name, label, kind, isRequired, description }) => (
          <ConfigField
            key={`${step.type} ${name}`}
            kind={kind}
            label={label}
            description={description}
            required={isRequired}
            value={step.config?.[name]}
            onChange={(value) => configure(name, value)}
            others={others}
          />
        ))}
        {!fields && (
          <ValueField
            label="Config"
            description={`Of ${label}, as JSON`}
            value={step.config}
            onChange={(config) => set({ config: Object(config ?? {}) })}
          />
        )}
        <Failures step={step} others={others} set={set} />
        <Text size="xs" c="dimmed">
          Its id is <code>{step.id}</code>: expressions see what it gives as{' '}
          <code>{`{{ steps.${step.id}.output }}`}</code>.
        </Text>
      </Stack>
    </Card>
  )
}

function Failures(props: { step: Step; others: readonly string[]; set: (changes: Partial<Step>) => void }) {
  const { step, others, set } = props
  const { retry, timeoutSeconds, onError } = step
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label="Attempts"
          min={1}
          max={10}
          allowDecimal={false}
          value={retry?.attempts ?? 1}
          onChange={(attempts) =>
            set({ retry: Number(attempts) > 1 ? { ...retry, attempts: Number(attempts) } : undefined })
          }
        />
        <NumberInput
          label="Seconds at most"
          placeholder="The default"
          min={1}
          allowDecimal={false}
          value={timeoutSeconds ?? ''}
          onChange={(seconds) => set({ timeoutSeconds: seconds === '' ? undefined : Number(seconds) })}
        />
      </Group>
      <Select
        label="When it fails"
        data={[
          { value: 'fail', label: 'The execution fails' },
          { value: 'continue', label: 'Go on without its output' },
          ...others.map((id) => ({ value: `step ${id}`, label: `Go on with ${id}` }))
        ]}
        value={typeof onError === 'object' ? `step ${onError.step}` : (onError ?? 'fail')}
        onChange={(value) =>
          set({
            onError: value?.startsWith('step ')
              ? { step: value.slice(5) }
              : value === 'continue'
                ? value
                : undefined
          })
        }
        allowDeselect={false}
      />
    </>
  )
}

/** Without what is undefined, which JSON does not have. */
const pruned = (step: Step): Step =>
  Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as unknown as Step
