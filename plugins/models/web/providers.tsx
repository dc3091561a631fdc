import { useQuery } from '@tanstack/react-query'
import { DataTable, Loaded, Panel, StatusBadge, TimeAgo, useSession } from 'agent-platform/console'
import type { Provider } from './queries.ts'
import { mayConfigure, providersQuery } from './queries.ts'

/** Providers as the project has them, for those who may set them up. */
export function Providers() {
  const { principal } = useSession()
  const mayRead = mayConfigure(principal)
  const providers = useQuery({ ...providersQuery, enabled: mayRead })
  if (!mayRead) return null
  return (
    <Panel title="Providers" description="A project's own key and address take the place of the operator's.">
      <Loaded query={providers}>{(providers) => <ProviderTable providers={providers} />}</Loaded>
    </Panel>
  )
}

const ProviderTable = ({ providers }: { providers: readonly Provider[] }) => (
  <DataTable
    label="Providers"
    rows={providers}
    columns={[
      {
        header: 'Provider',
        to: ({ id }) => `/models/providers/${encodeURIComponent(id)}`,
        cell: ({ name }) => name,
        note: ({ id }) => id
      },
      {
        header: 'State',
        cell: ({ configured }) => <StatusBadge status={configured ? 'configured' : 'not configured'} />
      },
      {
        header: 'Access',
        cell: ({ source }) => (source ? sources[source] : '–'),
        note: ({ baseUrl }) => baseUrl,
        maxWidth: 240
      },
      { header: 'Gives', cell: ({ modalities }) => modalities.map((it) => gives[it]).join(', ') },
      { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
    ]}
  />
)

const sources = { project: "The project's", environment: "The operator's" }
const gives = {
  language: 'Text',
  embedding: 'Vectors',
  transcription: 'Transcripts',
  speech: 'Speech',
  image: 'Images'
}
