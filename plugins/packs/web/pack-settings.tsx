import { Alert, Box, Button, Code, Group, Stack, Text } from '@mantine/core'
import type { FormSchema } from 'agent-platform/console'
import { api, ErrorNotice, Form, SchemaForm, useAction } from 'agent-platform/console'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { Pack } from './queries.ts'
import { isFixed, sourceOf } from './sources.ts'

type Draft = Readonly<Record<string, unknown>>
type Setting = FormSchema & { readonly env?: string }

/** A pack's settings as their schema has them. Secrets can be set, never read; what stands above this place is shown so. */
export function PackSettings({ pack }: { pack: Pack }) {
  const schema = pack.settingsSchema as FormSchema | null
  if (!schema)
    return (
      <Alert color="orange" variant="light" title="Its settings cannot be told">
        The code of the pack cannot be read.
      </Alert>
    )
  return <SettingsForm key={JSON.stringify(pack.settings)} pack={pack} schema={schema} />
}

function SettingsForm({ pack: { name, settings }, schema }: { pack: Pack; schema: FormSchema }) {
  const [draft, setDraft] = useState<Draft>({})
  // What is taken back is drawn anew, as some fields keep what was entered.
  const [round, setRound] = useState(0)
  const takeBack = (draft: Draft) => {
    setDraft(draft)
    setRound(round + 1)
  }
  const saving = useAction({
    run: (settings: Draft) => api.put('/v1/packs/{name}', { params: { path: { name } }, body: { settings } }),
    changes: [['packs']],
    done: 'The settings are saved and in use',
    isQuiet: true
  })
  const changed = Object.keys(draft).length
  return (
    <Form action={saving} onSubmit={() => saving.mutate(draft)}>
      <Stack gap="lg" maw={760}>
        {Object.entries(settings).map(([setting, state]) => (
          <SettingField
            key={`${setting} ${round}`}
            name={setting}
            schema={(schema.properties?.[setting] ?? {}) as Setting}
            state={state}
            draft={draft}
            onChange={setDraft}
            onForget={() => takeBack({ ...draft, [setting]: null })}
          />
        ))}
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={changed === 0}>
            Save
          </Button>
          {changed > 0 && (
            <Button variant="default" onClick={() => takeBack({})}>
              Discard
            </Button>
          )}
          <Text size="sm" c="dimmed">
            Saving builds the pack anew while it serves.
          </Text>
        </Group>
      </Stack>
    </Form>
  )
}

function SettingField(props: {
  name: string
  schema: Setting
  state: Pack['settings'][string]
  draft: Draft
  onChange: (draft: Draft) => void
  onForget: () => void
}) {
  const { name, schema, state, draft, onChange, onForget } = props
  const { value, from } = state
  const isSet = schema.secret && (value as { set?: boolean } | null)?.set === true
  const isReset = name in draft && draft[name] === null
  const shown = name in draft ? draft[name] : schema.secret ? undefined : value
  const field = {
    ...schema,
    title: schema.title ?? titleOf(name),
    readOnly: isFixed(from),
    ...(isSet && { default: isReset ? undefined : 'Set. Enter another to replace it' })
  }
  return (
    <Box>
      <SchemaForm
        schema={{ properties: { [name]: field } }}
        value={shown === null || shown === undefined ? {} : { [name]: shown }}
        onChange={(next) => onChange({ ...draft, [name]: next[name] ?? null })}
      />
      <Group gap="xs" mt={4}>
        {isFixed(from) && <Lock size={12} aria-hidden />}
        <Text size="xs" c="dimmed">
          <Code>{name}</Code> {noteOf(from, name in draft, isReset)}
          {from === 'environment' && schema.env && (
            <>
              {' '}
              (<Code>{schema.env}</Code>)
            </>
          )}
        </Text>
        {from === 'table' && !(name in draft) && (
          <Button size="compact-xs" variant="subtle" onClick={onForget}>
            Forget what is set here
          </Button>
        )}
      </Group>
    </Box>
  )
}

/** `openaiApiKey`: `OpenAI API key`. */
function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
  const title = words.map((word) => spelled[word] ?? word).join(' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}
const spelled: Readonly<Record<string, string>> = Object.fromEntries(
  'API CPU HTTP HTTPS ID IP JSON MB OAuth OpenAI PDF S3 SMTP SQL TTL URL URLs'
    .split(' ')
    .map((word) => [word.toLowerCase(), word])
)

function noteOf(from: Pack['enabled']['from'], isChanged: boolean, isReset: boolean): string {
  if (isReset) return 'Goes back to what stands below it'
  if (isChanged) return 'Changed'
  const source = from === 'default' ? '' : sourceOf(from)
  return source.charAt(0).toUpperCase() + source.slice(1)
}
