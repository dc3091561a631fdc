import {
  Button,
  Code,
  Divider,
  Group,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title
} from '@mantine/core'
import { api, bytesOf, ConfirmButton, Form, TimeAgo, useAction, useDraft } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Item } from './queries.ts'

/** What is known of an item, its name and description, and its end. */
export const ItemDetails = ({ item }: { item: Item }) => (
  <Stack gap="xl" maw={760}>
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} m={0}>
      <Fact name="Type">{item.mediaType}</Fact>
      <Fact name="Size">
        {bytesOf(item.size)}
        {item.size >= 1_000 && ` (${item.size.toLocaleString('en')} bytes)`}
      </Fact>
      <Fact name="Owner">{item.owner}</Fact>
      <Fact name="Added">
        <TimeAgo at={item.createdAt} />
      </Fact>
      <Fact name="Your access">{item.access}</Fact>
      <Fact name="Id">
        <Code>{item.id}</Code>
      </Fact>
      {item.cid && (
        <Fact name="CID">
          <Code>{item.cid}</Code>
        </Fact>
      )}
    </SimpleGrid>
    {item.access !== 'read' && (
      <>
        <Divider />
        <ItemForm item={item} />
      </>
    )}
    {item.access === 'manage' && (
      <>
        <Divider />
        <Removal item={item} />
      </>
    )}
  </Stack>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div style={{ minWidth: 0 }}>
    <Text component="dt" size="xs" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
)

function ItemForm({ item }: { item: Item }) {
  const draft = useDraft(`file ${item.id}`, item, ({ name, description }) => ({
    name,
    description: description ?? ''
  }))
  const { name, description } = draft.value
  const saving = useAction({
    run: () =>
      api.patch('/v1/library/{itemId}', {
        params: { path: { itemId: item.id } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: { name, description: description || null }
      }),
    changes: [['library']],
    draft,
    done: 'The details are saved'
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack>
        <TextInput
          label="Name"
          description="In the library; the name of the file that is downloaded with it."
          value={name}
          onChange={({ currentTarget }) => draft.change({ name: currentTarget.value })}
          maxLength={255}
          required
        />
        <Textarea
          label="Description"
          value={description}
          onChange={({ currentTarget }) => draft.change({ description: currentTarget.value })}
          autosize
          minRows={3}
          maxRows={16}
          maxLength={5_000}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function Removal({ item }: { item: Item }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/library/{itemId}', { params: { path: { itemId: item.id } } }),
    changes: [['library', 'list']],
    done: 'The file is deleted',
    onDone: () => navigate('/library')
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Delete the file
      </Title>
      <Text size="sm" c="dimmed">
        Its share links and grants end with it.
      </Text>
      <ConfirmButton
        title="Delete this file?"
        warning="The file itself is deleted, and its share links and grants end. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete file
      </ConfirmButton>
    </Stack>
  )
}
