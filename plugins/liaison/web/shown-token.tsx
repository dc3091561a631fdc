import { ShownOnce } from 'agent-platform/console'
import type { ComponentProps } from 'react'

/** Of a liaison, once. */
export const ShownToken = (props: Pick<ComponentProps<typeof ShownOnce>, 'value' | 'onDone' | 'form'>) => (
  <ShownOnce
    title="Its public token"
    label="Public token"
    what="It is shown this once. With it anyone may begin to speak to the liaison, and nothing else."
    note={
      <>
        Outsiders send it as <code>Authorization: Bearer …</code> to <code>POST /v1/liaison/interact</code>
      </>
    }
    {...props}
  />
)
