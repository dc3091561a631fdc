import type { Readable } from 'node:stream'
import type { Owned, Principal } from 'agent-platform'
import type { TSchema } from 'typebox'
import type { Agent } from '../agents/contract.ts'
import type { Export } from './schemas/exports.ts'
import type { Import } from './schemas/imports.ts'
import type { Lack, Need } from './schemas/report.ts'

export type { Lack, Need }

/** One thing that a part keeps: its kind tells the schema. */
export interface ArchiveRecord {
  readonly kind: string
  readonly data: object
  /**
   * Bytes that lie in the part behind it, of a kind that is in `withBytes`: as they are when they are read, once, whatever
   * becomes of them meanwhile. Those that are read come before the next record, and need not be read.
   */
  readonly bytes?: AsyncIterable<Uint8Array>
}

/** A record as it is read. */
export interface ReadRecord extends ArchiveRecord {
  readonly bytes: AsyncIterable<Buffer>
}

/** Bytes that lie beside the records, named in them by their SHA-256: they may not change before the archive is whole. */
export interface Blob {
  /** 64 hexadecimal digits. */
  readonly sha256: string
  readonly size: number
  open(): Promise<Readable>
}

export interface Exporting {
  /** The agent's owner. */
  readonly by: Principal
  readonly agent: Agent & Owned
  /** Optional parts that were asked for. */
  readonly include: readonly string[]
  readonly signal: AbortSignal
  /** Puts these bytes into the archive, once; says under which SHA-256. */
  blob(blob: Blob): string
  /** Something that is not in the archive and has to be given again where it is read, such as a secret: never the thing itself. */
  need(need: Omit<Need, 'pack'>): void
}

/** An archive that is looked at: nothing is made. */
export interface Examining {
  /** Who imports, and whose the agent becomes. */
  readonly by: Principal
  /** Something that the archive counts on and that is not here. */
  lack(lack: Omit<Lack, 'pack'>): void
}

export interface Importing extends Examining {
  /** The new agent's; the part of `agents`, which is the first, makes it under that id. */
  readonly agentId: string
  /** How the agent is to be called; left out: as it was. */
  readonly name?: string
  /** Whether what acts by itself, such as a schedule, is switched on as it was; else it comes switched off. */
  readonly activate: boolean
  /** Somebody who is believed signed it; what is in it is else marked as untrusted, where that can be said of it. */
  readonly isTrusted: boolean
  readonly signal: AbortSignal
  /**
   * An id of that type for something that is about to be made, and that would not go with the agent. It is written down first, so
   * that the part's `undo` is asked to take it back when the import ends early, also after kill -9.
   */
  reserve(type: string): Promise<string>
  /** From now on `idOf` gives the second for the first. */
  map(before: string, now: string): void
  /** Of something that an earlier part, or this one, made of what had that id; undefined where there is none. */
  idOf(before: string | null | undefined): string | undefined
  /** Bytes of the archive; a failure where it has none under that SHA-256. They are what the digest says. */
  blob(sha256: string): { readonly size: number; open(): AsyncIterable<Buffer> }
}

/**
 * What a pack keeps of an agent, and how that comes into an archive and out of it: contributed at `archives.part`. It is called as
 * its pack is; a further one of the same pack as the key of its contribution, which no pack is called.
 */
export interface ArchivePart {
  /** Of the form of its records. An archive with a later one is read without this part. */
  readonly version: number
  /** For people: "conversations and their messages". */
  readonly what: string
  /** Left out of an archive unless it is asked for. */
  readonly optional?: true
  /** By kind. What does not fit is refused before anything is made. */
  readonly records: Readonly<Record<string, TSchema>>
  /** Kinds whose records have bytes behind them. */
  readonly withBytes?: readonly string[]
  /** In an order in which they can be imported. Never with secrets or ids of people. */
  export(of: Exporting): AsyncIterable<ArchiveRecord>
  /** Says what is lacking here, for a report. */
  examine?(at: Examining, records: AsyncIterable<ReadRecord>): Promise<void>
  /** What it makes belongs to the agent and goes with it, or was reserved. */
  import(into: Importing, records: AsyncIterable<ReadRecord>): Promise<void>
  /** Takes back what was reserved under these ids, as far as it was made, the last one first. */
  undo?(by: Principal, ids: readonly string[]): Promise<void>
}

declare module 'agent-platform' {
  interface Points {
    'archives.part': ArchivePart
  }
  interface Facts {
    'archives.export_requested': Export
    'archives.exported': Export
    'archives.export_failed': Export
    'archives.export_deleted': { id: string }
    'archives.import_requested': Import
    'archives.imported': Import
    'archives.import_failed': Import
  }
}
