import { Button, Group, MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Form, Loaded, Panel, useAction, useSession } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { allModelsQuery, fallbacksQuery, mayConfigure } from './queries.ts'

type Chosen = Schemas['ModelFallbacks']['models'][number]

const keyOfChoice = ({ modelProvider, modelId }: Chosen) => `${modelProvider}/${modelId ?? ''}`
function choiceOf(value: string): Chosen {
  const at = value.indexOf('/')
  return { modelProvider: value.slice(0, at), modelId: value.slice(at + 1) || null }
}

/** Models that answer where that of an agent cannot, for those who may set them up. */
export function Fallbacks() {
  const { principal } = useSession()
  const fallbacks = useQuery(fallbacksQuery)
  if (!mayConfigure(principal)) return null
  return (
    <Panel
      title="Fallback models"
      description="Used in this order by agents without fallbacks of their own, if their model is limited, unavailable or silent."
    >
      <Loaded query={fallbacks}>
        {({ models, version }) => <FallbackForm key={version} models={models} version={version} />}
      </Loaded>
    </Panel>
  )
}

function FallbackForm({ models, version }: { models: readonly Chosen[]; version: number }) {
  const all = useQuery(allModelsQuery)
  const [chosen, setChosen] = useState(models.map(keyOfChoice))
  const listed = (all.data ?? [])
    .filter(({ modalities }) => modalities.includes('language'))
    .map(({ id, name, modelProvider }) => ({ value: id, label: `${name} (${modelProvider})` }))
  const others = models
    .map(keyOfChoice)
    .filter((value) => !listed.some((it) => it.value === value))
    .map((value) => ({ value, label: value }))
  const saving = useAction({
    run: () =>
      api.put('/v1/models/fallbacks', {
        headers: { 'if-match': `"${version}"` },
        body: { models: chosen.map(choiceOf) }
      }),
    changes: [['models', 'fallbacks']],
    done: 'Fallback models saved'
  })
  return (
    <Form action={saving} onSubmit={() => saving.mutate()}>
      <Stack maw={640}>
        <MultiSelect
          label="Models"
          data={[...listed, ...others]}
          value={chosen}
          onChange={setChosen}
          maxValues={5}
          searchable
          clearable
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
