import type { ButtonProps } from '@mantine/core'
import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

interface Props extends ButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

export const ActionButton = (props: Props) => <Button size="sm" {...props} />

/** For what cannot be undone: says what will happen, and asks. */
export function ConfirmButton({
  onClick,
  title,
  warning,
  ...props
}: Props & { title: string; warning: ReactNode }) {
  const ask = () =>
    modals.openConfirmModal({
      title,
      children: (
        <Text size="sm" component="div">
          {warning}
        </Text>
      ),
      labels: { confirm: props.children, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: onClick
    })
  return <Button size="sm" variant="light" color="red" {...props} onClick={ask} />
}
