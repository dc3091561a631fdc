import type { Fragment, Kernel } from 'agent-platform'

/** What an app used up. Sizes of what goes into functions and out of them are in characters of JSON. */
export interface Amounts {
  readonly calls: number
  readonly functionCalls: number
  readonly cpuMs: number
  readonly characters: number
  readonly egressCalls: number
  readonly egressBytes: number
}
export const noAmounts: Amounts = {
  calls: 0,
  functionCalls: 0,
  cpuMs: 0,
  characters: 0,
  egressCalls: 0,
  egressBytes: 0
}
export const amountNames = Object.keys(noAmounts) as (keyof Amounts)[]

export interface DayOfApp {
  readonly project: string
  readonly appId: string
  /** Of UTC, such as 2026-01-31. */
  readonly day: string
  readonly amounts: Amounts
}

const names = amountNames.map((name) => `"${name}"`)
const typed = amountNames.map((name) => `"${name}" ${name === 'cpuMs' ? 'double precision' : 'bigint'}`)
const shown = amountNames.map((name) => `"${name}"::double precision as "${name}"`)
// Of an app that is gone meanwhile nothing is written.
const insertText = `insert into ui_plugins.app_usage as it (project, "appId", day, ${names})
  select project, "appId", day, ${names.map((name) => `sum(${name})`)}
  from jsonb_to_recordset($1::jsonb) as g(project text, "appId" text, day date, ${typed})
  where exists (select from ui_plugins.app a where a.project = g.project and a.id = g."appId")
  group by project, "appId", day order by project, "appId", day
  on conflict (project, "appId", day) do update
    set ${names.map((name) => `${name} = it.${name} + excluded.${name}`)}
  returning "appId", to_char(day, 'YYYY-MM-DD') as day, ${shown}`

export type UsageStore = ReturnType<typeof createUsageStore>

export function createUsageStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const days = (project: string, appId: string) =>
    knex('ui_plugins.app_usage')
      .where({ project, appId })
      .select(knex.raw(`to_char(day, 'YYYY-MM-DD') as day, ${shown}`))

  return {
    /** Adds to what was used up, in one statement with what is told of it; gives the totals of those days. */
    async take(
      used: readonly DayOfApp[],
      told: Fragment
    ): Promise<{ appId: string; day: string; amounts: Amounts }[]> {
      const rows = used.map(({ project, appId, day, amounts }) => ({ project, appId, day, ...amounts }))
      const counted = { text: insertText, values: [JSON.stringify(rows)] }
      const found = await hot.together<Amounts & { appId: string; day: string }>(
        'ui_plugins.app_usage',
        { counted, told },
        'select * from counted'
      )
      return found.map(({ appId, day, ...amounts }) => ({ appId, day, amounts }))
    },

    async find(project: string, appId: string, day: string): Promise<Amounts | undefined> {
      return days(project, appId).where({ day }).first()
    },

    /** The latest first. */
    async list(project: string, appId: string, most: number): Promise<({ day: string } & Amounts)[]> {
      return days(project, appId).orderBy('day', 'desc').limit(most)
    }
  }
}
