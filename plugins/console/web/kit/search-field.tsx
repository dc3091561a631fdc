import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useState } from 'react'

/** A field for what is looked for: told once typing pauses, or at once by Enter. */
export function SearchField(props: {
  label: string
  value: string
  onChange: (value: string) => void
  maxLength?: number
}) {
  const { label, value, onChange, maxLength = 200 } = props
  const [typed, setTyped] = useState(value)
  const tell = useDebouncedCallback(onChange, 300)
  const set = (next: string) => {
    setTyped(next)
    tell(next.trim())
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={maxLength}
      leftSection={<Search size={15} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label="Clear the search" onClick={() => set('')} />}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onChange(typed.trim())
      }}
      flex={1}
      miw={200}
    />
  )
}
