import { bytesOf, DataTable, TimeAgo } from 'agent-platform/console'
import { Favourite } from './favourite.tsx'
import { kindOf, MediaIcon } from './media-type.tsx'
import type { Item } from './queries.ts'

export const originNames = { upload: 'Uploaded', run: 'Run', tool: 'Tool', code: 'Code' }

export const ItemTable = ({ items }: { items: readonly Item[] }) => (
  <DataTable
    label="Items"
    rows={items}
    columns={[
      { header: 'Favourite', isAction: true, cell: (item) => <Favourite item={item} /> },
      {
        header: 'Name',
        icon: ({ mediaType }) => <MediaIcon mediaType={mediaType} />,
        to: ({ id }) => `/library/${id}`,
        cell: ({ name }) => name,
        note: ({ description }) => description
      },
      { header: 'Type', cell: ({ mediaType }) => kindOf(mediaType) },
      { header: 'Size', cell: ({ size }) => bytesOf(size), isNumber: true },
      { header: 'Origin', cell: ({ origin }) => originNames[origin.type] },
      { header: 'Your access', cell: ({ access }) => access },
      { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
    ]}
  />
)
