import type { SelectProps } from '@mantine/core'
import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

interface Option {
  readonly value: string
  readonly label: string
}

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** What is chosen from, in the plural: `agents`. It names the query, too. */
  readonly what: string
  /** Narrows what is offered: part of the name of the query. */
  readonly of?: string | undefined
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** The first page of a list, searched by the server. */
  readonly find: (query: { limit: number; query?: string }, signal: AbortSignal) => Promise<readonly Option[]>
  /** The label of a value that was not found, such as one that was chosen before. */
  readonly read: (value: string, signal: AbortSignal) => Promise<string>
}

const OFFERED = 50

/** One of a list of the API, which the server searches while somebody types. */
export function SearchSelect({ what, of, value, onChange, find, read, ...props }: Props) {
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 250)
  const chosen = useQuery({
    queryKey: [what, 'label', value],
    queryFn: ({ signal }) => read(value ?? '', signal),
    enabled: value !== null,
    staleTime: 30_000
  })
  const chosenLabel = value === null ? undefined : (chosen.data ?? value)
  // Closed, the field shows what is chosen.
  const query = text === chosenLabel ? '' : text
  const found = useQuery({
    queryKey: [what, 'found', of, query],
    queryFn: ({ signal }) => find({ limit: OFFERED, ...(query && { query }) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000
  })
  const options = found.data ?? []
  const isOffered = value === null || options.some((it) => it.value === value)
  const isSearching = found.isFetching || text !== typed.trim()
  return (
    <Select
      error={found.error ? `The ${what} could not be listed` : undefined}
      {...props}
      searchable
      data={isOffered ? [...options] : [{ value, label: chosenLabel ?? value }, ...options]}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      // The server has searched, also in fields that the label does not show. A chosen value that does not match is hidden.
      filter={({ options: all }) =>
        query === ''
          ? all
          : all.filter((it) => 'value' in it && options.some(({ value }) => value === it.value))
      }
      nothingFoundMessage={isSearching ? 'Searching…' : `No matching ${what}`}
      rightSection={found.isFetching && typed ? <Loader size="xs" aria-hidden /> : undefined}
    />
  )
}
