import { noticePage } from 'agent-platform'
import type { Returned } from './services/granting.ts'

/** How it went, in plain words, and for whom: who was sent here by somebody else is to notice. */
export function pageOf({ provider, connection, error, owner }: Returned, way?: string): string {
  const { name } = provider
  if (!connection)
    return noticePage(`${name} was not connected`, [error?.message ?? '', 'You may close this page.'])
  const account = connection.account === null ? '' : ` as ${connection.account}`
  const lines = [
    `The agents of ${owner} may now act at ${name}${account}, within what you allowed.`,
    `If you are not ${owner}, somebody else asked you for this: take it back in the settings of ${name}.`,
    ...(way === undefined ? ['You may close this page.'] : [])
  ]
  return noticePage(`${name} is connected`, lines, way)
}
