import '@mantine/dates/styles.css'
import { Alert, Button, CopyButton, Group, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import dayjs from 'dayjs'
import { Check, Copy, KeyRound } from 'lucide-react'
import { useState } from 'react'

interface Props {
  readonly itemId: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A link is made, and shown this once. */
export function NewShareLink({ itemId, isOpen, onClose }: Props) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New share link">
      <LinkForm itemId={itemId} onClose={onClose} />
    </Dialog>
  )
}

function LinkForm({ itemId, onClose }: Omit<Props, 'isOpen'>) {
  const [expiresAt, setExpiresAt] = useState<string | null>(() =>
    dayjs().add(7, 'day').format('YYYY-MM-DD HH:mm:ss')
  )
  const [password, setPassword] = useState('')
  const [maxDownloads, setMaxDownloads] = useState<number | string>('')
  const making = useAction({
    run: () =>
      api.post('/v1/library/{itemId}/share-links', {
        params: { path: { itemId } },
        body: {
          ...(expiresAt && { expiresAt: dayjs(expiresAt).toISOString() }),
          ...(password && { password }),
          ...(maxDownloads !== '' && { maxDownloads: Number(maxDownloads) })
        }
      }),
    changes: [['library', itemId, 'share-links']],
    isQuiet: true
  })
  if (making.data) return <MadeLink url={making.data.data.url} onClose={onClose} />
  return (
    <Form action={making} onSubmit={() => making.mutate()}>
      <Stack>
        <DateTimePicker
          label="Expires"
          description="Within a year"
          value={expiresAt}
          onChange={setExpiresAt}
          minDate={new Date()}
          maxDate={dayjs().add(365, 'day').toDate()}
          valueFormat="D MMMM YYYY, HH:mm"
          popoverProps={{ withinPortal: true }}
          required
        />
        <PasswordInput
          label="Password"
          description="8 characters or more; left empty: none"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          minLength={8}
          maxLength={200}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <NumberInput
          label="Downloads at most"
          description="Left empty: any number"
          value={maxDownloads}
          onChange={setMaxDownloads}
          min={1}
          max={1_000_000}
          allowDecimal={false}
        />
        {making.error ? <ErrorNotice error={making.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={making.isPending}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

const MadeLink = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <Stack>
    <Alert variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
      The link is not kept, and is not shown again.
    </Alert>
    <TextInput label="Link" value={url} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
    <Group justify="flex-end">
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button
            onClick={copy}
            variant={copied ? 'light' : 'filled'}
            leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          >
            {copied ? 'Copied' : 'Copy the link'}
          </Button>
        )}
      </CopyButton>
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </Group>
  </Stack>
)
