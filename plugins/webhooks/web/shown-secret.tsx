import { ShownOnce } from 'agent-platform/console'
import type { ComponentProps } from 'react'

/** Of a webhook, once. */
export const ShownSecret = (props: Pick<ComponentProps<typeof ShownOnce>, 'value' | 'onDone' | 'form'>) => (
  <ShownOnce
    title="Its secret"
    label="Secret"
    what="It is shown this once. With it the receiver proves that a message is from here."
    note={
      <>
        Messages are signed as Standard Webhooks has it: <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and <code>webhook-signature</code>.
      </>
    }
    {...props}
  />
)
