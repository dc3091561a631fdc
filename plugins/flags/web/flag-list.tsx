import { Button, Group, JsonInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  Dialog,
  ErrorNotice,
  Form,
  ListTable,
  Loaded,
  PageFrame,
  Panel,
  StatusBadge,
  useAction,
  useAddress,
  useList,
  useSession
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Plus } from 'lucide-react'
import { useState } from 'react'

type Evaluation = Schemas['FlagEvaluation']
const ALL = ['flags'] as const
const fresh =
  '{\n  "state": "ENABLED",\n  "variants": { "on": true, "off": false },\n  "defaultVariant": "off"\n}'

/** What each flag is for the caller, and why; operators set them. Which one is edited stands in the address. */
export default function FlagList() {
  const { search, change } = useAddress()
  const { principal } = useSession()
  const isOperator = principal?.scopes.includes('platform:admin') ?? false
  const list = useList(
    [...ALL],
    (cursor, signal) => api.get('/v1/flags', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: 15_000 }
  )
  const edited = search.get('flag')
  const close = () => change({ flag: null })
  return (
    <PageFrame title="Feature flags" description="What they are for you, and why.">
      <Panel
        title="Flags"
        actions={
          isOperator && (
            <Button
              size="sm"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => change({ flag: 'new' })}
            >
              New flag
            </Button>
          )
        }
      >
        <ListTable
          label="Flags"
          list={list}
          empty="There are no flags."
          columns={[
            {
              header: 'Flag',
              cell: ({ key }: Evaluation) => key,
              note: ({ source }) => `Of the ${source}`,
              maxWidth: 320
            },
            { header: 'Value', cell: ({ value }) => JSON.stringify(value), maxWidth: 240 },
            { header: 'Variant', cell: ({ variant }) => variant ?? '–' },
            {
              header: 'Reason',
              cell: ({ reason }) => <StatusBadge status={reason.toLowerCase()} />,
              note: ({ error }) => error
            },
            {
              header: 'Change',
              cell: ({ key }) =>
                isOperator && (
                  <Button size="compact-sm" variant="default" onClick={() => change({ flag: key })}>
                    Change
                  </Button>
                ),
              isAction: true
            }
          ]}
        />
      </Panel>
      <Dialog opened={isOperator && edited !== null} onClose={close} title="Feature flag" size="lg">
        {edited === 'new' ? (
          <FlagForm flag={undefined} onClose={close} />
        ) : (
          edited !== null && <Existing flagKey={edited} onClose={close} />
        )}
      </Dialog>
    </PageFrame>
  )
}

function Existing({ flagKey: key, onClose }: { flagKey: string; onClose: () => void }) {
  const definition = useQuery({
    queryKey: [...ALL, key],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/flags/{key}/definition', { params: { path: { key } }, signal })).data
  })
  return <Loaded query={definition}>{(flag) => <FlagForm flag={flag} onClose={onClose} />}</Loaded>
}

function FlagForm({ flag, onClose }: { flag: Schemas['FlagDefinition'] | undefined; onClose: () => void }) {
  const [key, setKey] = useState(flag?.key ?? '')
  const [text, setText] = useState(flag ? textOf(flag) : fresh)
  const path = { key }
  const setting = useAction({
    run: () => api.put('/v1/flags/{key}', { params: { path }, body: JSON.parse(text) }),
    changes: [ALL],
    done: 'The flag is set',
    onDone: onClose,
    isQuiet: true
  })
  const removing = useAction({
    run: () => api.delete('/v1/flags/{key}', { params: { path } }),
    changes: [ALL],
    done: 'The flag is deleted',
    onDone: onClose
  })
  return (
    <Form action={setting} onSubmit={() => setting.mutate()}>
      <Stack>
        <TextInput
          label="Key"
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          disabled={flag !== undefined}
          required
        />
        <JsonInput
          label="Definition"
          description="As flagd has it: state, variants, defaultVariant, targeting"
          value={text}
          onChange={setText}
          autosize
          minRows={8}
          maxRows={24}
          required
        />
        {setting.error !== null && <ErrorNotice error={setting.error} />}
        <Group justify="space-between">
          {flag?.source === 'platform' ? (
            <ConfirmButton
              onClick={() => removing.mutate()}
              loading={removing.isPending}
              title={`Delete ${key}?`}
              warning="It is as the deployment has it from then on, or gone."
            >
              Delete
            </ConfirmButton>
          ) : (
            <span />
          )}
          <Button type="submit" loading={setting.isPending}>
            Set
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

const textOf = ({
  state,
  variants,
  defaultVariant,
  targeting,
  metadata
}: Schemas['FlagDefinition']): string =>
  JSON.stringify({ state, variants, defaultVariant, targeting, metadata }, null, 2)
