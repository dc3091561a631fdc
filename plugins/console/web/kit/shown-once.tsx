import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  /** Of the dialog, and what the value is called. */
  readonly title: string
  readonly label?: string
  /** What it is good for, and that it comes once. */
  readonly what: string
  readonly note?: ReactNode
  readonly value: string | undefined
  readonly onDone: () => void
  /** What is filled in to get one, in the same dialog, while there is none. */
  readonly form?: { readonly title: string; readonly isOpen: boolean; readonly fields: ReactNode }
}

/** A secret, which no reply has again: only a press closes it. */
export function ShownOnce({ title, label = title, what, note, value, onDone, form }: Props) {
  const isShown = value !== undefined
  return (
    <Dialog
      opened={isShown || form?.isOpen === true}
      onClose={onDone}
      title={isShown ? title : form?.title}
      size="lg"
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
    >
      {isShown ? (
        <Stack>
          <Alert color="orange" variant="light" icon={<KeyRound aria-hidden />} title="Copy it now">
            {what}
          </Alert>
          <CodeBlock value={value} label={label} />
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
          <Group justify="flex-end">
            <Button onClick={onDone}>I have copied it</Button>
          </Group>
        </Stack>
      ) : (
        form?.fields
      )}
    </Dialog>
  )
}
