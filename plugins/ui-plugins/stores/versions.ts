import type { Kernel, Owned, PageOf, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import type { Manifest } from 'agent-platform-app/manifest'

export interface StoredFile {
  readonly size: number
  readonly sha256: string
}
export interface VersionRow extends Owned {
  readonly id: string
  readonly appId: string
  readonly semver: string
  readonly digest: string
  /** Bytes of its files. */
  readonly size: number
  readonly manifest: Manifest
  /** By path. */
  readonly files: Readonly<Record<string, StoredFile>>
  /** The manifest's, made anew as a WebP. */
  readonly icon: StoredFile | null
  readonly createdAt: Date
}

const columns = [
  'id',
  'project',
  'owner',
  'appId',
  'semver',
  'digest',
  'size',
  'manifest',
  'files',
  'icon',
  'createdAt'
]

export type VersionStore = ReturnType<typeof createVersionStore>

export function createVersionStore({ knex }: Pick<Kernel, 'knex'>) {
  const versions = (on: Kernel['knex'] | Trx = knex) => on('ui_plugins.app_version')
  return {
    /** Of those ids, which are of one project. */
    findSome: (project: string, ids: readonly string[], on?: Trx): Promise<VersionRow[]> =>
      versions(on)
        .where({ project })
        .whereIn('id', [...ids])
        .select(...columns),

    findNumbered: (
      on: Trx | undefined,
      project: string,
      appId: string,
      semver: string
    ): Promise<VersionRow | undefined> =>
      versions(on)
        .where({ project, appId, semver })
        .first(...columns),

    list: (project: string, appId: string, page: Paging): Promise<PageOf<VersionRow>> =>
      paginate<VersionRow>(
        versions()
          .where({ project, appId })
          .select(...columns),
        page,
        'app_version'
      ),

    async insert(trx: Trx, version: Omit<VersionRow, 'id' | 'createdAt'>): Promise<VersionRow> {
      const { manifest, files, icon, ...row } = version
      const json = {
        manifest: JSON.stringify(manifest),
        files: JSON.stringify(files),
        icon: JSON.stringify(icon)
      }
      const [made] = await versions(trx)
        .insert({ ...row, ...json, id: newId('app_version') })
        .returning(columns)
      return made
    },

    /** Bytes of all versions of an owner’s apps. */
    async countBytes(trx: Trx, project: string, owner: string): Promise<number> {
      const row = await versions(trx).where({ project, owner }).sum('size as bytes').first()
      return Number(row?.bytes ?? 0)
    },

    /** All but the newest so many, and but those: the ids of what was removed. */
    async removeOld(
      trx: Trx,
      project: string,
      appId: string,
      { most, keep }: { most: number; keep: readonly string[] }
    ): Promise<readonly string[]> {
      const newest = versions(trx).where({ project, appId }).orderBy('id', 'desc').limit(most).select('id')
      const removed = await versions(trx)
        .where({ project, appId })
        .whereNotIn('id', newest)
        .whereNotIn('id', [...keep])
        .delete()
        .returning('id')
      return removed.map(({ id }) => id as string)
    },

    /** The ids of what was removed. */
    async removeOfApp(trx: Trx, project: string, appId: string): Promise<readonly string[]> {
      const removed = await versions(trx).where({ project, appId }).delete().returning('id')
      return removed.map(({ id }) => id as string)
    }
  }
}
