import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  DataTable,
  ErrorNotice,
  Form,
  Loaded,
  PageFrame,
  Panel,
  StatusBadge,
  useAction
} from 'agent-platform/console'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Provider } from './queries.ts'
import { providerQuery } from './queries.ts'

/** A provider: the project's own key and address for it, and the models that are known of it. */
export default function ProviderPage() {
  const { provider: id = '' } = useParams()
  const provider = useQuery(providerQuery(id))
  const { data } = provider
  return (
    <PageFrame
      title={data?.name ?? id}
      crumbs={[{ label: 'Models', to: '/models' }]}
      badge={data && <StatusBadge status={data.configured ? 'configured' : 'not configured'} />}
      description={data && accessOf(data)}
    >
      <Loaded query={provider}>
        {(provider) => (
          <Stack gap="lg">
            <AccessForm key={provider.version} provider={provider} />
            {provider.models.length > 0 && <KnownModels models={provider.models} />}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function accessOf({ source, configured }: Provider): string {
  if (source === 'project') return "It is asked with the project's own access."
  if (configured) return "It is asked with the operator's access."
  return 'It cannot be asked yet: give a key, or an address.'
}

function AccessForm({ provider }: { provider: Provider }) {
  const { id, name, apiKey, baseUrl, source } = provider
  const path = { provider: id }
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(baseUrl ?? '')
  const changes = [['models']]
  const isElsewhere = address !== (baseUrl ?? '')
  const saving = useAction({
    run: () =>
      api.put('/v1/models/providers/{provider}', {
        params: { path },
        body: { ...(key && { apiKey: key }), ...(isElsewhere && { baseUrl: address || null }) }
      }),
    changes,
    done: `${name} is set up`,
    isQuiet: true
  })
  const resetting = useAction({
    run: () => api.delete('/v1/models/providers/{provider}', { params: { path } }),
    changes,
    done: "The project's key and address are forgotten"
  })
  return (
    <Panel
      title="The project's own access"
      description="For every agent of the project, from its next call on."
    >
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack maw={640}>
          <PasswordInput
            label="API key"
            description={
              isElsewhere && apiKey.set
                ? 'A key is for the address that it was given for: give it again.'
                : 'Sealed, and never shown again.'
            }
            placeholder={apiKey.set ? 'Set. Enter another to replace it' : 'None'}
            value={key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            maxLength={1_000}
            autoComplete="off"
          />
          <TextInput
            label="Address"
            description="Of a proxy or a server of your own; with an address the project brings its key, too."
            placeholder="The operator's"
            type="url"
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
            maxLength={2_000}
          />
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group>
            <Button type="submit" loading={saving.isPending} disabled={!key && !isElsewhere}>
              Save
            </Button>
            {(source === 'project' || apiKey.set || baseUrl) && (
              <ConfirmButton
                title={`Forget the project's access to ${name}?`}
                warning="The key and the address are deleted. Agents that use its models are asked with the operator's access, or not at all."
                onClick={() => resetting.mutate()}
                loading={resetting.isPending}
              >
                Forget key and address
              </ConfirmButton>
            )}
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

const KnownModels = ({ models }: Pick<Provider, 'models'>) => (
  <Panel title="Known models" description="Any other that the provider has works by its name, too.">
    <DataTable
      label="Known models"
      rows={models}
      keyOf={({ modelId }) => modelId}
      columns={[
        { header: 'Model', cell: ({ name }) => name, note: ({ modelId }) => modelId, maxWidth: 320 },
        { header: 'Context', cell: ({ contextTokens }) => tokens(contextTokens), isNumber: true },
        { header: 'Reply', cell: ({ outputTokens }) => tokens(outputTokens), isNumber: true },
        { header: 'Takes', cell: ({ inputModalities }) => inputModalities?.join(', ') ?? 'Unknown' }
      ]}
    />
  </Panel>
)

const tokens = (count: number | null) => count?.toLocaleString('en') ?? '–'
