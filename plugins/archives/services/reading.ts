import type { Kernel, Principal } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Importing, Lack } from '../contract.ts'
import type { StoredImport } from '../schemas/imports.ts'
import type { Report } from '../schemas/report.ts'
import type { ImportStore } from '../stores/imports.ts'
import type { Opened } from './opening.ts'
import type { MountedPart, Parts } from './parts.ts'
import { isAllowed } from './parts.ts'

export type Reading = ReturnType<typeof createReading>

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  parts: Parts
  importStore: ImportStore
}

const MOST_LACKS = 1_000

/** What becomes of an archive: a report of it, an agent, or nothing again. */
export function createReading({ transaction, log, parts, importStore }: Deps) {
  type Skipped = Report['parts'][number]['skipped']

  /** Of each part of the archive what is done with it here. */
  function planOf({ manifest }: Opened, areas: readonly string[] | null) {
    const mounted = new Map(parts.all().map((it) => [it.name, it]))
    const plan = manifest.parts.map(({ pack, version, records }) => {
      const { part, pack: owner = pack } = mounted.get(pack) ?? {}
      const isTaken = pack === 'agents' || isAllowed(areas, owner)
      const skipped: Skipped = !part
        ? 'not_mounted'
        : version > part.version
          ? 'newer_version'
          : isTaken
            ? null
            : 'not_allowed'
      return { pack, part, records, skipped }
    })
    return plan
  }

  /** In the order of the packs that are here. */
  function taken(opened: Opened, areas: readonly string[] | null): MountedPart[] {
    const wanted = new Set(
      planOf(opened, areas).flatMap(({ pack, skipped }) => (skipped === null ? [pack] : []))
    )
    return parts.all().filter(({ name }) => wanted.has(name))
  }

  /** Reads all of it, and asks the parts what is lacking here. */
  async function report(
    by: Principal,
    opened: Opened,
    areas: readonly string[] | null,
    signal?: AbortSignal
  ): Promise<Report> {
    const here = taken(opened, areas)
    const byPack = new Map(here.map(({ name, part }) => [name, part]))
    await opened.verify((pack, line, before) => {
      const part = byPack.get(pack)
      return part && parts.faultOf(part, line, before)
    }, signal)
    const lacks: Lack[] = []
    for (const { name: pack, part } of here) {
      const lack = (it: Omit<Lack, 'pack'>) => {
        if (lacks.length < MOST_LACKS) lacks.push({ pack, ...it, name: it.name.slice(0, 300) })
      }
      await part.examine?.({ by, lack }, opened.records(pack))
    }
    const { agentName, madeAt, needs, leftOut } = opened.manifest
    const plan = planOf(opened, areas).map(({ pack, part, records, skipped }) => ({
      pack,
      what: part?.what ?? null,
      records,
      skipped
    }))
    return { agentName, madeAt, signature: opened.signature, parts: plan, lacks, needs, leftOut }
  }

  /** Makes the agent; what it makes is either the agent's or reserved. */
  async function make(
    by: Principal,
    row: StoredImport,
    opened: Opened,
    signal: AbortSignal
  ): Promise<string> {
    const here = taken(opened, row.areas)
    const ids = new Map<string, string>()
    let ordinal = 0
    const reserve = async (pack: string, type: string) => {
      const madeId = newId(type)
      await transaction(async (trx) => {
        if (!(await importStore.insertReserved(trx, row, ordinal++, { pack, madeId }))) throw overtaken()
      })
      return madeId
    }
    const agentId = await reserve('agents', 'agent')
    let records = 0
    for (const [done, { name: pack, part }] of here.entries()) {
      signal.throwIfAborted()
      const progress = { part: pack, done, parts: here.length, records }
      if (!(await importStore.updateProgress(row, progress))) throw overtaken()
      const into: Importing = {
        by,
        agentId,
        ...(row.order.name !== undefined && { name: row.order.name }),
        activate: row.order.activate ?? false,
        isTrusted: opened.signature.status === 'trusted',
        signal,
        lack: () => undefined,
        reserve: (type) => reserve(pack, type),
        map: (before, now) => void ids.set(before, now),
        idOf: (before) => (before == null ? undefined : ids.get(before)),
        blob: opened.blob
      }
      await part.import(into, opened.records(pack))
      records += opened.manifest.parts.find((it) => it.pack === pack)?.records ?? 0
    }
    return agentId
  }

  /** What was reserved is not there any more, nor the agent. */
  async function undo(by: Principal, row: StoredImport): Promise<void> {
    const left = await importStore.listReserved(row)
    const ids = Map.groupBy(left, ({ pack }) => pack)
    for (const { name: pack, part } of parts.all().toReversed()) {
      const some = ids.get(pack)?.map(({ madeId }) => madeId)
      if (some) await part.undo?.(by, some)
      ids.delete(pack)
    }
    if (ids.size > 0)
      log.error(
        { import: row.id, packs: [...ids.keys()] },
        'packs are off that would take back what an import made'
      )
    await importStore.removeReserved(undefined, row)
  }

  return { report, make, undo }
}

const overtaken = () => new Error('Another worker has the import by now')
