import type { Kernel, Trx } from 'agent-platform'

export type PauseStore = ReturnType<typeof createPauseStore>

/** Seconds before the second try, twice as many before each one after it, at most an hour. */
const FIRST = 60
const MOST = 3_600

/** Projects whose embedding model could not be asked, and until when it is left alone. */
export function createPauseStore({ knex }: Pick<Kernel, 'knex'>) {
  const now = knex.fn.now()

  return {
    /** Whether the project is one. */
    async find(project: string): Promise<boolean> {
      return (
        (await knex('retrieval.pause').where({ project }).where('until', '>', now).first('project')) !==
        undefined
      )
    },

    /** For longer than the time before; how many seconds, undefined where another job did it just now. */
    async insert(project: string): Promise<number | undefined> {
      const seconds = `least(${MOST}, ${FIRST} * 2 ^ least(pause.tries, 10))`
      const { rows } = await knex.raw(
        `insert into retrieval.pause (project, tries, until) values (?, 1, now() + make_interval(secs => ${FIRST}))
          on conflict (project) do update set tries = pause.tries + 1,
            until = now() + make_interval(secs => ${seconds})
            where pause.until <= now()
          returning round(extract(epoch from until - now()))::int as seconds`,
        [project]
      )
      return rows[0]?.seconds
    },

    /** Whether there was one. */
    async remove(trx: Trx, project: string): Promise<boolean> {
      return (await trx('retrieval.pause').where({ project }).delete()) > 0
    },

    /** Those of them that are not paused. */
    async listWithout(projects: readonly string[]): Promise<string[]> {
      const paused = await knex('retrieval.pause').where('until', '>', now).select('project')
      const known = new Set(paused.map(({ project }) => project))
      return projects.filter((project) => !known.has(project))
    }
  }
}
