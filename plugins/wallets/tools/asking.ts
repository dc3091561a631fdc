import type { Call } from '../../tools/contract.ts'
import type { Asked, AskPerson } from '../services/consent.ts'
import type { TransferRequest } from '../services/transfers.ts'

const schema = {
  type: 'object',
  properties: { approve: { type: 'boolean', title: 'Pay this' } },
  required: ['approve']
}

const textOf = ({ amount, symbol, network, to, host }: Asked) =>
  `May ${amount} ${symbol} be paid on ${network} to ${to}${host === null ? '' : `, for an answer of ${host}`}?`

/** A call as a request: made again it is the same one. What it asks a person outlives the process, and counts for that payment alone. */
export function requestOf(call: Call): TransferRequest {
  const askPerson: AskPerson = async (asked) => {
    const { resumed } = call
    const isAnswered = resumed && textOf(resumed.resume as Asked) === textOf(asked)
    const { action, content } = isAnswered
      ? resumed.answer
      : await call.ask({ message: textOf(asked), schema }, asked)
    return action === 'accept' && content?.approve === true
  }
  const { id, run, untrusted } = call
  return { key: `call:${id}`, approved: false, runId: run?.id ?? null, untrusted, askPerson }
}
