import { Anchor, Badge, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { bytesOf, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import { Favourite } from './favourite.tsx'
import { kindOf, MediaIcon } from './media-type.tsx'
import type { Item } from './queries.ts'

export const originNames = { upload: 'Uploaded', run: 'Run', tool: 'Tool', code: 'Code' }

export const ItemTable = ({ items }: { items: readonly Item[] }) => (
  <Table.ScrollContainer minWidth={640}>
    <Table verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={48}>
            <VisuallyHidden>Favourite</VisuallyHidden>
          </Table.Th>
          <Table.Th>Name</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th ta="right">Size</Table.Th>
          <Table.Th>Origin</Table.Th>
          <Table.Th>Changed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.id}>
            <Table.Td>
              <Favourite item={item} />
            </Table.Td>
            <Table.Td maw={400}>
              <Group gap="xs" wrap="nowrap">
                <MediaIcon mediaType={item.mediaType} />
                <div style={{ minWidth: 0 }}>
                  <Anchor
                    component={Link}
                    href={`/library/${item.id}`}
                    fw={550}
                    fz="sm"
                    c="inherit"
                    display="block"
                    truncate
                    title={item.name}
                  >
                    {item.name}
                  </Anchor>
                  {item.description && (
                    <Text size="xs" c="dimmed" truncate>
                      {item.description.slice(0, 200)}
                    </Text>
                  )}
                </div>
                {item.access !== 'manage' && (
                  <Badge variant="default" tt="none" size="sm" flex="none">
                    {item.access}
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td>{kindOf(item.mediaType)}</Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {bytesOf(item.size)}
            </Table.Td>
            <Table.Td>{originNames[item.origin.type]}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <TimeAgo at={item.updatedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
