import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { Static, TObject } from 'typebox'
import type { Trx } from '../database/transaction.ts'
import type { Owned, Principal, Verb } from '../identity/ownership.ts'
import { owned, reach } from '../identity/ownership.ts'
import { notFound, preconditionFailed } from './errors.ts'
import { newId } from './ids.ts'
import type { PageOf } from './paging.ts'
import { paginate } from './paging.ts'
import type { Searching } from './schemas.ts'

/** What every row of a table has: an id of the table's type, its project and its owner. */
export type Row = Owned & { readonly id: string }
type Key = Pick<Row, 'project' | 'id'>
/** Columns that the table fills by itself. */
type Made = 'id' | 'version' | 'createdAt' | 'updatedAt'
type Optional<T, K extends PropertyKey> = Omit<T, K> & Partial<Pick<T, K & keyof T>>

/** A row to insert: without what the table fills; columns that may be null may be left out. */
export type NewRow<R extends Row> = Optional<
  Omit<R, Made>,
  { [K in keyof R]: null extends R[K] ? K : never }[keyof R]
> & { id?: string }

interface Options<R> {
  /** Column names beside the schema's and `project`. */
  readonly also?: readonly (keyof R & string)[]
  /** What people call it, in messages; default: the schema's title in words. */
  readonly what?: string
  /** Of ids; default: the table's name without its schema. */
  readonly type?: string
  /** Columns that are arrays of PostgreSQL instead of JSON. */
  readonly arrays?: readonly (keyof R & string)[]
  /** Columns of text that lists are searched in by `query`. */
  readonly searched?: readonly (keyof R & string)[]
  /** Narrows what is there, such as to rows that are not deleted softly. */
  readonly only?: (query: Knex.QueryBuilder) => Knex.QueryBuilder
}

export type Table<R extends Row> = ReturnType<typeof createTable<R>>

/**
 * A table `<pack>.<name>` whose rows people own and edit: the columns are those of the schema that the rows are shown
 * by, and `project`. Everything takes `knex` or a transaction first. Objects are kept as JSON, and so are lists, but for
 * `arrays`.
 */
export const table = <S extends TObject, X extends object = object>(
  name: string,
  schema: S,
  options: Options<Static<S> & X> = {}
) => createTable<Static<S> & X & Owned & { id: string }>(name, schema, options as object)

function createTable<R extends Row>(name: string, schema: TObject, options: Options<R>) {
  const columns = [...new Set(['project', ...Object.keys(schema.properties), ...(options.also ?? [])])]
  const title = String((schema as { title?: unknown }).title ?? name)
  const what =
    options.what ?? title[0] + title.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const type = options.type ?? name.slice(name.indexOf('.') + 1)
  const agent = columns.includes('agentId') ? 'agentId' : 'id'
  const arrays: readonly string[] = options.arrays ?? []
  /** pg takes a list for an array of PostgreSQL: what is kept as JSON is written as JSON. */
  const stored = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        isJson(value) && !arrays.includes(column) ? JSON.stringify(value) : value
      ])
    )
  const rows = (on: Knex | Trx): Knex.QueryBuilder => {
    const query = on(name)
    return options.only?.(query) ?? query
  }

  /** By id alone, across projects: this is what tells 403 from 404. */
  const find = async (on: Knex | Trx, id: string): Promise<R | undefined> =>
    (await rows(on)
      .where({ id })
      .first(...columns)) as R | undefined

  /** The row as it stays until the transaction ends; 404 when it is gone, 412 when it has another version. */
  async function lock(trx: Trx, { project, id }: Key, version?: number): Promise<R> {
    const row = (await rows(trx)
      .where({ project, id })
      .forUpdate()
      .first(...columns)) as (R & { version?: number }) | undefined
    if (!row) throw notFound(what)
    if (version !== undefined && row.version !== version)
      throw preconditionFailed(
        'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
      )
    return row
  }

  return {
    name,
    what,
    columns: columns as readonly string[],
    find,
    lock,

    /** The row, if the principal may do that with it; 404 or 403 otherwise. */
    owned: async (on: Knex | Trx, by: Principal, id: string, verb: Verb): Promise<R> =>
      owned(by, await find(on, id), what, verb),

    /** A page of those that the principal reaches and that have these values, newest first; undefined is any. */
    list(on: Knex | Trx, by: Principal, page: Searching, where: Partial<R> = {}): Promise<PageOf<R>> {
      const given = Object.entries(where).filter(([, value]) => value !== undefined)
      const query = reach(by, rows(on).where(Object.fromEntries(given)), agent)
      return paginate<R>(query.select(...columns), page, type, options.searched)
    },

    async insert(trx: Trx, row: NewRow<R>): Promise<R> {
      const [made] = await trx(name)
        .insert(stored({ id: newId(type), ...row }))
        .returning(columns)
      return made
    },

    /**
     * Changes what is given and differs. Only an edit that changed something counts in `version` and `updatedAt`;
     * `isChanged` says whether this one did. 404 when the row is gone, 412 when it has another version than that.
     */
    async update(
      trx: Trx,
      key: Key,
      changes: Partial<R>,
      version?: number
    ): Promise<{ row: R; isChanged: boolean }> {
      const row = await lock(trx, key, version)
      const differs = Object.entries(changes).filter(
        ([column, value]) => value !== undefined && !isDeepStrictEqual(value, row[column as keyof R])
      )
      if (differs.length === 0) return { row, isChanged: false }
      const [changed] = await trx(name)
        .where({ project: key.project, id: key.id })
        .update({
          ...stored(Object.fromEntries(differs)),
          ...(columns.includes('version') && { version: trx.raw('version + 1') }),
          ...(columns.includes('updatedAt') && { updatedAt: trx.fn.now() })
        })
        .returning(columns)
      return { row: changed, isChanged: true }
    },

    /** 404 when the row is gone, 412 when it has another version than that. */
    async remove(trx: Trx, key: Key, version?: number): Promise<R> {
      const row = await lock(trx, key, version)
      await trx(name).where({ project: key.project, id: key.id }).delete()
      return row
    }
  }
}

const isJson = (value: unknown) =>
  Array.isArray(value) ||
  (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
