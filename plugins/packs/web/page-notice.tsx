import { Alert, Code } from '@mantine/core'
import { builtPages } from 'agent-platform/console'
import { AppWindow } from 'lucide-react'
import type { Pack } from './queries.ts'

/** What is wrong with the page of a pack that runs: it is not in this console, or another one is. */
export function pageFaultOf({ name, page, status }: Pack): string | undefined {
  if (page === null || status !== 'running' || builtPages[name] === page) return undefined
  return builtPages[name] === undefined
    ? 'Its page is not built into the console'
    : 'Its page in the console is not the one in its folder'
}

export function PageNotice({ pack }: { pack: Pack }) {
  const fault = pageFaultOf(pack)
  if (fault === undefined) return null
  return (
    <Alert color="orange" variant="light" icon={<AppWindow aria-hidden />} title={fault}>
      Run <Code>npm run build:console</Code>, then <Code>npm run -s platform -- packs reload console</Code>,
      and load this page again. Pages are built of the packs that lie beside the console.
    </Alert>
  )
}
