import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider'

type Fields = Readonly<Record<string, unknown>>

/** Fields of a message in which servers send data that they want back unchanged, by whether pieces of it are put together. */
const lists = ['reasoning_details', 'thinking_blocks'] as const
const objects = ['extra_content', 'provider_specific_fields'] as const
const texts = ['reasoning_opaque'] as const
const messageFields: readonly string[] = [...lists, ...objects, ...texts]
/** Such fields of a call, and of its function. */
const callFields = ['extra_content', 'provider_specific_fields', 'thought_signature'] as const
/** Fields of thoughts as text. */
const thoughtFields = ['reasoning_content', 'reasoning'] as const
export type ThoughtField = (typeof thoughtFields)[number]

/** Names of all fields that hold thoughts or data of a server, as refusals mention them. */
export const retainedFields: readonly string[] = [
  ...new Set([...thoughtFields, ...messageFields, ...callFields])
]

/** What a part of a reply holds for its server only, under the name of its provider. */
interface Retained {
  /** Of the message as a whole. */
  readonly message?: Fields
  /** Of a call, and of its function. */
  readonly call?: Fields
  readonly function?: Fields
  /** The field in which the thoughts before a call came. */
  readonly thoughts?: ThoughtField
}

export const metadataOf = (provider: string, retained: Retained): SharedV4ProviderMetadata =>
  ({ [provider]: retained }) as SharedV4ProviderMetadata

export const retainedOf = (provider: string, options: SharedV4ProviderOptions | undefined): Retained =>
  (options?.[provider] ?? {}) as Retained

const isObject = (it: unknown): it is Fields => typeof it === 'object' && it !== null && !Array.isArray(it)

const picked = (fields: Fields, names: readonly string[]): Fields | undefined => {
  const found = names.filter((name) => fields[name] !== undefined && fields[name] !== null)
  return found.length > 0 ? Object.fromEntries(found.map((name) => [name, fields[name]])) : undefined
}

/** Data of a server in a piece of a call; undefined for none. */
export const ofCall = (piece: object): Fields | undefined => picked(piece as Fields, callFields)

/** Whether a piece of a message holds data of its server. */
export const holdsRetained = (delta: Fields): boolean =>
  messageFields.some((name) => delta[name] !== undefined && delta[name] !== null)

/** Puts the data of a message together from its pieces. */
export function createRetainer() {
  const kept: Record<string, unknown> = {}

  return {
    add(delta: Fields): void {
      for (const name of lists) if (Array.isArray(delta[name])) kept[name] = joined(kept[name], delta[name])
      for (const name of objects)
        if (isObject(delta[name])) kept[name] = merged(kept[name], delta[name] as Fields)
      for (const name of texts)
        if (typeof delta[name] === 'string') kept[name] = `${kept[name] ?? ''}${delta[name]}`
    },
    /** Undefined for none. */
    get fields(): Fields | undefined {
      return Object.keys(kept).length > 0 ? kept : undefined
    }
  }
}

/** Pieces of one block are one: texts follow each other, anything else replaces what came before. */
function joined(before: unknown, pieces: readonly unknown[]): Fields[] {
  const blocks: Fields[] = Array.isArray(before) ? before : []
  for (const piece of pieces) {
    if (!isObject(piece)) continue
    const last = blocks.at(-1)
    if (!last || !continues(last, piece)) blocks.push({ ...piece })
    else blocks[blocks.length - 1] = continued(last, piece)
  }
  return blocks
}

/** Encrypted data is whole in its piece. */
const continues = (last: Fields, piece: Fields): boolean =>
  last.type === piece.type &&
  last.index === piece.index &&
  last.data === undefined &&
  piece.data === undefined

function continued(last: Fields, piece: Fields): Fields {
  const block: Record<string, unknown> = { ...last }
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === '') continue
    const isPiece = name === 'text' || name === 'summary' || name === 'thinking'
    block[name] = isPiece && typeof value === 'string' ? `${block[name] ?? ''}${value}` : value
  }
  return block
}

/** By vendor; that a piece was a thought is said of this piece only. */
function merged(before: unknown, fields: Fields): Fields {
  const all: Record<string, unknown> = isObject(before) ? { ...before } : {}
  for (const [vendor, value] of Object.entries(fields)) {
    if (!isObject(value)) all[vendor] = value
    else {
      const { thought: _, ...rest } = value
      if (Object.keys(rest).length > 0)
        all[vendor] = { ...(isObject(all[vendor]) ? all[vendor] : {}), ...rest }
    }
  }
  return all
}
