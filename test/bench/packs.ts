import { pathToFileURL } from 'node:url'
import { packText } from '../pack-folders.ts'

const typebox = `import { Type } from 'typebox'`
const thing = pathToFileURL(new URL('thing.ts', import.meta.url).pathname).href

/** The route that is measured against Fastify alone. */
export const thingsPack = {
  'things/pack.ts': packText(
    'things',
    `routes(app) {
  app.get('/things/:thingId', { schema: thingSchema, config: { scope: ['things:read'] } }, async ({ params }) => {
    return { data: thing(params.thingId) }
  })
}`,
    `import { thing, thingSchema } from '${thing}'`
  )
}

/** A pack of `count` routes, each with its own schemas. */
export const routesPack = (name: string, count: number) => ({
  [`${name}/pack.ts`]: packText(
    name,
    `routes(app) {
  for (const schema of schemas)
    app.get('/${name}/' + schema.operationId + '/:id', { schema, config: { scope: ['things:read'] } }, async ({ params }) => {
      return { data: { id: params.id, name: schema.operationId, size: 1, tags: ['one', 'two'] } }
    })
}`,
    `${typebox}
const schemas = Array.from({ length: ${count} }, (_, index) => ({
  operationId: 'r' + index,
  summary: 'Get number ' + index,
  tags: ['${name}'],
  params: Type.Object({ id: Type.String({ minLength: 1 }) }),
  querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
  response: { 200: Type.Object({ data: Type.Object({
    id: Type.String(), name: Type.String(), size: Type.Integer(), tags: Type.Array(Type.String())
  }) }) }
}))`
  )
})

/** A pack with a setting to change, and one that cannot start. */
export const changingPacks = {
  'changing/pack.ts': packText(
    'changing',
    `settings: Type.Object({ number: Type.Integer({ default: 0 }) })`,
    typebox
  ),
  'optional/pack.ts': packText('optional'),
  'failing/pack.ts': packText('failing', `async start() { throw new Error('it does not start') }`)
}

const migration = (up: string, down: string) => `import type { Knex } from 'knex'
export const up = (knex: Knex) => knex.raw(\`${up}\`)
export const down = (knex: Knex) => knex.raw(\`${down}\`)
`
const line = 'project text not null, owner text not null, note text not null, body text not null'

/** A pack that listens, and writes a line for each fact where `writes`. */
const listenerPack = (name: string, writes: boolean) => ({
  [`${name}/pack.ts`]: packText(
    name,
    `on: { 'notes.taken': () => async (fact, trx) => {
  ${writes ? `await trx('${name}.line').insert({ project: fact.project, owner: fact.owner, note: fact.subject, body: fact.data.body })` : ''}
} }`
  ),
  [`${name}/migrations/0001-create-line.ts`]: migration(
    `create table ${name}.line (${line})`,
    `drop table ${name}.line`
  )
})

export const LISTENERS = 5

/**
 * Takes notes, `count` of them in transactions of their own: as facts, which other packs handle, or as plain
 * inserts of the rows that come of that.
 */
export const notesPacks = (writes: boolean) => ({
  'notes/pack.ts': packText(
    'notes',
    `routes(app, { facts, transaction }) {
  const querystring = Type.Object({ count: Type.Integer() })
  const config = { scope: ['things:write'] }
  app.post('/notes/facts', { schema: { querystring }, config }, async ({ principal, query }) => {
    await many(query.count, (subject) => transaction((trx) =>
      facts.record(trx, 'notes.taken', principal, { subject, owner: principal.owner, data: { body } })))
    return { data: {} }
  })
  app.post('/notes/plain', { schema: { querystring }, config }, async ({ principal, query }) => {
    const { project, owner, id } = principal
    await many(query.count, (note) => transaction(async (trx) => {
      await trx.raw('insert into notes.fact (id, name, project, owner, actor, subject, data, usage) values (?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)',
        [newId('fact'), 'notes.taken', project, owner, id, note, JSON.stringify({ body }), null])
      ${writes ? `for (let pack = 1; pack <= ${LISTENERS}; pack++) await trx('notes.line' + pack).insert({ project, owner, note, body })` : ''}
    }))
    return { data: {} }
  })
}`,
    `${typebox}
import { newId } from 'agent-platform'
const body = 'Something worth keeping, of about the length that such things have.'
async function many(count, work) {
  let left = count
  await Promise.all(Array.from({ length: 8 }, async () => { while (left-- > 0) await work(newId('note')) }))
}`
  ),
  'notes/migrations/0001-create-fact.ts': migration(
    `create table notes.fact (like kernel.fact including all);
     ${lines((pack) => `create table notes.line${pack} (${line})`).join(';\n')}`,
    `drop table notes.fact, ${lines((pack) => `notes.line${pack}`).join(', ')}`
  ),
  ...Object.assign({}, ...lines((pack) => listenerPack(`listener-${pack}`.replace('-', ''), writes)))
})

function lines<T>(of: (pack: number) => T): T[] {
  return Array.from({ length: LISTENERS }, (_, index) => of(index + 1))
}

/** Opens streams and serves them. */
export const streamsPack = {
  'quiet/pack.ts': packText(
    'quiet',
    `routes(app, { streams }) {
  const config = { scope: ['things:read'] }
  app.post('/quiet', { schema: { querystring: Type.Object({ count: Type.Integer() }) }, config }, async ({ principal, query }) => {
    const ids = Array.from({ length: query.count }, () => newId('quiet'))
    await Promise.all(ids.map(async (id) => {
      const writer = streams.open(principal.project, id, 'quietId')
      writer.append('began', {})
      await writer.flushed()
    }))
    return { data: ids }
  })
  app.get('/quiet/:id/events', { schema: { params: Type.Object({ id: Type.String() }) }, config }, (request, reply) =>
    streams.serve(request, reply, { project: request.principal.project, stream: request.params.id, idField: 'quietId' })
  )
}`,
    `${typebox}
import { newId } from 'agent-platform'`
  )
}
