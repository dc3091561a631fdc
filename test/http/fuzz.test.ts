// tier: whole
import t from 'tap'
import type { MountedRoute } from '../../kernel/http/routes.ts'
import { boot } from '../boot.ts'
import { rounds } from '../rounds.ts'
import { refused } from './refused.ts'

/** Numbers that look random and are the same in every run (mulberry32). */
function createChance(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let it = Math.imul(state ^ (state >>> 15), 1 | state)
    it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it
    return ((it ^ (it >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { next, below, of: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}
type Chance = ReturnType<typeof createChance>

const TEXTS = [
  '',
  'a',
  ' ',
  '0',
  '-1',
  '1e400',
  'true',
  'null',
  '\0',
  '\ud800',
  '😀',
  "'; drop table x; --",
  '%00',
  '%zz',
  '../..',
  '{}',
  '[]',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  '\u202e',
  '2026-02-30T25:61:61Z',
  '99999999999999999999'
]
const NUMBERS = [0, -0, 1, -1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63]
type Schema = {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  type?: string
  enum?: unknown[]
  items?: Schema
}

function anything(chance: Chance, depth = 0): unknown {
  switch (chance.below(depth > 3 ? 4 : 6)) {
    case 0:
      return chance.of(TEXTS)
    case 1:
      return chance.of(NUMBERS)
    case 2:
      return chance.next() < 0.5
    case 3:
      return null
    case 4:
      return Array.from({ length: chance.below(4) }, () => anything(chance, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: chance.below(4) }, () => [chance.of(TEXTS), anything(chance, depth + 1)])
      )
  }
}

/** Mostly of the shape that is asked for, so that much of it gets past validation. */
function shaped(chance: Chance, schema: Schema | undefined, depth = 0): unknown {
  if (!schema || chance.next() < 0.1) return anything(chance, depth)
  if (schema.anyOf) return shaped(chance, chance.of(schema.anyOf), depth)
  if (schema.enum) return chance.of(schema.enum)
  switch (schema.type) {
    case 'string':
      return chance.of(TEXTS)
    case 'integer':
    case 'number':
      return chance.of(NUMBERS)
    case 'boolean':
      return chance.next() < 0.5
    case 'null':
      return null
    case 'array':
      return Array.from({ length: chance.below(3) }, () => shaped(chance, schema.items, depth + 1))
    case 'object': {
      const names = Object.keys(schema.properties ?? {}).filter(() => chance.next() < 0.8)
      return Object.fromEntries(
        names.map((name) => [name, shaped(chance, schema.properties?.[name], depth + 1)])
      )
    }
    default:
      return anything(chance, depth)
  }
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function queryOf(chance: Chance, schema: Schema | undefined): string {
  const names = [...Object.keys(schema?.properties ?? {}), ...(chance.next() < 0.2 ? [chance.of(TEXTS)] : [])]
  const pairs = names
    .filter(() => chance.next() < 0.5)
    .map((name) => {
      const value = chance.next() < 0.5 ? chance.of(TEXTS) : String(chance.of(NUMBERS))
      return `${encode(name)}=${chance.next() < 0.1 ? value.replace(/[^\x21-\x7e]|#/g, '') : encode(value)}`
    })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Ways to address a route whose parts may be anything, those that exist among them. */
const pathOf = (chance: Chance, path: string, known: readonly string[]) =>
  path.replace(/:\w+|\*/g, () => (chance.next() < 0.5 ? chance.of(known) : encode(chance.of(TEXTS))))

t.test('whatever comes, the answer is one of ours', { timeout: rounds(300_000, 3_600_000) }, async (t) => {
  const { as, admin, platform } = await boot(t)
  const ada = as('ada')
  const agent = await ada.agent()
  const other = await as('eve').agent()
  const goal = await ada.post('/v1/goals', { agentId: agent.id, title: 'x' })
  const known = [agent.id, other.id, goal.body.data.id, 'goals']
  // A pack that is switched off at random would end the test of all others; a stream without an end would hold it up.
  const mounted = platform.packs.mounted().flatMap(({ routes }) => [...routes])
  const routes = mounted.filter(
    ({ path, method, access }: MountedRoute) =>
      !(path.startsWith('/v1/packs') && method !== 'GET') && !access.endless
  )
  t.ok(routes.length >= 15, `${routes.length} routes`)

  const statuses = new Map<number, number>()
  for (const [turn, { method, path, schema }] of routes.entries()) {
    const chance = createChance(turn + 1)
    for (let round = 0; round < rounds(4, 200); round++) {
      const client = path.startsWith('/v1/packs') ? admin : ada
      const target = pathOf(chance, path, known) + queryOf(chance, schema.querystring as Schema)
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const body = hasBody ? JSON.stringify(shaped(chance, schema.body as Schema)) : undefined
      const reply = await client.request(method, target, {
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(chance.next() < 0.2 && { 'if-match': chance.of(['*', '"1"', '"x"', '1', '""']) }),
          ...(chance.next() < 0.2 && { 'idempotency-key': `k${chance.below(5)}` })
        },
        ...(body !== undefined && { body })
      })
      const { status } = reply
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const name = `${method} ${target} ${body ?? ''}`.slice(0, 200)
      // It says in JSON-RPC what is wrong; others say in their schema how they do.
      const isOurs = path !== '/v1/mcp' && !('default' in ((schema.response ?? {}) as object))
      if (status >= 400 && method !== 'HEAD' && isOurs) refused(t, reply, status, {}, name)
      t.ok(status < 500 || status === 503, `${status} ${name}`)
    }
  }
  t.ok((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0) > 20, 'some of it was good')
  t.ok((statuses.get(400) ?? 0) > 50, 'and some was not')
  t.match(await ada.get(`/v1/agents/${other.id}`), { status: 403 }, 'nothing was changed that is not ours')
})
