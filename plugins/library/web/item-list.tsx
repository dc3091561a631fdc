import { Button } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, useAddress, useList } from 'agent-platform/console'
import { HardDrive, Library, SearchX, Upload } from 'lucide-react'
import { filtersOf, ItemFilters } from './item-filters.tsx'
import { ItemTable } from './item-table.tsx'
import { StoragePreference } from './storage-preference.tsx'
import { UploadDialog } from './upload-dialog.tsx'

export default function ItemList() {
  const { search, change } = useAddress()
  const filters = filtersOf(search)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const list = useList(['library', 'list', filters], (cursor, signal) =>
    api.get('/v1/library', { params: { query: { ...filters, limit: 50, cursor } }, signal })
  )
  const upload = (
    <Button leftSection={<Upload size={16} aria-hidden />} onClick={() => change({ upload: '1' })}>
      Upload files
    </Button>
  )
  return (
    <PageFrame
      title="Library"
      description="Files that people uploaded, and what agents and their tools made."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<HardDrive size={16} aria-hidden />}
            onClick={() => change({ storage: '1' })}
          >
            Storage
          </Button>
          {upload}
        </>
      }
    >
      <ItemFilters search={search} onChange={change} />
      <ListView
        list={list}
        empty={
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title="Nothing fits"
              action={
                <Button
                  variant="default"
                  onClick={() =>
                    change({
                      q: undefined,
                      type: undefined,
                      origin: undefined,
                      of: undefined,
                      favourite: undefined
                    })
                  }
                >
                  Show everything
                </Button>
              }
            >
              No file in the library is so. Try fewer filters.
            </EmptyState>
          ) : (
            <EmptyState icon={Library} title="The library is empty" action={upload}>
              Upload a file, or let an agent make one. It can be previewed, described and shared here.
            </EmptyState>
          )
        }
      >
        {(items) => <ItemTable items={items} />}
      </ListView>
      <UploadDialog isOpen={search.has('upload')} onClose={() => change({ upload: undefined })} />
      <StoragePreference isOpen={search.has('storage')} onClose={() => change({ storage: undefined })} />
    </PageFrame>
  )
}
