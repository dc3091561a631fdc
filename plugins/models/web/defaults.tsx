import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ErrorNotice, Loaded, Panel, useAction, useSession } from 'agent-platform/console'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Model } from './queries.ts'
import { allModelsQuery, embeddingQuery, mayConfigure } from './queries.ts'

/** The models that are asked where nothing names one. */
export function Defaults() {
  const models = useQuery(allModelsQuery)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Panel title="Default model" description="Of agents that name none.">
        <Loaded query={models}>
          {(models) => (
            <DefaultModel model={models.find((it) => it.default && it.modalities.includes('language'))} />
          )}
        </Loaded>
      </Panel>
      <Panel title="Model for vectors" description="By which memory and knowledge are found by meaning.">
        <Loaded query={models}>{(models) => <EmbeddingModel models={models} />}</Loaded>
      </Panel>
    </SimpleGrid>
  )
}

function DefaultModel({ model }: { model: Model | undefined }) {
  const { principal, packs } = useSession()
  const isOperator =
    principal?.scopes.includes('platform:admin') && packs.some(({ name }) => name === 'packs')
  return (
    <Stack gap={4}>
      <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
        {model?.name ?? 'None is configured'}
      </Text>
      <Text size="sm" c="dimmed">
        {model ? `${model.id}. ` : ''}
        {isOperator ? (
          <>
            The operator names another one in the{' '}
            <Anchor component={Link} href="/packs/models/settings" inherit underline="always">
              settings of the pack
            </Anchor>
            .
          </>
        ) : (
          'The operator names it.'
        )}
      </Text>
    </Stack>
  )
}

/** Texts that have vectors already get new ones when it is changed. */
function EmbeddingModel({ models }: { models: readonly Model[] }) {
  const { principal } = useSession()
  const choice = useQuery(embeddingQuery)
  const [picked, setPicked] = useState<string | null>(null)
  const changes = [['models']]
  const choosing = useAction({
    run(id: string) {
      const at = id.indexOf('/')
      const body = { modelProvider: id.slice(0, at), modelId: id.slice(at + 1) || null }
      return api.put('/v1/models/embedding', { body })
    },
    changes,
    done: 'The model for vectors is chosen',
    onDone: () => setPicked(null),
    isQuiet: true
  })
  const resetting = useAction({
    run: () => api.delete('/v1/models/embedding'),
    changes,
    done: 'The choice is forgotten'
  })
  const options = models
    .filter(({ configured, modalities }) => configured && modalities.includes('embedding'))
    .map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))
  return (
    <Loaded query={choice}>
      {({ modelProvider, modelId, source }) => {
        const now = `${modelProvider}/${modelId ?? ''}`
        const known = options.some(({ value }) => value === now)
        const data = known ? options : [{ value: now, label: `${modelProvider}, its default` }, ...options]
        if (!mayConfigure(principal))
          return (
            <Stack gap={4}>
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {models.find(({ id }) => id === now)?.name ?? data[0]?.label ?? now}
              </Text>
              <Text size="sm" c="dimmed">
                {sources[source]}
              </Text>
            </Stack>
          )
        return (
          <Stack gap="sm" align="flex-start">
            <Select
              label="Model"
              description={sources[source]}
              data={data}
              value={picked ?? now}
              onChange={setPicked}
              allowDeselect={false}
              searchable
              w="100%"
            />
            {choosing.error ? <ErrorNotice error={choosing.error} /> : null}
            <Group>
              <Button
                size="sm"
                disabled={!picked || picked === now}
                loading={choosing.isPending}
                onClick={() => picked && choosing.mutate(picked)}
              >
                Choose
              </Button>
              {source === 'project' && (
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => resetting.mutate()}
                  loading={resetting.isPending}
                >
                  Back to the default
                </Button>
              )}
            </Group>
          </Stack>
        )
      }}
    </Loaded>
  )
}

const sources = {
  project: 'Chosen by the project.',
  environment: 'Chosen by the operator.',
  default: 'The first that sends no text to others.'
}
