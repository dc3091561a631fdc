import type { Principal } from 'agent-platform'
import { forbidden, mayCall } from 'agent-platform'
import type { Asked } from './asked.ts'

const refused = (param: string, text: string) => forbidden(text, { param, code: 'token_refused' })

/** 403 for what a run of a token must not have: what its caller wants beside messages, unless it is known to be safe. */
export function checkTokenOrder(by: Principal, { cliTools = [], computerRequest, provenance }: Asked): void {
  if (!by.attenuation) return
  if (computerRequest?.enabled) throw refused('/computerRequest', 'A computer is not for a token')
  if (provenance?.onchain)
    throw refused('/provenance/onchain', 'What is written on a chain is not for a token')
  // Whose holder is watched does not decide that nothing is recorded of it.
  if (provenance?.mode === 'off')
    throw refused('/provenance/mode', 'What is recorded of its runs is not for a token to switch off')
  // The caller makes the calls itself.
  const at = cliTools.findIndex(({ name }) => !mayCall(by, { name, tokens: 'hosts' }))
  if (at >= 0) throw refused(`/cliTools/${at}/name`, 'The token does not let that tool be called')
}
