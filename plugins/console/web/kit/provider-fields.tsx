import { Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

interface Props {
  readonly provider: string | null
  readonly image: string | null
  onChange(chosen: { provider: string | null; image: string | null }): void
  /** What no provider stands for; left out where there must be one. */
  readonly none?: string
}

/** What a computer runs in, and the image that it is made of where that takes images. */
export function ComputerProviderFields({ provider, image, onChange, none }: Props) {
  const { data: options = [] } = useQuery({
    queryKey: ['providers', 'computers'],
    async queryFn({ signal }) {
      for await (const it of api.list('/v1/providers', { params: { query: { limit: 100 } }, signal }))
        if (it.capability === 'computers') return it.options
      return []
    },
    staleTime: 30_000
  })
  const offered = options.map(({ provider: value, configured }) => ({
    value,
    label: configured ? value : `${value} (does not work here)`
  }))
  const images = options.find((it) => it.provider === provider)?.models ?? []
  // What is chosen may be one that is not offered, as where the list cannot be had.
  const including = <T extends { value: string }>(
    list: readonly T[],
    value: string | null,
    of: (value: string) => T
  ) => (value === null || list.some((it) => it.value === value) ? list : [of(value), ...list])
  const plain = (value: string) => ({ value, label: value })
  return (
    <Group align="flex-start">
      <Select
        label="Provider"
        data={[...including(offered, provider, plain)]}
        value={provider}
        onChange={(chosen) => onChange({ provider: chosen, image: null })}
        {...(none === undefined ? { allowDeselect: false } : { clearable: true, placeholder: none })}
        w={260}
      />
      {(images.length > 0 || image !== null) && (
        <Select
          label="Image"
          data={[...including(images.map(plain), image, plain)]}
          value={image}
          onChange={(chosen) => onChange({ provider, image: chosen })}
          placeholder={images[0] ?? 'The one of the deployment'}
          clearable
          searchable
          w={320}
        />
      )}
    </Group>
  )
}
