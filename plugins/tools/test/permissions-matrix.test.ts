import type { Principal } from 'agent-platform'
import t from 'tap'
import { openDatabase } from '../../../kernel/database/connect.ts'
import type { PermissionRow } from '../rows.ts'
import { accessAlone, assignmentRow, insertAll, permissionRow, principal, toolRow } from './grants-fixture.ts'

type Level = 'use' | 'manage'
type Subject = Pick<PermissionRow, 'subjectType' | 'subjectId'>
interface Case {
  readonly tool: ReturnType<typeof toolRow>
  readonly grants: readonly (Subject & { level: Level })[]
}

const agents = [
  { id: 'agent_of_ada', owner: 'ada' },
  { id: 'agent_of_eve', owner: 'eve' },
  { id: 'agent_of_bot', owner: 'bot' }
]
const principals: readonly Principal[] = [
  principal({ id: 'ada' }),
  principal({ id: 'eve' }),
  principal({ id: 'zoe' }),
  principal({ id: 'bot', type: 'service' }),
  principal({ id: 'bot', type: 'service', initiator: 'ada' }),
  principal({ id: 'bot', type: 'service', initiator: 'eve' }),
  principal({ id: 'other', type: 'service', initiator: 'zoe' }),
  ...agents.map(({ id, owner }) => principal({ id, type: 'agent', owner })),
  // Of the same name, in another project.
  principal({ id: 'ada', project: 'elsewhere' }),
  principal({ id: 'bot', type: 'service', project: 'elsewhere' })
]
const subjects: readonly Subject[] = [
  ...['ada', 'eve', 'zoe'].map((subjectId) => ({ subjectType: 'user', subjectId }) as const),
  ...['bot', 'other'].map((subjectId) => ({ subjectType: 'service', subjectId }) as const),
  ...agents.map(({ id }) => ({ subjectType: 'agent', subjectId: id }) as const),
  { subjectType: 'project', subjectId: 'default' },
  // Of the wrong type: nobody's.
  { subjectType: 'agent', subjectId: 'ada' },
  { subjectType: 'user', subjectId: 'agent_of_ada' },
  { subjectType: 'user', subjectId: 'default' }
]

/** The rule again, as a reader would say it. */
function restated(by: Principal, { tool, grants }: Case): Level | undefined {
  if (by.project !== tool.project) return undefined
  const granted = (type: string, id: string) =>
    grants.find(({ subjectType, subjectId }) => subjectType === type && subjectId === id)?.level
  const most = (...levels: (Level | undefined | false)[]) =>
    levels.includes('manage') ? 'manage' : levels.includes('use') ? 'use' : undefined
  const use = (holds: unknown) => (holds ? 'use' : undefined)
  const everyones = granted('project', by.project)
  if (by.type === 'user') return most(tool.owner === by.id && 'manage', granted('user', by.id), everyones)
  if (by.type === 'agent') {
    const inherited = tool.owner === by.owner || granted('user', by.owner) || granted('service', by.owner)
    return most(granted('agent', by.id), use(inherited), use(everyones))
  }
  if (!by.initiator) return 'manage'
  return most(
    tool.owner === by.initiator && 'manage',
    granted('user', by.initiator),
    everyones,
    use(tool.owner === by.id),
    use(granted('service', by.id))
  )
}

t.test('everybody may what the rule says, by one statement each', async (t) => {
  const { knex, authorization, asked } = await accessAlone(t, openDatabase)
  const levels: readonly Level[] = ['use', 'manage']
  const single = subjects.flatMap((subject) => levels.map((level) => [{ ...subject, level }]))
  const pairs = subjects.flatMap((a, index) =>
    subjects.slice(index + 1).map((b) => [
      { ...a, level: 'use' as const },
      { ...b, level: 'manage' as const }
    ])
  )
  const cases: Case[] = ['ada', 'eve', 'zoe', 'bot'].flatMap((owner) =>
    [[], ...single, ...pairs].map((grants) => ({ tool: toolRow({ owner }), grants }))
  )
  cases.push({ tool: toolRow({ project: 'elsewhere' }), grants: [] })
  await insertAll(
    knex,
    'tool',
    cases.map(({ tool }) => tool)
  )
  await insertAll(
    knex,
    'permission',
    cases.flatMap(({ tool: { id: toolId, owner }, grants }) =>
      grants.map((grant) => permissionRow({ ...grant, toolId, owner }))
    )
  )
  await insertAll(
    knex,
    'assignment',
    agents.flatMap(({ id: agentId, owner }) =>
      [...cases.map(({ tool }) => tool.id), 'clock', 'gone'].map((toolId) =>
        assignmentRow({ agentId, owner, toolId })
      )
    )
  )
  const byTool = new Map(cases.map((it) => [it.tool.id, it]))
  const ids = [...byTool.keys()]
  let decisions = 0
  // What tools are like is remembered from here on.
  await authorization.list(principal({ id: 'ada' }), 'agent_of_ada')

  for (const by of principals) {
    const whom = `${by.type} ${by.id} of ${by.project}${by.initiator ? ` for ${by.initiator}` : ''}`
    for (const { id: agentId, owner } of agents) {
      asked.length = 0
      const all = await authorization.list(by, agentId)
      t.equal(asked.length, 1, `${whom}, ${agentId}: one statement`)
      if (by.project !== 'default') {
        t.same(all, [], `${whom} sees nothing across projects`)
        continue
      }
      t.equal(all.length, cases.length + 2)
      const agent = principal({ id: agentId, type: 'agent', owner })
      const wrong = all.filter((it) => {
        const known = byTool.get(it.assignment.toolId)
        // A tool of another project was never assigned in earnest, and is not found here.
        if (known?.tool.project !== 'default') {
          const expected = it.assignment.toolId === 'clock' ? 'use' : undefined
          return it.tool || it.principal?.level !== expected || it.agent?.level !== expected
        }
        decisions++
        return (
          it.principal?.level !== restated(by, known) ||
          it.agent?.level !== restated(agent, known) ||
          it.tool?.id !== known.tool.id
        )
      })
      t.same(wrong, [], `${whom}, ${agentId}`)
    }
    const usable = await authorization.usable(by, ids)
    t.same(
      ids.filter((id) => usable.has(id) !== (restated(by, byTool.get(id) as Case) !== undefined)),
      [],
      `${whom} may use`
    )
    const questions = ids.slice(0, 40).flatMap((id) => levels.map((level) => ({ id, level })))
    const answers = await Promise.all(questions.map(({ id, level }) => authorization.granted(by, id, level)))
    const expected = questions.map(({ id, level }) => {
      const held = restated(by, byTool.get(id) as Case)
      return level === 'use' ? held !== undefined : held === 'manage'
    })
    t.same(answers, expected, `${whom} was granted`)
  }
  t.ok(decisions > 5_000, `${decisions} decisions`)
})

