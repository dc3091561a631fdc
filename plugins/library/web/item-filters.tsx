import { Checkbox, Group, Select } from '@mantine/core'
import { SearchField } from 'agent-platform/console'

const types = [
  { value: 'image/*', label: 'Images' },
  { value: 'text/*', label: 'Text' },
  { value: 'application/pdf', label: 'PDF' },
  { value: 'text/csv', label: 'Tables (CSV)' },
  { value: 'audio/*', label: 'Sound' },
  { value: 'video/*', label: 'Video' }
]
const origins = [
  { value: 'upload', label: 'Uploaded' },
  { value: 'run', label: 'Made by a run' },
  { value: 'tool', label: 'Made by a tool' },
  { value: 'code', label: 'Made by code' }
] as const
const owners = [
  { value: 'own', label: 'My files' },
  { value: 'granted', label: 'Shared with me' }
]

type Change = (changes: Record<string, string | undefined>) => void

/** What the address says is looked for, as the API takes it. */
export function filtersOf(search: URLSearchParams) {
  const of = search.get('of')
  return {
    q: search.get('q') ?? undefined,
    mediaType: search.get('type') ?? undefined,
    origin: origins.find(({ value }) => value === search.get('origin'))?.value,
    granted: of === null ? undefined : of === 'granted',
    favourite: search.has('favourite') || undefined
  }
}

export function ItemFilters({ search, onChange }: { search: URLSearchParams; onChange: Change }) {
  const choice = (name: string, label: string, data: readonly { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={search.get(name)}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
      clearable
      w={160}
    />
  )
  return (
    <Group mb="md" gap="sm">
      <SearchField
        key={search.get('q') ?? ''}
        label="Search names and descriptions"
        value={search.get('q') ?? ''}
        onChange={(q) => onChange({ q })}
      />
      {choice('type', 'Any type', types)}
      {choice('origin', 'Any origin', origins)}
      {choice('of', 'Anybody’s', owners)}
      <Checkbox
        label="Favourites"
        checked={search.has('favourite')}
        onChange={({ currentTarget }) => onChange({ favourite: currentTarget.checked ? '1' : undefined })}
      />
    </Group>
  )
}
