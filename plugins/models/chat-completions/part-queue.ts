import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** What a part costs beside its text, in characters, while it waits to be taken. */
const PART = 64

type Part = LanguageModelV4StreamPart
type DeltaPart = Extract<Part, { delta: string }>

/** Parts that wait to be taken; deltas that follow each other become one. */
export function createPartQueue(first: Part) {
  let parts: Part[] = [first]
  let size = 0
  /** The last of the parts, while more can be added to it. */
  let last: DeltaPart | undefined

  return {
    push(part: Part): void {
      last = undefined
      size += PART
      parts.push(part)
    },
    append(type: DeltaPart['type'], id: string, delta: string): void {
      size += delta.length
      if (last !== undefined && last.type === type && last.id === id) last.delta += delta
      else {
        size += PART
        parts.push((last = { type, id, delta }))
      }
    },
    /** So many of the parts that have come since the last time. */
    take(most: number): Part[] {
      if (parts.length > most) {
        size = (parts.length - most) * PART
        return parts.splice(0, most)
      }
      const taken = parts
      parts = []
      last = undefined
      size = 0
      return taken
    },
    /** About its characters. */
    get size(): number {
      return size
    }
  }
}