t.test('the nearest of the highest grants is the one that is told', async (t) => {
  const { knex, authorization } = await accessAlone(t, openDatabase)
  const tool = toolRow({ owner: 'bot' })
  await insertAll(knex, 'tool', [tool])
  const grant = (subject: Subject, level: Level) =>
    permissionRow({ ...subject, level, toolId: tool.id, owner: 'bot' })
  const user = grant({ subjectType: 'user', subjectId: 'ada' }, 'use')
  const agent = grant({ subjectType: 'agent', subjectId: 'agent_of_ada' }, 'use')
  const everyone = grant({ subjectType: 'project', subjectId: 'default' }, 'manage')
  await insertAll(knex, 'permission', [user, agent, everyone])
  await insertAll(knex, 'assignment', [assignmentRow({ agentId: 'agent_of_ada', toolId: tool.id })])

  const find = () => authorization.find(principal({ id: 'ada' }), 'agent_of_ada', tool.name)
  t.match(await find(), {
    principal: { reason: 'grant', level: 'manage', permissionId: everyone.id },
    agent: { reason: 'grant', level: 'use', permissionId: agent.id }
  })
  await knex('tools.permission').whereIn('id', [everyone.id, agent.id]).delete()
  t.match(await find(), {
    principal: { reason: 'grant', level: 'use', permissionId: user.id },
    agent: { reason: 'inheritance', level: 'use', permissionId: user.id }
  })
  await knex('tools.tool').update({ owner: 'ada' })
  const found = await find()
  t.same(found?.principal, { reason: 'ownership', level: 'manage' })
  t.same(found?.agent, { reason: 'inheritance', level: 'use' })
})

t.test('what a tool is like is read again only where it changed', async (t) => {
  const { knex, authorization, asked } = await accessAlone(t, openDatabase)
  const tools = [toolRow(), toolRow()]
  await insertAll(knex, 'tool', tools)
  const rows = tools.map(({ id }) => assignmentRow({ agentId: 'agent_of_ada', toolId: id }))
  await insertAll(knex, 'assignment', rows)
  const list = async () => {
    asked.length = 0
    const all = await authorization.list(principal({ id: 'ada' }), 'agent_of_ada')
    const said = all.map(({ tool }) => tool?.description)
    return { said: said.sort(), reads: asked.map(({ values }) => values.length) }
  }
  t.same(await list(), { said: ['Does it', 'Does it'], reads: [3, 1] })
  t.same(await list(), { said: ['Does it', 'Does it'], reads: [3] })
  const change = { description: 'Does more', version: knex.raw('version + 1') }
  await knex('tools.tool').where({ id: tools[0]?.id }).update(change)
  t.same(await list(), { said: ['Does it', 'Does more'], reads: [3, 1] })
  t.same(asked.at(-1)?.values, [[tools[0]?.id]], 'that one alone')
  t.same(await list(), { said: ['Does it', 'Does more'], reads: [3] })
  await knex('tools.tool').where({ id: tools[1]?.id }).delete()
  t.same(await list(), { said: ['Does more', undefined], reads: [3] })
})

t.test('a tool is found by its id before another that has that for a name', async (t) => {
  const { knex, authorization } = await accessAlone(t, openDatabase)
  const tool = toolRow()
  const impostor = toolRow({ name: tool.id })
  const named = toolRow({ name: 'clock' })
  await insertAll(knex, 'tool', [tool, impostor, named])
  const assign = (toolId: string) => assignmentRow({ agentId: 'agent_of_ada', toolId })
  await insertAll(knex, 'assignment', [impostor.id, tool.id, named.id, 'clock'].map(assign))

  const find = async (name: string) => {
    const found = await authorization.find(principal({ id: 'ada' }), 'agent_of_ada', name)
    return found && [found.assignment.toolId, found.tool?.id]
  }
  t.same(await find(tool.id), [tool.id, tool.id])
  t.same(await find(impostor.id), [impostor.id, impostor.id])
  t.same(await find('clock'), ['clock', undefined])
  t.equal(await find('nothing'), undefined)
  await knex('tools.assignment').whereIn('toolId', [tool.id, 'clock']).delete()
  t.same(await find(tool.id), [impostor.id, impostor.id])
  t.same(await find('clock'), [named.id, named.id])
})
