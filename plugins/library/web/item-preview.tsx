import { Alert, Box, Button, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock, EmptyState, ErrorNotice, Loaded, useAction } from 'agent-platform/console'
import { ApiError } from 'agent-platform-client'
import { EyeOff, Info } from 'lucide-react'
import { useEffect, useState } from 'react'
import { HtmlPreview } from './html-preview.tsx'
import type { Item } from './queries.ts'
import { download, previewQuery } from './queries.ts'

/** Refusals that say that there is nothing to be shown of such a file, rather than that something went wrong. */
const NOTHING = new Set([413, 415])

export function ItemPreview({ item }: { item: Item }) {
  const preview = useQuery(previewQuery(item.id))
  const downloading = useAction({ run: () => download(item.id) })
  if (preview.error instanceof ApiError && NOTHING.has(preview.error.status))
    return (
      <EmptyState
        icon={EyeOff}
        title="No preview"
        action={
          <Button variant="default" loading={downloading.isPending} onClick={() => downloading.mutate()}>
            Download it
          </Button>
        }
      >
        {preview.error.status === 413
          ? 'The file is too large to be shown here.'
          : 'There is nothing to be shown of a file of this type.'}
      </EmptyState>
    )
  if (preview.error) return <ErrorNotice error={preview.error} retry={() => preview.refetch()} />
  return (
    <Loaded query={preview}>
      {({ kind, body, isCut }) => (
        <Stack>
          {isCut && (
            <Alert variant="light" icon={<Info aria-hidden />} title="Only the beginning is shown">
              Download the file to see all of it.
            </Alert>
          )}
          {kind === 'html' && (
            <Paper withBorder p="lg">
              <HtmlPreview html={body as string} />
            </Paper>
          )}
          {kind === 'text' && <CodeBlock value={body as string} label={item.name} maxHeight={640} />}
          {kind === 'image' && <ImagePreview item={item} image={body as Blob} />}
        </Stack>
      )}
    </Loaded>
  )
}

function ImagePreview({ item, image }: { item: Item; image: Blob }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(image)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [image])
  const isPdf = item.mediaType === 'application/pdf'
  return (
    <Stack gap="xs" align="flex-start">
      {isPdf && (
        <Text size="sm" c="dimmed">
          The first page
        </Text>
      )}
      {url && (
        <Paper withBorder p="xs" maw="100%">
          <Box
            component="img"
            src={url}
            alt={isPdf ? `First page of ${item.name}` : item.name}
            display="block"
            mah={720}
            maw="100%"
          />
        </Paper>
      )}
    </Stack>
  )
}
