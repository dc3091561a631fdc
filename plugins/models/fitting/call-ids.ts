import { createHash } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The only length that Mistral accepts; all others accept it as well. */
const LENGTH = 9

/** An ID that every provider accepts, the same one for the same text. */
export function acceptedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  return Array.from(bytes.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** Gives out the IDs of one prompt, each of them once: the wanted one where that is accepted and free. */
export function createDistinctIds(isAccepted: (id: string) => boolean) {
  const used = new Set<string>()
  return (wanted: string): string => {
    let id = isAccepted(wanted) ? wanted : acceptedId(wanted)
    for (let count = 1; used.has(id); count++) id = acceptedId(`${wanted} ${count}`)
    used.add(id)
    return id
  }
}
