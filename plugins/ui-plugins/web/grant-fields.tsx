import { Button, Checkbox, Fieldset, Group, MultiSelect, Stack, TagsInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useAgentNames } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { RiskBadge } from './consent.tsx'
import type { Asked } from './queries.ts'
import { capabilitiesQuery } from './queries.ts'

export type Grants = Schemas['AppGrants']
type Capability = Grants['capabilities'][number]

interface Props {
  readonly asked: Asked
  readonly grants: Grants
  readonly onChange: (grants: Grants) => void
}

/** What a version asks for, each of it granted, narrowed or not. */
export function GrantFields({ asked, grants, onChange }: Props) {
  const all = asked.capabilities.length + asked.egress.length
  if (all === 0)
    return (
      <Text size="sm" c="dimmed">
        It asks for no capability of the platform and for no host.
      </Text>
    )
  return (
    <Stack>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            onChange({
              capabilities: asked.capabilities.map(
                ({ name }) => grants.capabilities.find((it) => it.name === name) ?? { name }
              ),
              hosts: asked.egress.map(({ host }) => host)
            })
          }
        >
          Grant all it asks for
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onChange({ capabilities: [], hosts: [] })}>
          Grant nothing
        </Button>
      </Group>
      {asked.capabilities.length > 0 && <Capabilities {...{ asked, grants, onChange }} />}
      {asked.egress.length > 0 && <Hosts {...{ asked, grants, onChange }} />}
    </Stack>
  )
}

function Capabilities({ asked, grants, onChange }: Props) {
  const { data: catalogue } = useQuery(capabilitiesQuery)
  const without = (name: string) => grants.capabilities.filter((it) => it.name !== name)
  const set = (grant: Capability) => onChange({ ...grants, capabilities: [...without(grant.name), grant] })
  return (
    <Fieldset legend="Of the platform">
      <Stack>
        {asked.capabilities.map(({ name, reason }) => {
          const grant = grants.capabilities.find((it) => it.name === name)
          const known = catalogue?.get(name)
          return (
            <Stack key={name} gap="xs" style={{ overflowWrap: 'anywhere' }}>
              <Group justify="space-between" align="flex-start" gap="xs">
                <Checkbox
                  flex="1 1 220px"
                  label={known?.title ?? name}
                  description={`${known?.reaches ?? 'Nothing on this platform offers it now'}. The app says: ${reason}`}
                  checked={grant !== undefined}
                  onChange={({ currentTarget }) =>
                    currentTarget.checked
                      ? set({ name })
                      : onChange({ ...grants, capabilities: without(name) })
                  }
                />
                {known && <RiskBadge risk={known.risk} />}
              </Group>
              {grant && known?.narrowedTo === 'agents' && <Agents grant={grant} onChange={set} />}
              {grant && known?.narrowedTo === 'spaces' && <Spaces grant={grant} onChange={set} />}
            </Stack>
          )
        })}
      </Stack>
    </Fieldset>
  )
}

type Narrowed = { grant: Capability; onChange: (grant: Capability) => void }

/** None that is named stands for all of them: to give none, the capability is not granted. */
function Agents({ grant: { name, agents = [] }, onChange }: Narrowed) {
  const names = useAgentNames(agents)
  const ids = new Set([...names.keys(), ...agents])
  return (
    <MultiSelect
      ml="xl"
      label={`Only with these agents (${name})`}
      placeholder={agents.length === 0 ? 'All that you may use' : undefined}
      data={[...ids].map((value) => ({ value, label: names.get(value) ?? value }))}
      value={agents}
      onChange={(agents) => onChange(agents.length > 0 ? { name, agents } : { name })}
      maxValues={100}
      searchable
    />
  )
}

function Spaces({ grant: { name, spaces = [] }, onChange }: Narrowed) {
  return (
    <TagsInput
      ml="xl"
      label={`Only with these ${name.startsWith('knowledge.') ? 'knowledge spaces' : 'spaces'} (${name})`}
      description="Their ids"
      placeholder={spaces.length === 0 ? 'All that you may use' : undefined}
      value={spaces}
      onChange={(spaces) => onChange(spaces.length > 0 ? { name, spaces } : { name })}
      maxTags={100}
    />
  )
}

const isBelow = (host: string, pattern: string) =>
  pattern.startsWith('*.') && host !== pattern && host.endsWith(pattern.slice(1))

function Hosts({ asked, grants, onChange }: Props) {
  const change = (hosts: readonly string[]) => onChange({ ...grants, hosts: [...new Set(hosts)] })
  return (
    <Fieldset legend="Other hosts">
      <Stack>
        {asked.egress.map(({ host, reason }) => {
          const below = grants.hosts.filter((it) => isBelow(it, host))
          const others = grants.hosts.filter((it) => it !== host && !below.includes(it))
          const isGranted = grants.hosts.includes(host) || below.length > 0
          return (
            <Stack key={host} gap="xs" style={{ overflowWrap: 'anywhere' }}>
              <Checkbox
                label={host}
                description={`Sends data there, and reads what it answers. The app says: ${reason}`}
                checked={isGranted}
                onChange={({ currentTarget }) => change(currentTarget.checked ? [...others, host] : others)}
              />
              {isGranted && host.startsWith('*.') && (
                <TagsInput
                  ml="xl"
                  label={`Only these hosts below ${host.slice(2)}`}
                  placeholder={below.length === 0 ? 'All of them' : undefined}
                  value={below}
                  onChange={(only) => change([...others, ...(only.length > 0 ? only : [host])])}
                />
              )}
            </Stack>
          )
        })}
      </Stack>
    </Fieldset>
  )
}
