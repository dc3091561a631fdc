import type { Knex } from 'knex'

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

export interface Hot {
  /** Runs a named prepared statement. A name stands for one text, for as long as the process lives. */
  query<R>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]>
  /**
   * Runs fragments of several owners as the named queries of one statement, `with <key> as (<fragment>), … <rest>`.
   * A fragment may read the queries before its own by their names.
   */
  together<R>(name: string, parts: Readonly<Record<string, Fragment>>, rest: string): Promise<readonly R[]>
}

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

/** Goes past knex's query builder, which costs as much as a whole prepared query. */
export function createHot(knex: Knex): Hot {
  const statements = new Map<string, Composed>()
  let versions = 0

  async function query<R>(name: string, text: string, values: readonly unknown[]) {
    const client = await knex.client.acquireConnection()
    try {
      return (await client.query({ name, text, values })).rows as R[]
    } finally {
      void knex.client.releaseConnection(client)
    }
  }

  return {
    query,
    together<R>(name: string, parts: Readonly<Record<string, Fragment>>, rest: string) {
      const fragments = Object.values(parts)
      let known = statements.get(name)
      const same = ({ texts }: Composed) =>
        texts.length === fragments.length + 1 &&
        texts[0] === rest &&
        fragments.every(({ text }, index) => text === texts[index + 1])
      if (!known || !same(known)) {
        // Another version of a pack: a prepared statement cannot change its text.
        known = compose(known ? `${name}.${++versions}` : name, parts, rest)
        statements.set(name, known)
      }
      return query<R>(
        known.name,
        known.text,
        fragments.flatMap(({ values }) => values)
      )
    }
  }
}
