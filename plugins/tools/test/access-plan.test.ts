import { newId } from 'agent-platform'
import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import { accessAlone, assignmentRow, insertAll, permissionRow, principal, toolRow } from './grants-fixture.ts'

type Stage = Awaited<ReturnType<typeof accessAlone>>

/** The plan of a statement as the hot path makes it: generic, and kept for as long as nothing more is known. */
async function prepared({ hot, asked }: Stage, types: string) {
  const text = asked.at(-1)?.text
  const name = newId('plan')
  await hot.query(newId('prepare'), `prepare ${name}(${types}) as ${text}`, [])
  return async () => {
    const literals = asked
      .at(-1)
      ?.values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${value}'`))
    const explained = `explain (analyze, costs off, timing off) execute ${name}(${literals?.join()})`
    const rows = await hot.query<{ 'QUERY PLAN': string }>(newId('explain'), explained, [])
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
}

/** How many rows a plan read and threw away. */
const thrown = (plan: string) =>
  [...plan.matchAll(/Rows Removed by (?:Join )?Filter: (\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0)

t.test('a decision reads what bears on it, however much there is beside it', async (t) => {
  const stage = await accessAlone(t, openDatabase)
  const { knex, authorization, asked } = stage
  const ada = principal({ id: 'ada' })
  const agentId = 'agent_of_ada'
  const tools = Array.from({ length: 10_000 }, (_, n) => toolRow({ owner: n % 3 ? 'eve' : 'ada' }))
  const idOf = (n: number) => tools[n]?.id ?? ''

  async function grow(from: number, to: number) {
    const some = tools.slice(from, to)
    await insertAll(knex, 'tool', some)
    // Each has been given to another owner's agent, and one of them to everyone's.
    const others = some.flatMap(({ id }, n) => [
      assignmentRow({ agentId: `agent_${n % 97}`, toolId: id, owner: 'eve' }),
      assignmentRow({ agentId: `agent_beside_${from + n}`, toolId: idOf(0), owner: 'eve' })
    ])
    await insertAll(knex, 'assignment', others)
    // Each is everyone's and one person's, and very many were granted one of them.
    await insertAll(
      knex,
      'permission',
      some.flatMap(({ id }, n) => [
        permissionRow({ toolId: id, subjectType: 'project', subjectId: 'default' }),
        permissionRow({ toolId: id, subjectType: 'user', subjectId: 'zoe' }),
        permissionRow({ toolId: idOf(0), subjectType: 'user', subjectId: `user_${from + n}` })
      ])
    )
  }

  const questions = {
    list: { types: 'text, text, text[]', ask: () => authorization.list(ada, agentId) },
    find: {
      types: 'text, text, text[], text',
      ask: () => authorization.find(ada, agentId, tools[1]?.name ?? '')
    },
    granted: { types: 'text, text[], text[]', ask: () => authorization.granted(ada, idOf(0), 'use') },
    usable: {
      types: 'text, text[], text[]',
      ask: () =>
        authorization.usable(
          ada,
          tools.slice(0, 100).map(({ id }) => id)
        )
    }
  }
  const plans = new Map<string, () => Promise<string>>()
  for (const [name, { types, ask }] of Object.entries(questions)) {
    await ask()
    plans.set(name, await prepared(stage, types))
  }
  async function check(title: string, most: number) {
    await authorization.list(ada, agentId)
    for (const [name, { ask }] of Object.entries(questions)) {
      asked.length = 0
      await ask()
      t.equal(asked.length, 1, `${name}, ${title}: one statement`)
      const plan = (await plans.get(name)?.()) ?? ''
      t.notMatch(plan, /Seq Scan/, `${name}, ${title}: no scan of a table`)
      t.ok(thrown(plan) <= most, `${name}, ${title}: reads no more than it needs\n${plan}`)
    }
  }

  await check('while there is nothing', 0)
  await grow(0, 400)
  const own = tools.slice(0, 100).map(({ id }) => assignmentRow({ agentId, toolId: id }))
  await insertAll(knex, 'assignment', own)
  // Until the server looks at the tables it may go once through a project's permissions, but not once a tool.
  await check('with a plan made for empty tables', 1_200)
  await knex.raw('analyze tools.tool, tools.assignment, tools.permission')
  await check('with some', 0)
  await grow(400, 10_000)
  await check('with 10,000 tools that the server has not looked at', 0)
  await knex.raw('analyze tools.tool, tools.assignment, tools.permission')
  await check('with 10,000 tools', 0)
  const all = await authorization.list(ada, agentId)
  t.equal(all.filter(({ principal, agent }) => principal && agent).length, 100)
})
