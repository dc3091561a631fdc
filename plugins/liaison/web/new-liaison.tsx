import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { AgentSelect, api, CancelButton, ErrorNotice, Form, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { LiaisonDraft } from './liaison-fields.tsx'
import { bodyOf, LiaisonFields } from './liaison-fields.tsx'
import { ShownToken } from './shown-token.tsx'

const blank: LiaisonDraft = { name: '', purpose: '', mayTell: '', dailyMessages: 200, expiresAt: '' }

/** Makes a liaison, and shows its token once. */
export function NewLiaison({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [token, setToken] = useState<string>()
  const close = () => {
    onClose()
    setToken(undefined)
  }
  return (
    <ShownToken
      value={token}
      onDone={close}
      form={{ title: 'New liaison', isOpen, fields: <LiaisonForm onCreated={setToken} onClose={close} /> }}
    />
  )
}

function LiaisonForm(props: { onCreated: (token: string | undefined) => void; onClose: () => void }) {
  const { onCreated, onClose } = props
  const [draft, setDraft] = useState(blank)
  const [type, setType] = useState<'person' | 'agent'>('person')
  const [person, setPerson] = useState('')
  const [agentId, setAgentId] = useState<string | null>(null)
  const standsFor = type === 'person' ? { type, name: person } : { type, agentId: agentId ?? '' }
  const creating = useAction({
    // Once: the reply of a repetition would lack the token.
    run: () => api.post('/v1/liaison', { body: { ...bodyOf(draft), standsFor }, idempotencyKey: false }),
    changes: [['liaisons']],
    onDone: ({ data }) => onCreated(data.token),
    isQuiet: true
  })
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <SegmentedControl
          aria-label="Whom it stands for"
          value={type}
          onChange={(value) => setType(value as typeof type)}
          data={[
            { value: 'person', label: 'For a person' },
            { value: 'agent', label: 'For an agent' }
          ]}
        />
        {type === 'person' ? (
          <TextInput
            label="Whom it stands for"
            description="As outsiders are told it."
            value={person}
            onChange={({ currentTarget }) => setPerson(currentTarget.value)}
            maxLength={200}
            required
          />
        ) : (
          <AgentSelect value={agentId} onChange={setAgentId} />
        )}
        <LiaisonFields draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button
            type="submit"
            loading={creating.isPending}
            disabled={type === 'agent' ? agentId === null : person.trim() === ''}
          >
            Create liaison
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
