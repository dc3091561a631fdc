import { ActionIcon, Badge, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { api, bytesOf, DataTable, ErrorNotice, useAction } from 'agent-platform/console'
import { FilePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Skill } from './queries.ts'

interface Added {
  readonly path: string
  readonly size: number
  readonly content: string
}

/** The files beside SKILL.md: added, replaced and removed, and saved together. */
export function SkillFiles({ skill: { id, version, files } }: { skill: Skill }) {
  const [kept, setKept] = useState(files)
  const [added, setAdded] = useState<readonly Added[]>([])
  const saving = useAction({
    run: () =>
      api.put('/v1/skills/{id}', {
        params: { path: { id } },
        headers: { 'if-match': `"${version}"` },
        body: {
          files: [
            ...kept.map(({ path, sha256, executable }) => ({ path, sha256, executable })),
            ...added.map(({ path, content }) => ({ path, content, encoding: 'base64' as const }))
          ]
        }
      }),
    changes: [['skills']],
    done: 'The files are saved',
    isQuiet: true
  })
  async function add(chosen: File[]) {
    const read = await Promise.all(chosen.map(readFile))
    const paths = new Set(read.map(({ path }) => path))
    setKept(kept.filter(({ path }) => !paths.has(path)))
    setAdded([...added.filter(({ path }) => !paths.has(path)), ...read])
  }
  function remove(path: string) {
    setKept(kept.filter((it) => it.path !== path))
    setAdded(added.filter((it) => it.path !== path))
  }
  const isChanged = added.length > 0 || kept.length !== files.length
  const rows = [...kept, ...added].toSorted((a, b) => a.path.localeCompare(b.path))
  return (
    <Stack maw={860}>
      <Text size="sm" c="dimmed">
        The instructions refer to them by their path. Scripts are read as text, and never executed by the
        platform.
      </Text>
      {rows.length > 0 && (
        <DataTable
          label="Files of the skill"
          rows={rows}
          keyOf={({ path }) => path}
          columns={[
            {
              header: 'Path',
              maxWidth: 480,
              cell: ({ path }) => (
                <>
                  {path}{' '}
                  {added.some((it) => it.path === path) && (
                    <Badge variant="light" tt="none" radius="sm" autoContrast>
                      not saved yet
                    </Badge>
                  )}
                </>
              )
            },
            { header: 'Size', cell: ({ size }) => bytesOf(size), isNumber: true },
            {
              header: 'Remove',
              isAction: true,
              cell: ({ path }) => (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={`Remove ${path}`}
                  onClick={() => remove(path)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              )
            }
          ]}
        />
      )}
      {saving.error ? <ErrorNotice error={saving.error} /> : null}
      <Group>
        <FileButton onChange={add} multiple inputProps={{ 'aria-label': 'Files to add' }}>
          {(props) => (
            <Button variant="default" leftSection={<FilePlus size={16} aria-hidden />} {...props}>
              Add files
            </Button>
          )}
        </FileButton>
        <Button disabled={!isChanged} loading={saving.isPending} onClick={() => saving.mutate()}>
          Save the files
        </Button>
      </Group>
    </Stack>
  )
}

/** As base64, whatever it is: the platform tells text from other bytes. */
function readFile(file: File): Promise<Added> {
  const { promise, resolve, reject } = Promise.withResolvers<Added>()
  const reader = new FileReader()
  reader.onload = () => {
    const url = String(reader.result)
    resolve({ path: file.name, size: file.size, content: url.slice(url.indexOf(',') + 1) })
  }
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
