import { Badge, Button, Grid, Group, SegmentedControl, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Loaded,
  Markdown,
  PageFrame,
  StatusBadge,
  useAction,
  useAddress
} from 'agent-platform/console'
import { Pencil } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation, useParams } from 'wouter'
import { DocumentAside } from './document-aside.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { DocumentSource } from './document-source.tsx'
import type { Document } from './queries.ts'
import { documentQuery, graphQuery, spaceQuery } from './queries.ts'

const numberOf = (text: string | null): number | undefined => (text ? Number(text) || 0 : undefined)

export default function DocumentPage() {
  const { spaceId = '', documentId = '' } = useParams()
  const { search, change } = useAddress()
  const space = useQuery(spaceQuery(spaceId))
  const version = numberOf(search.get('version'))
  const latest = useQuery(documentQuery(spaceId, documentId))
  const shown = useQuery(documentQuery(spaceId, documentId, version))
  const passage = { start: numberOf(search.get('start')), end: numberOf(search.get('end')) }
  const hasPassage = passage.end !== undefined
  const isSource = (search.get('view') ?? (hasPassage ? 'source' : 'read')) === 'source'
  const crumbs = [
    { label: 'Knowledge', to: '/knowledge' },
    { label: space.data?.name ?? 'Space', to: `/knowledge/${spaceId}` }
  ]
  if (latest.error)
    return (
      <PageFrame title="Document" crumbs={crumbs}>
        <ErrorNotice error={latest.error} retry={() => latest.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={shown.data?.title ?? latest.data?.title ?? 'Document'}
      crumbs={crumbs}
      badge={latest.data && latest.data.status !== 'ready' && <StatusBadge status={latest.data.status} />}
      actions={
        latest.data && space.data && space.data.access !== 'read' && <Actions document={latest.data} />
      }
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8, lg: 9 }}>
          <Stack>
            <Group justify="space-between">
              <SegmentedControl
                aria-label="How it is shown"
                data={[
                  { value: 'read', label: 'Read' },
                  { value: 'source', label: hasPassage ? 'Passage in the text' : 'Text' }
                ]}
                value={isSource ? 'source' : 'read'}
                onChange={(view) => change({ view })}
              />
              {latest.data && (
                <Versions
                  latest={latest.data.version}
                  shown={version}
                  onChange={(version) =>
                    change({ version, start: undefined, end: undefined, view: undefined })
                  }
                />
              )}
            </Group>
            <Loaded query={shown}>
              {(document) =>
                isSource || document.mediaType === 'text/plain' ? (
                  <DocumentSource content={document.content} start={passage.start} end={passage.end} />
                ) : (
                  <Reader document={document} />
                )
              }
            </Loaded>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4, lg: 3 }}>
          {latest.data && <DocumentAside document={latest.data} />}
        </Grid.Col>
      </Grid>
    </PageFrame>
  )
}

/** Without what programs read, and without the title where that stands above already. */
function readable({ content, title }: Document): string {
  const text = content.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trimStart()
  const [first = ''] = text.split('\n', 1)
  return first.trim() === `# ${title}` ? text.slice(first.length) : text
}

function Versions(props: {
  latest: number
  shown: number | undefined
  onChange: (version: string | undefined) => void
}) {
  const { latest, shown, onChange } = props
  if (latest === 1)
    return (
      <Badge variant="default" tt="none">
        Version 1
      </Badge>
    )
  const numbers = Array.from({ length: Math.min(latest, 200) }, (_, index) => latest - index)
  return (
    <Select
      aria-label="Version"
      data={numbers.map((it) => ({
        value: `${it}`,
        label: it === latest ? `Version ${it} (latest)` : `Version ${it}`
      }))}
      value={`${shown ?? latest}`}
      onChange={(it) => onChange(it === null || Number(it) === latest ? undefined : it)}
      allowDeselect={false}
      w={190}
    />
  )
}

/** Its links to documents that are there lead to them. */
function Reader({ document }: { document: Document }) {
  const { id, spaceId, path } = document
  const { data: graph } = useQuery(graphQuery(spaceId, id))
  const pageOf = useMemo(() => {
    if (!graph) return
    const byName = new Map(
      graph.nodes.flatMap((node) => {
        const whole = node.path.toLowerCase()
        const bare = whole.replace(/\.[^./]+$/, '')
        const own = [node.title.toLowerCase(), whole, bare, bare.slice(bare.lastIndexOf('/') + 1)]
        return own.map((name) => [name, `/knowledge/${spaceId}/documents/${node.id}`] as const)
      })
    )
    return (target: string, kind: 'name' | 'address') =>
      byName.get((kind === 'name' ? target : addressOf(target, path)).toLowerCase())
  }, [graph, spaceId, path])
  return <Markdown text={readable(document)} pageOf={pageOf} />
}

/** What a relative address in a document at that path stands for. */
function addressOf(target: string, path: string): string {
  try {
    return decodeURIComponent(new URL(target, `x:/${encodeURI(path)}`).pathname.slice(1))
  } catch {
    return target
  }
}

function Actions({ document }: { document: Document }) {
  const { id: documentId, spaceId, title, folderId } = document
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () =>
      api.delete('/v1/knowledge/{spaceId}/documents/{documentId}', {
        params: { path: { spaceId, documentId } }
      }),
    changes: [['knowledge', spaceId, 'documents']],
    done: 'The document is deleted',
    onDone: () => navigate(`/knowledge/${spaceId}${folderId ? `?folder=${folderId}` : ''}`)
  })
  const close = () => change({ edit: undefined })
  return (
    <>
      <Button
        variant="default"
        leftSection={<Pencil size={16} aria-hidden />}
        onClick={() => change({ edit: '1' })}
      >
        Edit
      </Button>
      <ConfirmButton
        title={`Delete ${title}?`}
        warning="All its versions are deleted, and links to it lead nowhere. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete
      </ConfirmButton>
      <DocumentEditor
        key={document.id}
        spaceId={spaceId}
        folderId={folderId}
        document={document}
        isOpen={search.has('edit')}
        onClose={close}
        onSaved={() => change({ edit: undefined, version: undefined, start: undefined, end: undefined })}
      />
    </>
  )
}
