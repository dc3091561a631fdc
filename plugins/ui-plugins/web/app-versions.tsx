import { Stack, Text } from '@mantine/core'
import {
  api,
  bytesOf,
  CodeBlock,
  Details,
  EmptyState,
  ListView,
  Panel,
  TimeAgo,
  useList
} from 'agent-platform/console'
import { History } from 'lucide-react'
import type { App } from './queries.ts'

/** Versions that are kept, the newest first. */
export function AppVersions({ app: { pluginId, enabled, draft } }: { app: App }) {
  const list = useList(['apps', pluginId, 'versions'], (cursor, signal) =>
    api.get('/v1/ui-plugins/{pluginId}/versions', {
      params: { path: { pluginId }, query: { limit: 10, cursor } },
      signal
    })
  )
  const standing = (version: string) =>
    version === enabled?.version ? 'Enabled version' : version === draft?.version ? 'Draft' : undefined
  return (
    <ListView list={list} empty={<EmptyState icon={History} title="No versions" />}>
      {(versions) => (
        <Stack>
          {versions.map(({ version, digest, size, createdAt, manifest, files }) => (
            <Panel key={version} title={version} description={standing(version)}>
              <Stack>
                <Details
                  of={{
                    Registered: <TimeAgo at={createdAt} />,
                    Size: `${bytesOf(size)} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`,
                    Digest: (
                      <Text size="sm" ff="monospace" truncate title={digest}>
                        {digest}
                      </Text>
                    )
                  }}
                />
                <CodeBlock value={manifest} label={`Manifest of ${version}`} maxHeight={200} />
              </Stack>
            </Panel>
          ))}
        </Stack>
      )}
    </ListView>
  )
}
