import { Box, Button, Code, Group, Image, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Details, Panel, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import type { PageView } from './queries.ts'
import { bytesOfBase64, params, readFile } from './queries.ts'

const actions = ['click', 'type', 'extract', 'scroll', 'wait'] as const
type Action = (typeof actions)[number]
const PICTURE = 4_194_304

/** The browser of the computer, as the agent has it: opened, looked at, driven. */
export default function Browser({ agentId }: { agentId: string }) {
  const [url, setUrl] = useState('')
  const [type, setType] = useState<Action>('click')
  const [selector, setSelector] = useState('')
  const [text, setText] = useState('')
  const [view, setView] = useState<PageView>()
  const opening = useAction({
    run: (body: Schemas['OpenPage']) => openPage(agentId, body),
    onDone: setView
  })
  const needsSelector = type === 'click' || type === 'type' || type === 'extract'
  const act = () => {
    if (type === 'scroll') return opening.mutate({ actions: [{ type, pixels: Number(text) || 600 }] })
    if (type === 'wait') return opening.mutate({ actions: [{ type, milliseconds: Number(text) || 1_000 }] })
    if (type === 'type') return opening.mutate({ actions: [{ type, selector, text }] })
    return opening.mutate({ actions: [{ type, selector }] })
  }
  return (
    <Panel
      title="Browser"
      description="It reaches what the computer may. What it shows was written by others."
    >
      <Stack gap="md">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            opening.mutate({ url: /^\w+:/.test(url) ? url : `https://${url}` })
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label="Address"
              placeholder="http://localhost:5173"
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
              style={{ flex: 1 }}
              miw={200}
            />
            <Button type="submit" disabled={url.trim() === ''} loading={opening.isPending}>
              Open
            </Button>
          </Group>
        </form>
        {view && (
          <>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                act()
              }}
            >
              <Group align="flex-end" gap="xs">
                <Select
                  label="Action"
                  data={[...actions]}
                  value={type}
                  onChange={(value) => setType((value ?? 'click') as Action)}
                  allowDeselect={false}
                  w={120}
                />
                {needsSelector && (
                  <TextInput
                    label="Selector"
                    placeholder='role=button[name="Send"]'
                    value={selector}
                    onChange={({ currentTarget }) => setSelector(currentTarget.value)}
                    style={{ flex: 1 }}
                    miw={180}
                  />
                )}
                {(type === 'type' || !needsSelector) && (
                  <TextInput
                    label={type === 'type' ? 'Text' : type === 'scroll' ? 'Pixels' : 'Milliseconds'}
                    value={text}
                    onChange={({ currentTarget }) => setText(currentTarget.value)}
                    w={180}
                  />
                )}
                <Button
                  type="submit"
                  variant="default"
                  disabled={needsSelector && selector.trim() === ''}
                  loading={opening.isPending}
                >
                  Do
                </Button>
              </Group>
            </form>
            <Seen agentId={agentId} view={view} />
          </>
        )}
      </Stack>
    </Panel>
  )
}

const openPage = async (agentId: string, body: Schemas['OpenPage']): Promise<PageView> =>
  (await api.post('/v1/agents/{agentId}/computer/browser/open', { params: params(agentId), body })).data

function Seen({ agentId, view }: { agentId: string; view: PageView }) {
  const { title, url, status, text, failed, extracted, screenshot } = view
  const picture = useQuery({
    queryKey: ['computer', agentId, 'picture', screenshot],
    enabled: screenshot !== null,
    queryFn: async () => {
      const file = await readFile(agentId, screenshot ?? '', { length: PICTURE, encoding: 'base64' })
      return URL.createObjectURL(new Blob([bytesOfBase64(file.content ?? '')], { type: 'image/png' }))
    }
  })
  return (
    <Stack gap="sm">
      {failed && (
        <Text size="sm" c="red" role="alert">
          {failed.message}
        </Text>
      )}
      <Details of={{ Title: title || 'None', Address: url, Status: status ?? undefined }} />
      {extracted.length > 0 && <Code block>{extracted.map((texts) => texts.join('\n')).join('\n\n')}</Code>}
      {picture.data && (
        <Image
          src={picture.data}
          alt={`Picture of ${title || url}`}
          radius="sm"
          maw={900}
          style={{ border: '1px solid var(--mantine-color-default-border)' }}
        />
      )}
      <Box component="details">
        <summary>What can be read on it</summary>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text || 'Nothing'}
        </Code>
      </Box>
    </Stack>
  )
}
