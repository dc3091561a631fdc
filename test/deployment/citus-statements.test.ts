// budget: 20 s, because all packs are asked for all that they list, and the plan of each statement is made
// tier: whole
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Knex } from 'knex'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { boot } from '../boot.ts'
import { watchStatements } from '../statements.ts'

const PROJECT = 'sharded'

interface Plan {
  readonly Plans?: readonly Plan[]
  readonly [key: string]: unknown
}

interface Explained {
  readonly rows: readonly [{ readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }]
}

const text = readFileSync(join(root, 'docs/citus.md'), 'utf8')
const local = new Set(/```text coordinator.txt\n([^`]+)```/.exec(text)?.[1]?.trim().split('\n'))
const isDistributed = (schema: string, table: string) =>
  !/^(pg_|pgboss|public|information_schema)/.test(schema) && !local.has(`${schema}.${table}`)

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const operand = String.raw`\(?("?\w+"?\.project|\$\d+|'[^']*'|"?\w+"?\."?\w+"?|ANY|\(?InitPlan)(?:\)?::text)?\)?`
const equality = new RegExp(`${operand} = ${operand}`, 'g')

/** Distributed tables that a plan looks into whose project is neither said nor that of one of which it is. */
function crossed(plan: Plan): string[] {
  const nodes = nodesOf(plan)
  const looked = new Map<string, string>()
  for (const { Schema: schema, 'Relation Name': table, Alias: alias, 'Node Type': type } of nodes)
    if (schema !== undefined && type !== 'ModifyTable' && isDistributed(`${schema}`, `${table}`))
      looked.set(`${alias}`, `${schema}.${table}`)
  const equal = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([key, value]) =>
      /(Cond|Filter)$/.test(key)
        ? [...String(value).matchAll(equality)].map(([, one = '', other = '']) => [one, other] as const)
        : []
    )
  )
  const known = new Set<string>()
  const aliasOf = (text: string) =>
    /\.project$/.test(text) ? text.slice(0, -8).replaceAll('"', '') : undefined
  const isKnown = (text: string) => {
    const alias = aliasOf(text)
    return alias === undefined || !looked.has(alias) || known.has(alias)
  }
  for (let before = -1; before < known.size; ) {
    before = known.size
    for (const [one, other] of equal) {
      const [first, second] = [aliasOf(one), aliasOf(other)]
      if (first !== undefined && isKnown(other)) known.add(first)
      if (second !== undefined && isKnown(one)) known.add(second)
    }
  }
  return [...looked].flatMap(([alias, table]) => (known.has(alias) ? [] : [table]))
}

/** By which the platform knows Citus, and names the project in each statement that knows it. */
const likeCitus = `create function create_distributed_table(regclass, text) returns void language sql as ''`

t.test('what requests look for lies in one shard', async (t) => {
  const { sent, ofProject } = watchStatements(t, PROJECT)
  const first = await boot(t)
  await first.platform.knex.raw(likeCitus)
  await first.close()
  const { as, platform, settled } = await boot(t, { beside: first })
  const { knex } = platform
  const { rows } = await knex.raw('show server_version_num')
  if (rows[0].server_version_num < 160_000) return t.comment('Plans without values are of PostgreSQL 16')
  const ada = as('ada', { project: PROJECT })
  const { id: agentId } = await ada.agent()
  await settled()
  sent.clear()

  // What each route gives for an example, and rows that there are where it names one.
  const ids = new Map([['agent', agentId]])
  const known = (text: string) =>
    text.replaceAll(/\b([a-z]+)_[0-9a-z]{20,}\b/g, (id, kind) => ids.get(kind) ?? id)
  const run = await ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'Hello' }] })
  t.equal(run.status, 200)
  ids.set('run', run.body.data.runId).set('session', run.body.data.sessionId)
  const statuses = new Map<number, number>()
  const routes = platform.packs
    .mounted()
    .flatMap(({ routes }) => [...routes])
    .filter(({ path, access }) => !path.startsWith('/v1/packs') && !access.endless)
  const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']
  for (const { method, path, schema } of routes.toSorted(
    (a, b) => order.indexOf(a.method) - order.indexOf(b.method)
  )) {
    // It ends what the others ask about.
    if (path === '/v1/agents/:agentId' && method === 'DELETE') continue
    const target = path.replaceAll(
      /:(\w+)|\*/g,
      (_, name = '') => ids.get(name.replace(/Id$/, '')) ?? agentId
    )
    const example = (schema.body as { examples?: readonly unknown[] } | undefined)?.examples?.[0]
    const body = ['GET', 'HEAD', 'DELETE'].includes(method)
      ? undefined
      : JSON.parse(known(JSON.stringify(example ?? {})))
    const reply = await (method === 'GET'
      ? ada.get(target)
      : ada.request(method, target, {
          ...(body !== undefined && {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' }
          })
        }))
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const made = reply.status === 201 ? reply.body?.data?.id : undefined
    if (typeof made === 'string') ids.set(made.split('_')[0] as string, made)
  }
  await settled()
  t.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 130, `answers: ${JSON.stringify([...statuses])}`)

  const texts = [...sent].filter((text) => /^\s*(with|select|insert|update|delete)\b/i.test(text))
  let [whole, byId] = [0, 0]
  await knex.transaction(async (trx) => {
    for (const text of texts) {
      const { rows } = await explain(trx, text)
      const tables = crossed(rows[0]['QUERY PLAN'][0].Plan)
      if (tables.length === 0) whole++
      else if (ofProject.has(text)) t.fail(`knows its project, and looks into all shards: ${text}`)
      else byId++
    }
  })
  t.notOk(
    [...sent].some((text) => text.includes("project || ''")),
    'nothing hides its project'
  )
  t.ok(ofProject.size > 200, `${ofProject.size} statements know their project`)
  t.ok(whole > 250, `${whole} statements of one shard, ${byId} that know an id alone, or are of all projects`)
})

/** Not by knex, which takes question marks for its own. */
const explain = (trx: Knex.Transaction, text: string) =>
  trx.client
    .acquireConnection()
    .then((client: { query(text: string): Promise<Explained> }) =>
      client.query(`explain (generic_plan, verbose, format json) ${text}`)
    ) as Promise<Explained>
