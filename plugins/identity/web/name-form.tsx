import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { useState } from 'react'

interface Props {
  readonly title: string
  readonly label: string
  readonly description?: string
  readonly type?: 'email' | 'text'
  readonly value?: string | undefined
  readonly submit: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly changes: readonly QueryKey[]
  /** Rejects with what is shown in the form. */
  readonly run: (value: string) => Promise<unknown>
  /** Further fields. */
  readonly children?: ReactNode
}

/** Asks for a name, or an address, and what goes with it. */
export function NameForm(props: Props) {
  const { title, label, description, type = 'text', submit, isOpen, onClose, changes, run, children } = props
  const [value, setValue] = useState(props.value ?? '')
  const naming = useAction({
    run: () => run(value.trim()),
    changes,
    onDone() {
      setValue('')
      onClose()
    },
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <Form action={naming} onSubmit={() => naming.mutate()}>
        <Stack>
          <TextInput
            label={label}
            description={description}
            type={type}
            required
            maxLength={type === 'email' ? 254 : 200}
            data-autofocus
            autoComplete="off"
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
          {children}
          {naming.error ? <ErrorNotice error={naming.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={naming.isPending} disabled={value.trim() === ''}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
