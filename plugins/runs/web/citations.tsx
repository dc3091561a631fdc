import { Anchor, Text } from '@mantine/core'
import type { Schemas } from 'agent-platform-client'

/** What an answer stands on, by the numbers that it has in the text. */
export function Citations({ citations }: { citations: readonly Schemas['Citation'][] }) {
  if (citations.length === 0) return null
  return (
    <div>
      <Text size="xs" fw={600} c="dimmed" mb={2}>
        Sources
      </Text>
      {citations.map(({ n, title, url, page, start, end }) => (
        <Text key={`${n} ${start} ${end}`} size="xs" style={{ overflowWrap: 'anywhere' }}>
          [{n}]{' '}
          {url && /^https?:\/\//i.test(url) ? (
            <Anchor href={url} target="_blank" rel="noopener noreferrer" size="xs">
              {title}
            </Anchor>
          ) : (
            title
          )}
          {page !== null && `, page ${page}`}
        </Text>
      ))}
    </div>
  )
}
