import { hashKey } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useStored } from './stored.ts'

/** What was entered, and the resource that it began with. */
interface Begun<R, T> {
  readonly base: R
  readonly value: T
}
/** As JSON, which leaves out fields that are undefined. */
interface Stored<R, T> extends Begun<R, T> {
  readonly fields: readonly string[]
}

/** The input of a form. */
export interface Draft<R = unknown, T extends object = object> {
  readonly value: T
  set(value: T): void
  /** Sets some fields. */
  change(fields: Partial<T>): void
  /** Whether the input outlives the page, so that nobody has to be asked before leaving it. */
  readonly isStored: boolean
  /** The resource that the input changes. Its version is the one to send as `If-Match`. */
  readonly base: R
  readonly isChanged: boolean
  /** If somebody else saved other values while this input was entered: those values, by the names of the fields. */
  readonly newer: Partial<T> | undefined
  /** Changes with each value that was not entered: fields with a state of their own begin again. */
  readonly key: string
  /** Drops the input and shows the newest version. */
  discard(): void
  /** Moves the input to the newest version: fields that were not edited take its values. */
  rebase(): void
  /** After `sent` was saved. Input that was entered since then stays. */
  done(sent: T): void
}

const versionOf = (resource: unknown) => (resource as { version?: number } | null | undefined)?.version
const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other])

/**
 * The input of a form, which is not lost: it is stored in this browser until it is saved or discarded, and stays when a newer
 * version of the resource arrives. Input with secrets is not stored; whoever leaves it is asked first.
 *
 * @param place where the input belongs, with the ID of what is edited: `agent agent_…`
 * @param saved the resource as the server has it now
 * @param fieldsOf the fields of the form for a resource, as JSON values
 */
export function useDraft<R, T extends object>(
  place: string,
  saved: R,
  fieldsOf: (resource: R) => T,
  { hasSecrets = false } = {}
): Draft<R, T> {
  const stored = useStored<Stored<R, T>>(place)
  const current = fieldsOf(saved)
  const fields = Object.keys(current)
  const restored = (): Begun<R, T> | undefined => {
    const begun = hasSecrets ? undefined : stored.read()
    // An earlier version of the console may have stored other fields.
    if (!begun || !isSame(begun.fields, fields)) return undefined
    const value = Object.fromEntries(fields.map((name) => [name, begun.value[name as keyof T]])) as T
    return { base: begun.base, value }
  }
  const [{ key, entered, round }, setState] = useState(() => ({
    key: stored.key,
    entered: restored(),
    round: 0
  }))
  if (key !== stored.key) setState({ key: stored.key, entered: restored(), round: 0 })
  const latest = useRef({ saved, entered })
  useEffect(() => {
    latest.current = { saved, entered }
  })

  const begun = key === stored.key ? entered : undefined
  const meanwhile = begun ? differences(fieldsOf(begun.base), current) : {}
  const isNewer = begun !== undefined && Object.keys(meanwhile).length > 0
  const isChanged = begun !== undefined && !isSame(begun.value, current)
  const value = begun?.value ?? current
  // Fields of others that changed do not concern this input.
  const base = begun && isChanged && isNewer ? begun.base : saved

  const enter = (next: Begun<R, T> | undefined, { isEntered = true } = {}) => {
    setState({ key: stored.key, entered: next, round: isEntered ? round : round + 1 })
    if (!hasSecrets) stored.write(next && { ...next, fields })
  }
  const set = (value: T) => enter(isSame(value, fieldsOf(base)) ? undefined : { base, value })
  return {
    value,
    set,
    change: (fields) => set({ ...value, ...fields }),
    isStored: !hasSecrets,
    base,
    isChanged,
    key: `${round} ${versionOf(begun ? begun.base : saved)}`,
    newer: isChanged && isNewer ? meanwhile : undefined,
    discard: () => enter(undefined, { isEntered: false }),
    rebase() {
      if (begun)
        enter({ base: saved, value: { ...current, ...differences(fieldsOf(begun.base), begun.value) } })
    },
    done(sent) {
      const { saved, entered } = latest.current
      const isAll = !entered || isSame(entered.value, sent)
      enter(isAll ? undefined : { base: saved, value: entered.value })
    }
  }
}

/** The fields whose values differ, as they are in `after`. */
const differences = <T extends object>(before: T, after: T): Partial<T> => {
  const names = Object.keys({ ...before, ...after }) as (keyof T)[]
  const differing = names.filter((name) => !isSame(after[name], before[name]))
  return Object.fromEntries(differing.map((name) => [name, after[name]])) as Partial<T>
}
