import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { api, ConfirmButton, ListTable, TimeAgo, useAction, useList } from 'agent-platform/console'
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
      <ListTable
        label="Share links"
        list={links}
        empty="There are no links."
        columns={[
          { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          {
            header: 'Expires',
            cell: ({ expiresAt }) =>
              Date.parse(expiresAt) <= Date.now() ? (
                <Badge color="gray" variant="light" tt="none">
                  expired
                </Badge>
              ) : (
                <TimeAgo at={expiresAt} />
              )
          },
          {
            header: 'Downloads',
            cell: ({ downloads, maxDownloads }) =>
              maxDownloads === null ? downloads : `${downloads} of ${maxDownloads}`
          },
          { header: 'Password', cell: ({ hasPassword }) => (hasPassword ? 'Yes' : 'No') },
          {
            header: 'Revoke',
            isAction: true,
            cell: ({ id }) => (
              <ConfirmButton
                size="compact-sm"
                title="Revoke this link?"
                warning="It leads nowhere from then on. Downloads that have begun go on."
                onClick={() => revoking.mutate(id)}
                loading={revoking.isPending && revoking.variables === id}
              >
                Revoke
              </ConfirmButton>
            )
          }
        ]}
      />
      <NewShareLink itemId={itemId} isOpen={isOpen} onClose={close} />
    </Stack>
  )
}
