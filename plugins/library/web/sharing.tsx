import { Stack, Text, Title } from '@mantine/core'
import { api, Grants } from 'agent-platform/console'
import type { Item } from './queries.ts'
import { ShareLinks } from './share-links.tsx'

/** Who may use the item, and the links by which it is given to those who have no credential. */
export function Sharing({ item: { id } }: { item: Item }) {
  const path = { itemId: id }
  return (
    <Stack gap={40} maw={860}>
      <Stack component="section" aria-label="Grants">
        <div>
          <Title order={2} size="h4">
            Grants
          </Title>
          <Text size="sm" c="dimmed">
            Within the platform. What is revoked ends at once.
          </Text>
        </div>
        <Grants
          of={['library', id, 'grants']}
          levels={{
            read: 'preview and download',
            write: 'rename and describe too',
            manage: 'share and delete too'
          }}
          list={(cursor, signal) =>
            api.get('/v1/library/{itemId}/grants', { params: { path, query: { limit: 50, cursor } }, signal })
          }
          grant={(body) => api.post('/v1/library/{itemId}/grants', { params: { path }, body })}
          revoke={(grantId) =>
            api.delete('/v1/library/{itemId}/grants/{grantId}', { params: { path: { ...path, grantId } } })
          }
        />
      </Stack>
      <ShareLinks itemId={id} />
    </Stack>
  )
}
