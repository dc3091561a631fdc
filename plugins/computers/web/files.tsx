import { Anchor, Breadcrumbs, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  ActionButton,
  api,
  bytesOf,
  DataTable,
  Loaded,
  Panel,
  TimeAgo,
  useAction,
  useAddress
} from 'agent-platform/console'
import { useState } from 'react'
import type { ComputerFile } from './queries.ts'
import { fileQuery, params, pathIn, readWhole } from './queries.ts'
import { Upload } from './upload.tsx'

/** What is edited here; longer ones are saved, and edited elsewhere. */
const MOST_EDITED = 262_144

/** The home of the computer: looked through, saved, edited, added to. */
export default function Files({ agentId }: { agentId: string }) {
  const { search, change } = useAddress()
  const path = search.get('path') ?? '.'
  const file = useQuery(fileQuery(agentId, path))
  const open = (path: string) => change({ path: path === '.' ? null : path }, { push: true })
  return (
    <Panel
      title="Files"
      description="Reading them wakes the computer."
      actions={<Upload agentId={agentId} folder={folderOf(path, file.data)} />}
    >
      <Stack gap="md">
        <Crumbs path={path} open={open} />
        <Loaded query={file}>
          {(file) =>
            file.type === 'folder' ? (
              <Folder file={file} path={path} open={open} />
            ) : (
              <File key={`${path} ${file.modifiedAt}`} agentId={agentId} path={path} file={file} />
            )
          }
        </Loaded>
      </Stack>
    </Panel>
  )
}

const parentOf = (path: string) => path.split('/').slice(0, -1).join('/') || '.'
const folderOf = (path: string, file: ComputerFile | undefined) =>
  file && file.type !== 'folder' ? parentOf(path) : path

function Crumbs({ path, open }: { path: string; open: (path: string) => void }) {
  const names = path === '.' ? [] : path.split('/')
  return (
    <Breadcrumbs aria-label="Where it lies">
      <Anchor component="button" type="button" size="sm" onClick={() => open('.')}>
        Home
      </Anchor>
      {names.map((name, index) => (
        <Anchor
          key={names.slice(0, index + 1).join('/')}
          component="button"
          type="button"
          size="sm"
          onClick={() => open(names.slice(0, index + 1).join('/'))}
        >
          {name}
        </Anchor>
      ))}
    </Breadcrumbs>
  )
}

function Folder({ file, path, open }: { file: ComputerFile; path: string; open: (path: string) => void }) {
  return (
    <DataTable
      label="Files of the folder"
      rows={file.entries ?? []}
      keyOf={({ name }) => name}
      empty="Nothing lies here yet"
      columns={[
        {
          header: 'Name',
          cell: ({ name, type }) => (
            <Anchor component="button" type="button" size="sm" onClick={() => open(pathIn(path, name))}>
              {type === 'folder' ? `${name}/` : name}
            </Anchor>
          )
        },
        { header: 'Size', cell: ({ size, type }) => (type === 'file' ? bytesOf(size) : ''), isNumber: true },
        { header: 'Mode', cell: ({ mode }) => mode.toString(8) },
        { header: 'Changed', cell: ({ modifiedAt }) => <TimeAgo at={modifiedAt} /> }
      ]}
    />
  )
}

function File({ agentId, path, file }: { agentId: string; path: string; file: ComputerFile }) {
  const isText = file.encoding === 'utf8' && file.nextOffset === null && file.size <= MOST_EDITED
  const [content, setContent] = useState(file.content ?? '')
  const saving = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/computer/files/write', {
        params: params(agentId),
        body: { files: [{ path, content }] }
      }),
    changes: [['computer', agentId, 'files']],
    done: 'The file is saved'
  })
  const downloading = useAction({ run: () => download(agentId, path) })
  return (
    <Stack gap="sm">
      {isText ? (
        <Textarea
          label={`Content of ${path}`}
          value={content}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
          autosize
          minRows={10}
          maxRows={30}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      ) : (
        <Text size="sm">{`${bytesOf(file.size)}, which are no text that can be edited here.`}</Text>
      )}
      <Group gap="xs">
        {isText && (
          <Button
            size="sm"
            onClick={() => saving.mutate()}
            loading={saving.isPending}
            disabled={content === file.content}
          >
            Save
          </Button>
        )}
        <ActionButton variant="default" onClick={() => downloading.mutate()} loading={downloading.isPending}>
          Download
        </ActionButton>
      </Group>
    </Stack>
  )
}

async function download(agentId: string, path: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await readWhole(agentId, path))
  link.download = path.split('/').at(-1) ?? 'file'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
