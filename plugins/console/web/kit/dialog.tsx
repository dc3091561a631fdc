import type { ModalProps } from '@mantine/core'
import { Button, Modal } from '@mantine/core'
import { useContext, useState } from 'react'
import { DialogContext, leaveThen } from './unsaved.tsx'

/** A dialog that asks before it closes with input that is not saved. */
export function Dialog({ onClose, children, ...props }: ModalProps) {
  const [dialog] = useState(() => ({}))
  return (
    <Modal
      closeButtonProps={{ 'aria-label': 'Close' }}
      {...props}
      onClose={() => leaveThen(onClose, (of) => of === dialog)}
    >
      <DialogContext value={dialog}>{children}</DialogContext>
    </Modal>
  )
}

/** Closes the dialog around it, and asks first if its input is not saved. */
export function CancelButton({ onClick }: { onClick: () => void }) {
  const dialog = useContext(DialogContext)
  return (
    <Button variant="default" onClick={() => leaveThen(onClick, (of) => of === dialog)}>
      Cancel
    </Button>
  )
}
