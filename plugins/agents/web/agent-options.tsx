import { Accordion, MultiSelect, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Agent } from 'agent-platform-client'
import { JsonOf, NumberOf } from './option-inputs.tsx'

type Options = NonNullable<Agent['options']>

export interface OptionsDraft {
  readonly temperature: number | null
  readonly maxTokens: number | null
  /** Contains only the options that are set. */
  readonly options: Options | null
}

type Choice = NonNullable<Options['fallbacks']>[number]
type Listed = readonly { readonly value: string; readonly label: string }[]

const keyOfChoice = ({ modelProvider, modelId }: Choice) => `${modelProvider}/${modelId ?? ''}`
function choiceOf(value: string): Choice {
  const at = value.indexOf('/')
  return { modelProvider: value.slice(0, at), modelId: value.slice(at + 1) || null }
}
/** A provider may list them no longer. */
const unlisted = (chosen: readonly Choice[], models: Listed): Listed =>
  chosen
    .map(keyOfChoice)
    .filter((value) => !models.some((it) => it.value === value))
    .map((value) => ({ value, label: value }))

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
/** The compiler reports an option of the API that is missing here. */
const callerOptions = Object.keys({
  temperature: true,
  maxTokens: true,
  topP: true,
  stop: true,
  seed: true,
  reasoning: true,
  reasoningTokens: true,
  toolChoice: true,
  parallelToolCalls: true,
  responseFormat: true,
  maxSteps: true,
  maxSeconds: true,
  providerOptions: true
} satisfies Record<NonNullable<Options['callerOptions']>[number], true>)

/** How the model of an agent is asked, in a section that is closed until someone opens it. */
export function AgentOptions<D extends OptionsDraft>({
  draft,
  models,
  onChange
}: {
  draft: D
  /** Models to choose from, as `<provider>/<model>`. */
  models: Listed
  onChange: (draft: D) => void
}) {
  const options: Options = draft.options ?? {}
  function set(changes: Partial<Record<keyof Options, unknown>>) {
    const given = Object.entries({ ...options, ...changes }).filter(([, value]) => value !== undefined)
    onChange({ ...draft, options: given.length > 0 ? (Object.fromEntries(given) as Options) : null })
  }
  const { toolChoice, responseFormat } = options
  const isNamed = typeof toolChoice === 'object'
  return (
    <Accordion variant="contained">
      <Accordion.Item value="options">
        <Accordion.Control>Model options</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            <MultiSelect
              label="Fallback models"
              description="Used in this order if the model is limited, unavailable or silent."
              placeholder={options.fallbacks ? undefined : 'Those of the project'}
              data={[...models, ...unlisted(options.fallbacks ?? [], models)]}
              value={(options.fallbacks ?? []).map(keyOfChoice)}
              onChange={(values) => set({ fallbacks: values.length > 0 ? values.map(choiceOf) : undefined })}
              maxValues={5}
              searchable
              clearable
            />
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
              <NumberOf
                label="Temperature"
                value={draft.temperature}
                most={2}
                step={0.1}
                onChange={(temperature) => onChange({ ...draft, temperature })}
              />
              <NumberOf
                label="Top P"
                value={options.topP}
                most={1}
                step={0.05}
                onChange={(value) => set({ topP: value ?? undefined })}
              />
              <NumberOf
                label="Seed"
                value={options.seed}
                most={2_147_483_647}
                onChange={(value) => set({ seed: value ?? undefined })}
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
              <NumberOf
                label="Output tokens per reply"
                value={draft.maxTokens}
                least={1}
                most={10_000_000}
                onChange={(maxTokens) => onChange({ ...draft, maxTokens })}
              />
              <Select
                label="Reasoning effort"
                placeholder="Default of the model"
                data={efforts}
                value={options.reasoning ?? null}
                onChange={(value) => set({ reasoning: value ?? undefined })}
                clearable
              />
              <NumberOf
                label="Reasoning tokens"
                value={options.reasoningTokens}
                most={1_000_000}
                onChange={(value) => set({ reasoningTokens: value ?? undefined })}
              />
            </SimpleGrid>
            <TagsInput
              label="Stop strings"
              description="Each ends a reply, and is not part of it. At most 4."
              value={options.stop ?? []}
              onChange={(stop) => set({ stop: stop.length > 0 ? stop : undefined })}
              maxTags={4}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <Select
                label="Tool choice"
                placeholder="Auto"
                data={[
                  { value: 'required', label: 'A tool is required' },
                  { value: 'none', label: 'No tools' },
                  { value: 'named', label: 'One tool by name' }
                ]}
                value={isNamed ? 'named' : (toolChoice ?? null)}
                onChange={(value) =>
                  set({ toolChoice: value === 'named' ? { tool: 'tool_name' } : (value ?? undefined) })
                }
                clearable
              />
              {isNamed && (
                <TextInput
                  label="Tool"
                  value={toolChoice.tool}
                  onChange={({ currentTarget }) => set({ toolChoice: { tool: currentTarget.value } })}
                  maxLength={64}
                  required
                />
              )}
              <Select
                label="Parallel tool calls"
                placeholder="Default of the model"
                data={[
                  { value: 'true', label: 'Allowed' },
                  { value: 'false', label: 'One at a time' }
                ]}
                value={options.parallelToolCalls === undefined ? null : String(options.parallelToolCalls)}
                onChange={(value) =>
                  set({ parallelToolCalls: value === null ? undefined : value === 'true' })
                }
                clearable
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <NumberOf
                label="Steps per run"
                value={options.maxSteps}
                least={1}
                most={10_000}
                onChange={(value) => set({ maxSteps: value ?? undefined })}
              />
              <NumberOf
                label="Seconds per run"
                value={options.maxSeconds}
                least={1}
                most={86_400}
                onChange={(value) => set({ maxSeconds: value ?? undefined })}
              />
            </SimpleGrid>
            <JsonOf
              label="JSON Schema of the answer"
              description="The answer is JSON that matches this schema. Leave empty for text."
              value={responseFormat?.schema}
              onChange={(schema) =>
                set({ responseFormat: schema === undefined ? undefined : { type: 'json', schema } })
              }
            />
            <JsonOf
              label="Provider options"
              description='Further options by provider, for example {"anthropic": {"effort": "low"}}. Not for secrets.'
              value={options.providerOptions}
              onChange={(providerOptions) => set({ providerOptions })}
            />
            <MultiSelect
              label="Options that callers can set"
              placeholder={options.callerOptions ? undefined : 'All except providerOptions'}
              data={callerOptions}
              value={options.callerOptions ?? []}
              onChange={(value) => set({ callerOptions: value.length > 0 ? value : undefined })}
              clearable
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
