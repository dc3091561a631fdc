import { MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

export interface WebhookDraft {
  readonly url: string
  readonly types: string[]
  readonly description: string
}

/** All names, and an area as a whole by `runs.*`. */
function useTypes(): string[] {
  const { data } = useQuery({
    queryKey: ['webhooks', 'event-types'],
    queryFn: ({ signal }) =>
      api.get('/v1/webhooks/event-types', { params: { query: { limit: 100 } }, signal })
  })
  const names = (data?.data ?? []).map(({ type }) => type).filter((type) => !type.startsWith('webhooks.'))
  const areas = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))]
  return ['*', ...areas, ...names]
}

export function WebhookFields(props: {
  draft: WebhookDraft
  onChange: (changes: Partial<WebhookDraft>) => void
}) {
  const { draft, onChange } = props
  const types = useTypes()
  return (
    <>
      <TextInput
        label="Address"
        description="Messages are sent there by POST. It has to be public."
        placeholder="https://example.com/hooks"
        type="url"
        value={draft.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        maxLength={2_000}
        required
      />
      <MultiSelect
        label="Events"
        description="What it is told of: an event, all of an area, or everything (*)."
        data={[...new Set([...types, ...draft.types])]}
        value={draft.types}
        onChange={(types) => onChange({ types })}
        searchable
        required
      />
      <TextInput
        label="Description"
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        maxLength={500}
      />
    </>
  )
}

export const bodyOf = ({ url, types, description }: WebhookDraft) => ({
  url,
  types,
  description: description.trim() === '' ? null : description.trim()
})
