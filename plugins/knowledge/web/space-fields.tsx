import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providersQuery } from './queries.ts'

export interface SpaceDraft {
  readonly name: string
  readonly description: string | null
  readonly provider: string
}

/** What a space is called, what it is for, and what searches it. */
export function SpaceFields(props: { draft: SpaceDraft; onChange: (draft: SpaceDraft) => void }) {
  const { draft, onChange } = props
  const { data: providers = [] } = useQuery(providersQuery)
  const chosen = providers.find(({ key }) => key === draft.provider)
  const options = providers.map(({ key, name, configured }) => ({
    value: key,
    label: configured ? name : `${name} (not configured)`
  }))
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
        label="Description"
        description="Agents that were granted the space are told it."
        value={draft.description ?? ''}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value || null })}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5_000}
      />
      <Select
        label="Searched by"
        description={chosen?.description}
        data={chosen ? options : [{ value: draft.provider, label: draft.provider }, ...options]}
        value={draft.provider}
        onChange={(provider) => onChange({ ...draft, provider: provider ?? 'embedded' })}
        allowDeselect={false}
      />
    </>
  )
}
