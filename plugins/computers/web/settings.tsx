import { Button, Group, NumberInput, Stack, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ComputerProviderFields, Form, Loaded, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { ComputerConfig } from './queries.ts'
import { configQuery, params } from './queries.ts'

/** What the computer may reach and when it sleeps, what it runs in, and how large it is. */
export default function Settings({ agentId }: { agentId: string }) {
  const config = useQuery(configQuery(agentId))
  return (
    <Loaded query={config}>
      {(config) => (
        <Stack gap="lg">
          <Reach key={`reach ${config.version}`} agentId={agentId} config={config} />
          <Provider key={`provider ${config.version}`} agentId={agentId} config={config} />
          <Size key={`size ${config.version}`} agentId={agentId} config={config} />
        </Stack>
      )}
    </Loaded>
  )
}

interface Props {
  readonly agentId: string
  readonly config: ComputerConfig
}

function Reach({ agentId, config }: Props) {
  const [allowedHosts, setHosts] = useState<string[]>([...config.allowedHosts])
  const [idleSeconds, setIdle] = useState<number | string>(config.idleSeconds)
  const saving = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/computer/config', {
        params: params(agentId),
        body: { allowedHosts, idleSeconds: Number(idleSeconds) }
      }),
    changes: [['computer', agentId]],
    done: 'It applies from now on'
  })
  return (
    <Panel title="Network and sleep" description="Applies at once, also to programs that run.">
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack>
          <TagsInput
            label="Hosts"
            description="example.com, *.example.com for what lies below it, example.com:8443, or * for all. Nothing of the platform's own network."
            value={allowedHosts}
            onChange={setHosts}
            maxTags={200}
          />
          <NumberInput
            label="Seconds without a command until it sleeps"
            description="What runs in the background ends then."
            value={idleSeconds}
            onChange={setIdle}
            min={5}
            max={86_400}
            allowDecimal={false}
            maw={320}
          />
          <Group>
            <Button type="submit" size="sm" loading={saving.isPending} disabled={idleSeconds === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

function Provider({ agentId, config }: Props) {
  const [chosen, setChosen] = useState<{ provider: string | null; image: string | null }>(config)
  const { provider, image } = chosen
  const saving = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/computer/config', {
        params: params(agentId),
        body: { image, ...(provider !== null && { provider }) }
      }),
    changes: [['computer', agentId]],
    done: 'It applies from the next start'
  })
  return (
    <Panel
      title="Provider"
      description="What the computer runs in, from its next start. Files stay where both keep them on this machine."
    >
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack>
          <ComputerProviderFields provider={provider} image={image} onChange={setChosen} />
          <Group>
            <Button type="submit" size="sm" variant="default" loading={saving.isPending}>
              Change
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

function Size({ agentId, config }: Props) {
  const [size, setSize] = useState<Record<'vcpu' | 'memoryMb' | 'storageMb' | 'gpu', number | string>>({
    vcpu: config.vcpu,
    memoryMb: config.memoryMb,
    storageMb: config.storageMb,
    gpu: config.gpu
  })
  const resizing = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/computer/resize', {
        params: params(agentId),
        body: {
          vcpu: Number(size.vcpu),
          memoryMb: Number(size.memoryMb),
          storageMb: Number(size.storageMb),
          gpu: Number(size.gpu)
        }
      }),
    changes: [['computer', agentId]],
    done: 'The computer is resized'
  })
  const fields = [
    ['vcpu', 'Processors', 0.1],
    ['memoryMb', 'Memory in MB', 128],
    ['storageMb', 'Disk in MB', 16],
    ['gpu', 'GPUs', 0]
  ] as const
  return (
    <Panel title="Size" description="A computer that is awake is restarted: what runs in it ends.">
      <Form action={resizing} onSubmit={() => resizing.mutate()}>
        <Stack>
          <Group align="flex-end">
            {fields.map(([name, label, min]) => (
              <NumberInput
                key={name}
                label={label}
                value={size[name]}
                onChange={(value) => setSize((before) => ({ ...before, [name]: value }))}
                min={min}
                allowDecimal={name === 'vcpu'}
                w={150}
              />
            ))}
          </Group>
          <Group>
            <Button
              type="submit"
              size="sm"
              variant="default"
              loading={resizing.isPending}
              disabled={Object.values(size).includes('')}
            >
              Resize
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}
