// budget: 30 s, because all packs are on, and each of their routes is called several times
import t from 'tap'
import { boot } from '../boot.ts'

const booted = await boot(t)
const { as, platform } = booted
const ada = as('ada')
const routes = platform.packs
  .mounted()
  .flatMap(({ routes }) => [...routes])
  .filter(({ method, access }) => !access.endless && method !== 'HEAD')
const ids = { agentId: (await ada.agent()).id }

type Schema = {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  items?: Schema
  type?: string
  format?: string
  maximum?: number
  examples?: Record<string, unknown>[]
}

/** The path with an id of ours where there is one, and with what is given elsewhere. */
const pathOf = (path: string, other: string) =>
  path.replace(/:(\w+)|\*/g, (_, name) => (name === 'agentId' && other !== NUL ? ids.agentId : other))
const NUL = 'agent_01k4qz0000e0080000000000ab%00'

/** Whether a value of that schema may be a date, or a number without a limit. */
const isDate = ({ format, anyOf }: Schema): boolean =>
  format === 'date-time' || (anyOf?.some(isDate) ?? false)
const isOpenInteger = ({ type, maximum, anyOf }: Schema): boolean =>
  (type === 'integer' && maximum === undefined) || (anyOf?.some(isOpenInteger) ?? false)

const send = async (method: string, path: string, body?: unknown) =>
  ada.request(method, path, {
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' }
    })
  })

t.test('returns 404 for an ID with NUL, on every route', async (t) => {
  const found = new Set<string>()
  for (const { method, path } of routes.filter(({ path }) => /[:*]/.test(path))) {
    const { status } = await send(method, pathOf(path, NUL), method === 'GET' ? undefined : {})
    if (![400, 401, 403, 404, 415].includes(status)) found.add(`${method} ${path}: ${status}`)
  }
  t.same([...found], [])
  t.match(await send('POST', `/v1/channels/${NUL}/deliveries`, {}), { status: 404 })
  t.match(await send('POST', '/v1/channels/%00/deliveries', {}), { status: 404 })
})

const MOMENTS = [
  '0001-01-01T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '1000-01-01T00:00:00Z',
  '1000-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-14:00',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  '2026-01-01T24:00:00Z',
  '2026-12-31T23:59:60Z'
]

t.test('rejects dates outside the supported years in every query', async (t) => {
  const faults: string[] = []
  let asked = 0
  for (const { method, path, schema } of routes) {
    const { properties = {} } = (schema.querystring ?? {}) as Schema
    for (const [name, field] of Object.entries(properties)) {
      const values = isDate(field)
        ? MOMENTS
        : isOpenInteger(field)
          ? ['2147483648', '9007199254740993']
          : ['%00']
      for (const value of values) {
        const { status } = await send(
          method,
          `${pathOf(path, 'x_01k4qz0000e0080000000000ab')}?${name}=${value.replace('+', '%2B')}`
        )
        asked++
        if (status >= 500 && status !== 503) faults.push(`${method} ${path} ${name}=${value}: ${status}`)
      }
    }
  }
  t.ok(asked > 100, `${asked} queries`)
  t.same(faults, [])
  for (const name of ['from', 'to'])
    for (const value of ['0001-01-01T00:00:00.000Z', '0999-12-31T23:59:59Z', '1000-01-01T00:00:00%2B14:00'])
      t.match(await ada.get(`/v1/usage?${name}=${value}`), {
        status: 400,
        body: { error: { param: name, message: /from year 1000 to 9999/ } }
      })
  t.match(await ada.get('/v1/usage?from=9999-12-31T23:59:59Z&to=9999-12-31T23:59:59Z'), { status: 200 })
})

t.test('a raw body with NUL causes no 500', async (t) => {
  const names = [
    'client_id',
    'client_secret',
    'code',
    'refresh_token',
    'token',
    'email',
    'name',
    'slug',
    'scope'
  ]
  const faults: string[] = []
  for (const { method, path } of routes.filter(({ access }) => access.body === 'raw'))
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', names.map((name) => `${name}=a%00b`).join('&')],
      ['application/json', JSON.stringify(Object.fromEntries(names.map((name) => [name, 'a\0b'])))],
      ['text/plain', 'a\0b']
    ] as const) {
      const options = { body, headers: { 'content-type': type } }
      const { status } = await ada.request(method, pathOf(path, 'x_01k4qz0000e0080000000000ab'), options)
      if (status >= 500 && status !== 503) faults.push(`${method} ${path} ${type}: ${status}`)
    }
  t.same(faults, [])
})

t.test('integers and dates that the database cannot store cause no 500 in any body', async (t) => {
  const faults: string[] = []
  let asked = 0
  for (const { method, path, schema } of routes) {
    const { properties = {}, examples = [] } = (schema.body ?? {}) as Schema
    for (const [name, field] of Object.entries(properties)) {
      const values = isDate(field) ? MOMENTS : isOpenInteger(field) ? [2 ** 31, 2 ** 53, -(2 ** 53)] : []
      for (const value of values) {
        const body = { ...examples[0], ...(properties.agentId && ids), [name]: value }
        const { status } = await send(method, pathOf(path, 'x_01k4qz0000e0080000000000ab'), body)
        asked++
        if (status >= 500 && status !== 503) faults.push(`${method} ${path} ${name}=${value}: ${status}`)
      }
    }
  }
  t.ok(asked > 20, `${asked} bodies`)
  t.same(faults, [])
})
