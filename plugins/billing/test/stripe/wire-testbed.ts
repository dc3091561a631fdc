import { createHmac } from 'node:crypto'
import type { Client } from '../../../../test/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: of any shape
type Tree = any

/** What a form of Stripe says: `a[b][0][c]=d` as an object. */
export function formOf(text: string): Tree {
  const tree: Tree = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(']', ''))
    let at = tree
    for (const [index, part] of path.entries()) {
      if (index === path.length - 1) at[part] = value
      else at = at[part] ??= /^\d+$/.test(path[index + 1] ?? '') ? [] : {}
    }
  }
  return tree
}

export const SECRET = 'whsec_of_the_test'

/** As Stripe sends it: signed at that time, in seconds. */
export function deliver(
  client: Client,
  event: object,
  { secret = SECRET, at = Math.floor(Date.now() / 1_000), signed = '' } = {}
) {
  const body = JSON.stringify(event)
  const mac = createHmac('sha256', secret)
    .update(`${at}.${signed || body}`)
    .digest('hex')
  return client.request('POST', '/v1/billing/webhooks/stripe', {
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${mac}` }
  })
}
