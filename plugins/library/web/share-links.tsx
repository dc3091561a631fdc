import { Badge, Button, Group, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { api, ConfirmButton, ListView, TimeAgo, useAction, useList } from 'agent-platform/console'
import { Link2 } from 'lucide-react'
import { NewShareLink } from './new-share-link.tsx'

/** Links of an item: made, counted and revoked. */
export function ShareLinks({ itemId }: { itemId: string }) {
  const [isOpen, { open, close }] = useDisclosure()
  const path = { itemId }
  const links = useList(['library', itemId, 'share-links'], (cursor, signal) =>
    api.get('/v1/library/{itemId}/share-links', { params: { path, query: { limit: 50, cursor } }, signal })
  )
  const revoking = useAction({
    run: (shareId: string) =>
      api.delete('/v1/library/{itemId}/share-links/{shareId}', { params: { path: { ...path, shareId } } }),
    changes: [['library', itemId, 'share-links']],
    done: 'The link is revoked'
  })
  return (
    <Stack component="section" aria-label="Share links">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            Share links
          </Title>
          <Text size="sm" c="dimmed">
            Anyone with such a link can download the file, without signing in.
          </Text>
        </div>
        <Button variant="default" leftSection={<Link2 size={16} aria-hidden />} onClick={open}>
          New link
        </Button>
      </Group>
      <ListView
        list={links}
        empty={
          <Text size="sm" c="dimmed">
            There are no links.
          </Text>
        }
      >
        {(rows) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Made</Table.Th>
                  <Table.Th>Expires</Table.Th>
                  <Table.Th>Downloads</Table.Th>
                  <Table.Th>Password</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>Revoke</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ id, createdAt, expiresAt, downloads, maxDownloads, hasPassword }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <TimeAgo at={createdAt} />
                    </Table.Td>
                    <Table.Td>
                      {Date.parse(expiresAt) <= Date.now() ? (
                        <Badge color="gray" variant="light" tt="none">
                          expired
                        </Badge>
                      ) : (
                        <TimeAgo at={expiresAt} />
                      )}
                    </Table.Td>
                    <Table.Td>
                      {maxDownloads === null ? downloads : `${downloads} of ${maxDownloads}`}
                    </Table.Td>
                    <Table.Td>{hasPassword ? 'Yes' : 'No'}</Table.Td>
                    <Table.Td ta="right">
                      <ConfirmButton
                        size="compact-sm"
                        title="Revoke this link?"
                        warning="It leads nowhere from then on. Downloads that have begun go on."
                        onClick={() => revoking.mutate(id)}
                        loading={revoking.isPending && revoking.variables === id}
                      >
                        Revoke
                      </ConfirmButton>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <NewShareLink itemId={itemId} isOpen={isOpen} onClose={close} />
    </Stack>
  )
}
