import { Button, Group, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { api, ComputerProviderFields, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'

type Runtime = Schemas['Runtime']
type Changes = Schemas['RuntimeChanges']

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
const variablesOf = (text: string) =>
  Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)]
    })
  )

/** What a runtime is started with; it holds from the next deployment. Secrets go in, and never come out. */
export function RuntimeForm({ runtime }: { runtime: Runtime }) {
  const { agentId, version, secretNames } = runtime
  const [command, setCommand] = useState((runtime.command ?? []).join('\n'))
  const [env, setEnv] = useState(
    Object.entries(runtime.env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n')
  )
  const [secrets, setSecrets] = useState('')
  const [place, setPlace] = useState<{ provider: string | null; image: string | null }>(runtime)
  const [cwd, setCwd] = useState(runtime.cwd)
  const [stays, setStays] = useState(runtime.minInstances === 1)
  const [idleSeconds, setIdle] = useState(runtime.idleSeconds)
  const saving = useAction({
    run: (body: Changes) =>
      api.put('/v1/agents/{agentId}/runtime', {
        params: { path: { agentId } },
        ...(version > 0 && { headers: { 'if-match': `"${version}"` } }),
        body
      }),
    changes: [['runtime', agentId]],
    done: 'The runtime is saved',
    isQuiet: true
  })
  return (
    <Form
      action={saving}
      onSubmit={() => {
        const given = Object.entries(variablesOf(secrets)).map(([name, value]) => [name, value || null])
        const argv = linesOf(command)
        saving.mutate({
          provider: place.provider,
          image: place.image,
          command: argv.length > 0 ? argv : null,
          cwd,
          env: variablesOf(env),
          secrets: Object.fromEntries(given),
          minInstances: stays ? 1 : 0,
          idleSeconds
        })
      }}
    >
      <Stack maw={640}>
        <ComputerProviderFields {...place} onChange={setPlace} none="As the agent's computer" />
        <Textarea
          label="Command"
          description="The program and its arguments, one a line. It lies in the computer of the agent."
          placeholder={'node\nruntime.mjs'}
          value={command}
          onChange={({ currentTarget }) => setCommand(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={10}
        />
        <TextInput
          label="Folder"
          description="Absolute, or below the home of the computer."
          value={cwd}
          onChange={({ currentTarget }) => setCwd(currentTarget.value)}
          required
        />
        <Textarea
          label="Variables"
          description="NAME=value, one a line. They are shown."
          value={env}
          onChange={({ currentTarget }) => setEnv(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
        />
        <Textarea
          label="Secrets"
          description={
            secretNames.length > 0
              ? `Kept: ${secretNames.join(', ')}. NAME=value sets one, NAME alone takes it away.`
              : 'NAME=value, one a line. They are sealed, and never shown again.'
          }
          value={secrets}
          onChange={({ currentTarget }) => setSecrets(currentTarget.value)}
          autoComplete="off"
          autosize
          minRows={1}
          maxRows={8}
        />
        <Switch
          label="It never sleeps"
          checked={stays}
          onChange={({ currentTarget }) => setStays(currentTarget.checked)}
        />
        {!stays && (
          <NumberInput
            label="Seconds without a message after which it sleeps"
            min={5}
            max={86_400}
            allowDecimal={false}
            value={idleSeconds}
            onChange={(seconds) => setIdle(Number(seconds) || 300)}
            required
          />
        )}
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
