import type { Knex } from 'knex'
import pg from 'pg'
import { unavailable } from '../contract/errors.ts'
import type { Trx } from './transaction.ts'

/** A parameterised piece of SQL of one owner's own tables (`$1`…), for one statement composed by another. */
export interface Fragment {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * The text of a fragment that reads another query of its statement, by that query's name; undefined where there is
 * none. Made once a name, so that a statement composed of it is recognised as the one that was prepared.
 */
export function textGiven<N extends string | undefined>(make: (given: N) => string): (given: N) => string {
  const made = new Map<N, string>()
  return (given) => {
    let text = made.get(given)
    if (text === undefined) {
      if (given !== undefined && !/^\w+$/.test(given))
        throw new TypeError('given must be the name of a query')
      text = make(given)
      made.set(given, text)
    }
    return text
  }
}

/** The item, where it is the only one. A statement for it alone costs half of one that takes arrays or a document apart. */
export const single = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

export interface Hot {
  /**
   * Runs a named prepared statement. A name stands for one text, for as long as the process lives. A statement whose result
   * columns a migration has changed is prepared again and retried.
   */
  query<R>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]>
  /**
   * Runs fragments of several owners as the named queries of one statement, `with <key> as (<fragment>), … <rest>`.
   * A fragment may read the queries before its own by their names. With `trx` it is part of that transaction, which fails
   * with 503 (retriable) if a migration has changed the result columns: name columns instead of `*` there.
   */
  together<R>(
    name: string,
    parts: Readonly<Record<string, Fragment>>,
    rest: string,
    trx?: Trx
  ): Promise<readonly R[]>
}

/** Statements of one name that are kept, by the texts of their fragments: those for one item, for many, of an older version of a pack. */
const SHAPES = 32

/** A statement as it was composed: for as long as its fragments have these texts. */
interface Composed {
  readonly name: string
  readonly texts: readonly string[]
  readonly text: string
}

function compose(name: string, parts: Readonly<Record<string, Fragment>>, rest: string): Composed {
  const texts = [rest]
  let before = 0
  const queries = Object.entries(parts).map(([key, { text, values }]) => {
    const first = before
    before += values.length
    texts.push(text)
    return `${key} as (${text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + first}`)})`
  })
  return { name, texts, text: `with ${queries.join(',\n')}\n${rest}` }
}

/** Times that a statement is sent while migrations change its columns. */
const TRIES = 3
/** The transaction is lost; the code is the one that is known as transient. */
const changed = (cause: unknown) =>
  unavailable('The database schema has changed. Retry the request.', {
    code: 'busy',
    headers: { 'retry-after': '1' },
    cause
  })

/** A statement as the server knows it. */
interface Prepared {
  readonly name: string
  readonly text: string
}

/**
 * "cached plan must not change result type": a migration has changed the columns of a prepared statement, which therefore
 * did nothing. The same SQLSTATE has other meanings, and the message is translated.
 */
const isOutdated = (error: { code?: string; routine?: string }): boolean =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** With a query that is made here: `client.query` would copy its configuration by property, and make two promises more. */
const execute = <R>(client: pg.Client, name: string, text: string, values: readonly unknown[]) =>
  new Promise<readonly R[]>((resolve, reject) => {
    const query = new pg.Query(text, [...values], (error: Error | undefined, result: pg.QueryResult) => {
      if (error) reject(error)
      else resolve(result.rows as R[])
    })
    client.query(Object.assign(query, { name }))
  })

/**
 * Rows that are known by their ids are asked for with `project || ''`: plans are made while tables are small, when any index
 * that begins with the project seems as good as that on ids, and would go through all rows of the project. Citus has to see
 * the project, by which it knows the shard.
 */
const showProject = (text: string) => text.replaceAll(/(?<=\w\.project) \|\| ''/g, '')

/** Goes past knex's query builder, which costs as much as a whole prepared query. `isCitus` is asked once there is a connection. */
export function createHot(knex: Knex, isCitus = () => false): Hot {
  const statements = new Map<string, Composed[]>()
  /** Statements that were prepared again, keyed by the name that callers use. */
  const renewed = new Map<string, Prepared>()
  let versions = 0

  async function run<R>({ name, text }: Prepared, values: readonly unknown[], on: Knex | Trx) {
    const client = await on.client.acquireConnection()
    try {
      return await execute<R>(client, name, text, values)
    } catch (error) {
      // From the socket, where it was made, it would lead back to nothing.
      Error.captureStackTrace(error as Error)
      throw error
    } finally {
      void on.client.releaseConnection(client)
    }
  }

  /** Another name for all connections, and another text: PgBouncer gives statements of the same text one plan. */
  function renew(name: string, text: string, outdated: Prepared): void {
    if (outdated.name !== (renewed.get(name)?.name ?? name)) return
    const version = ++versions
    renewed.set(name, { name: `${name}.${version}`, text: `${text}\n-- ${version}` })
  }

  async function query<R>(name: string, given: string, values: readonly unknown[], trx?: Trx) {
    const text = isCitus() ? showProject(given) : given
    // A further migration may come in between.
    for (let tries = 1; ; tries++) {
      const prepared = renewed.get(name) ?? { name, text }
      try {
        return await run<R>(prepared, values, trx ?? knex)
      } catch (error) {
        if (!isOutdated(error as object)) throw error
        renew(name, text, prepared)
        if (trx) throw changed(error)
        if (tries === TRIES) throw error
      }
    }
  }

  return {
    query: (name, text, values) => query(name, text, values),
    together<R>(name: string, parts: Readonly<Record<string, Fragment>>, rest: string, trx?: Trx) {
      const fragments = Object.values(parts)
      const shapes = statements.get(name) ?? []
      const same = ({ texts }: Composed) =>
        texts.length === fragments.length + 1 &&
        texts[0] === rest &&
        fragments.every(({ text }, index) => text === texts[index + 1])
      let known = shapes.find(same)
      if (!known) {
        // A prepared statement cannot change its text.
        known = compose(shapes.length > 0 ? `${name}.${++versions}` : name, parts, rest)
        statements.set(name, [known, ...shapes].slice(0, SHAPES))
      }
      return query<R>(
        known.name,
        known.text,
        fragments.flatMap(({ values }) => values),
        trx
      )
    }
  }
}
