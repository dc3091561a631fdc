import '@mantine/dropzone/styles.css'
import { Alert, Button, Checkbox, Group, List, Progress, Stack, Table, Text, TextInput } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { api, CancelButton, Dialog, ErrorNotice, uploadingApi, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Upload } from 'lucide-react'
import { useState } from 'react'

type Report = Schemas['ArchiveReport']
interface Examined {
  readonly fileId: string
  readonly report: Report
}

const skipped: Readonly<Record<string, string>> = {
  not_mounted: 'left out: no pack here reads it',
  newer_version: 'left out: the pack here is too old',
  not_allowed: 'left out: beyond your credential'
}

const counted = (records: number) => `${records} ${records === 1 ? 'record' : 'records'}`
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** An archive is uploaded, looked at, and then made an agent of. */
export function ImportAgent({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [sent, setSent] = useState(0)
  const examining = useAction({
    async run(file: File): Promise<Examined> {
      setSent(0)
      const body = new FormData()
      body.set('file', file, file.name)
      const { data } = await uploadingApi(setSent).post('/v1/files/upload', { body } as never)
      const fileId = (data as unknown as { id: string }).id
      const reply = await api.post('/v1/agents/import', {
        params: { query: { dryRun: true } },
        body: { fileId }
      })
      return { fileId, report: reply.data as Report }
    },
    isQuiet: true
  })
  const close = () => {
    onClose()
    examining.reset()
  }
  return (
    <Dialog opened={isOpen} onClose={close} title="Import an agent" size="lg">
      {examining.data ? (
        <Decision of={examining.data} onDone={close} />
      ) : (
        <Stack>
          <Dropzone
            onDrop={([file]) => file && examining.mutate(file)}
            multiple={false}
            loading={examining.isPending}
            inputProps={{ 'aria-label': 'Archive of an agent' }}
            p="xl"
          >
            <Stack align="center" gap={6} style={{ pointerEvents: 'none' }}>
              <Upload size={28} strokeWidth={1.6} aria-hidden />
              <Text fw={550}>Drop the archive of an agent here, or click to choose</Text>
              <Text size="sm" c="dimmed" ta="center">
                It is looked at first; nothing is made before you say so.
              </Text>
            </Stack>
          </Dropzone>
          {examining.isPending && <Progress value={sent * 100} animated aria-label="Sent" />}
          {examining.error ? <ErrorNotice error={examining.error} /> : null}
        </Stack>
      )}
    </Dialog>
  )
}

function Decision({ of: { fileId, report }, onDone }: { of: Examined; onDone: () => void }) {
  const isTrusted = report.signature.status === 'trusted'
  const [name, setName] = useState(report.agentName)
  const [acceptUnsigned, setAccepted] = useState(false)
  const [activate, setActivate] = useState(false)
  const importing = useAction({
    run: () => api.post('/v1/agents/import', { body: { fileId, name, activate, acceptUnsigned } }),
    changes: [['archives'], ['agents']],
    done: 'The agent is being imported',
    onDone,
    isQuiet: true
  })
  return (
    <Stack>
      <Signature of={report.signature} />
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={200}
      />
      <Table aria-label="Parts">
        <Table.Tbody>
          {report.parts
            .filter(({ records }) => records > 0)
            .map(({ pack, what, records, skipped: why }) => (
              <Table.Tr key={pack}>
                <Table.Td>{what ? capital(what) : pack}</Table.Td>
                <Table.Td c={why ? 'orange' : 'dimmed'} ta="right">
                  {why ? skipped[why] : counted(records)}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      <Told title="Not here" items={report.lacks} />
      <Told title="To be set up again" items={report.needs} />
      {!isTrusted && (
        <Checkbox
          label="Import it all the same: I know where it comes from"
          checked={acceptUnsigned}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
        />
      )}
      <Checkbox
        label="Switch on its schedules, heartbeat and computer as they were"
        checked={activate}
        onChange={({ currentTarget }) => setActivate(currentTarget.checked)}
      />
      {importing.error ? <ErrorNotice error={importing.error} /> : null}
      <Group justify="flex-end">
        <CancelButton onClick={onDone} />
        <Button
          onClick={() => importing.mutate()}
          loading={importing.isPending}
          disabled={name.trim() === '' || !(isTrusted || acceptUnsigned)}
        >
          Import
        </Button>
      </Group>
    </Stack>
  )
}

function Signature({ of: { status, keyId, issuer } }: { of: Report['signature'] }) {
  if (status === 'none') return <Alert color="orange">Nobody signed this archive.</Alert>
  const by = (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      Key {keyId}, which says that it is of {issuer}
    </Text>
  )
  return status === 'trusted' ? (
    <Alert color="green" title="Signed by a key that is trusted here">
      {by}
    </Alert>
  ) : (
    <Alert color="orange" title="Signed by a key that is not known here">
      {by}
    </Alert>
  )
}

function Told({ title, items }: { title: string; items: Report['lacks'] }) {
  if (items.length === 0) return null
  return (
    <Stack gap={4}>
      <Text fw={550} size="sm">
        {title}
      </Text>
      <List size="sm">
        {items.map(({ pack, type, name, text }) => (
          <List.Item key={`${pack} ${type} ${name}`}>
            {type} {name}: {text}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
