import { Anchor, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import { Link } from 'wouter'

/** Says so where the development model answers: who takes it for a language model thinks that the agent is broken. */
export function ModelHint({ modelProvider }: { modelProvider: string | null }) {
  const { data: models = [] } = useQuery({
    queryKey: ['models', 'all'],
    queryFn: ({ signal }) =>
      Array.fromAsync(api.list('/v1/models', { params: { query: { limit: 100 } }, signal }))
  })
  const byDefault = models.find((it) => it.default && it.modalities.includes('language'))
  if ((modelProvider ?? byDefault?.modelProvider) !== 'local') return null
  return (
    <Text size="xs" c="dimmed" mb="xs">
      The built-in development model answers, which is no language model.{' '}
      <Anchor component={Link} href="/models" inherit underline="always">
        Set up a provider
      </Anchor>{' '}
      for real answers. A message such as <Code>{'/call calculator {"expression":"6*7"}'}</Code> has it call a
      tool of the agent.
    </Text>
  )
}
