import { createHash } from 'node:crypto'

export type CallIds = ReturnType<typeof createCallIds>

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The only length that Mistral accepts; all others accept it as well. */
const LENGTH = 9

/** An ID that every provider accepts, the same one for the same text. */
function acceptedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  return Array.from(bytes.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** IDs of the calls of one prompt, each used for one call only. */
export function createCallIds() {
  const ids = new Map<string, string>()
  const used = new Set<string>()

  function take(callId: string, wanted: string): string {
    let id = wanted
    for (let count = 1; used.has(id); count++) id = acceptedId(`${callId} ${count}`)
    used.add(id)
    ids.set(callId, id)
    return id
  }

  return {
    /**
     * For a call, by our own ID. `given` is the ID by which its model made it, if the prompt is for that model: it accepts its
     * own IDs, and some hold data for it.
     */
    call: (callId: string, given?: string): string => take(callId, given || acceptedId(callId)),
    /** For the result of a call. */
    result: (callId: string): string => ids.get(callId) ?? acceptedId(callId)
  }
}
