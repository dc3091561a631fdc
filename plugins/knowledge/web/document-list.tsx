import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  bytesOf,
  DataTable,
  EmptyState,
  ListView,
  Loaded,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { FilePlus, FileText, FolderClosed, FolderPlus, Upload } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { DocumentEditor } from './document-editor.tsx'
import { FolderActions, NewFolder } from './folder-forms.tsx'
import { ImportDialog } from './import-dialog.tsx'
import type { DocumentSummary, Folder, Space } from './queries.ts'
import { foldersQuery } from './queries.ts'

/** What lies in the folder that the address names, with what can be added to it. */
export function DocumentList({ space }: { space: Space }) {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const folders = useQuery(foldersQuery(space.id))
  const folderId = search.get('folder') ?? undefined
  const open = folders.data?.find(({ id }) => id === folderId)
  const documents = useList<DocumentSummary>(
    ['knowledge', space.id, 'documents', folderId ?? 'root'],
    (cursor, signal) =>
      api.get('/v1/knowledge/{spaceId}/documents', {
        params: { path: { spaceId: space.id }, query: { folderId: folderId ?? 'root', limit: 50, cursor } },
        signal
      })
  )
  const close = () => change({ add: undefined })
  const dialog = (name: string) => ({ isOpen: search.get('add') === name, onClose: close })
  const inside = { spaceId: space.id, folderId: folderId ?? null }
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <FolderPath spaceId={space.id} folders={folders.data ?? []} open={open} />
        {space.access !== 'read' && (
          <Group gap="xs">
            {open && <FolderActions key={open.version} folder={open} />}
            <Button
              variant="default"
              leftSection={<FolderPlus size={16} aria-hidden />}
              onClick={() => change({ add: 'folder' })}
            >
              New folder
            </Button>
            <Button
              variant="default"
              leftSection={<FilePlus size={16} aria-hidden />}
              onClick={() => change({ add: 'document' })}
            >
              New document
            </Button>
            <Button leftSection={<Upload size={16} aria-hidden />} onClick={() => change({ add: 'files' })}>
              Import
            </Button>
          </Group>
        )}
      </Group>
      <Loaded query={folders}>
        {(folders) => {
          const inner = folders.filter(({ parentId }) => parentId === (folderId ?? null))
          return (
            <ListView
              list={documents}
              empty={inner.length > 0 ? <Rows folders={inner} documents={[]} /> : <Empty />}
            >
              {(rows) => <Rows folders={inner} documents={rows} />}
            </ListView>
          )
        }}
      </Loaded>
      <NewFolder {...dialog('folder')} {...inside} />
      <ImportDialog {...dialog('files')} {...inside} />
      <DocumentEditor
        {...dialog('document')}
        {...inside}
        onSaved={(id) => navigate(`/knowledge/${space.id}/documents/${id}`)}
      />
    </>
  )
}

const Empty = () => (
  <EmptyState icon={FileText} title="Nothing here yet">
    Import Markdown, text, HTML, CSV, PDF or Word files or a ZIP archive of them, or write a document.
  </EmptyState>
)

function FolderPath(props: { spaceId: string; folders: readonly Folder[]; open: Folder | undefined }) {
  const { spaceId, folders, open } = props
  const above: Folder[] = []
  for (let at = open; at; at = folders.find(({ id }) => id === at?.parentId)) above.unshift(at)
  return (
    <Breadcrumbs component="nav" aria-label="Folders" separatorMargin={6}>
      <Anchor
        component={Link}
        href={`/knowledge/${spaceId}`}
        size="sm"
        aria-current={open ? undefined : 'true'}
      >
        All documents
      </Anchor>
      {above.map(({ id, name }) => (
        <Anchor
          key={id}
          component={Link}
          href={`/knowledge/${spaceId}?folder=${id}`}
          size="sm"
          maw={240}
          truncate
          aria-current={id === open?.id ? 'true' : undefined}
        >
          {name}
        </Anchor>
      ))}
    </Breadcrumbs>
  )
}

const Rows = ({
  folders,
  documents
}: {
  folders: readonly Folder[]
  documents: readonly DocumentSummary[]
}) => (
  <DataTable<Folder | DocumentSummary>
    label="Folders and documents"
    rows={[...folders, ...documents]}
    columns={[
      {
        header: 'Name',
        icon: (row) =>
          isDocument(row) ? (
            <FileText size={17} aria-hidden style={{ flex: 'none' }} />
          ) : (
            <FolderClosed size={17} aria-label="Folder" style={{ flex: 'none' }} />
          ),
        to: (row) => `/knowledge/${row.spaceId}${isDocument(row) ? '/documents/' : '?folder='}${row.id}`,
        cell: (row) => (isDocument(row) ? row.title : row.name),
        note: (row) => isDocument(row) && row.name
      },
      { header: 'Status', cell: (row) => isDocument(row) && <DocumentStatus document={row} /> },
      { header: 'Text', cell: (row) => isDocument(row) && bytesOf(row.size), isNumber: true },
      { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
    ]}
  />
)

const isDocument = (row: Folder | DocumentSummary): row is DocumentSummary => 'status' in row

const DocumentStatus = ({ document: { status, progress, error } }: { document: DocumentSummary }) => (
  <>
    <StatusBadge status={status} />
    {status === 'processing' && (
      <Text size="xs" c="dimmed">
        {progress} % can be searched
      </Text>
    )}
    {error && (
      <Text size="xs" c="red.8" lineClamp={2}>
        {error.message}
      </Text>
    )}
  </>
)
