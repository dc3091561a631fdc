import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { OptionsDraft } from './agent-options.tsx'
import { AgentOptions } from './agent-options.tsx'
import { modelsQuery } from './queries.ts'

export interface AgentDraft extends OptionsDraft {
  readonly name: string
  readonly instructions: string | null
  readonly modelProvider: string | null
  readonly modelId: string | null
}

/** What an agent is told and which model speaks for it. */
export function AgentFields({
  draft,
  onChange
}: {
  draft: AgentDraft
  onChange: (draft: AgentDraft) => void
}) {
  const models = useQuery(modelsQuery)
  const chosen = draft.modelProvider && `${draft.modelProvider}/${draft.modelId ?? ''}`
  const options = (models.data ?? []).map(({ modelProvider, modelId, name }) => ({
    value: `${modelProvider}/${modelId}`,
    label: `${name} (${modelProvider})`
  }))
  // A model may be chosen that is not listed: the provider's default, or one of a provider that is no longer configured.
  const isListed = !chosen || options.some(({ value }) => value === chosen)
  return (
    <>
      <TextInput
        label="Name"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        maxLength={200}
        required
        data-autofocus
      />
      <Textarea
        label="Instructions"
        description="The system prompt: what the agent is for and how it should behave."
        value={draft.instructions ?? ''}
        onChange={({ currentTarget }) => onChange({ ...draft, instructions: currentTarget.value || null })}
        autosize
        minRows={4}
        maxRows={20}
        maxLength={100_000}
      />
      <Select
        label="Model"
        placeholder="The default of the platform"
        data={isListed ? options : [{ value: chosen, label: chosen.replace(/\/$/, '') }, ...options]}
        value={chosen}
        onChange={(value) => {
          const at = value?.indexOf('/') ?? 0
          const modelProvider = value?.slice(0, at) || null
          onChange({ ...draft, modelProvider, modelId: value?.slice(at + 1) || null })
        }}
        searchable
        clearable
        nothingFoundMessage="No model of that name"
      />
      <AgentOptions draft={draft} models={options} onChange={onChange} />
    </>
  )
}
