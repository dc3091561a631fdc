/** Files of a pack that runs, and is wrong in every way the conformance test knows. */
export const wrongPack: Readonly<Record<string, string>> = {
  'wrongs/pack.ts': `import { definePack } from 'agent-platform'
import { wrongRoutes } from './routes.ts'
import { createThings } from './store.ts'
import { Type } from 'typebox'

export default definePack({
  name: 'wrongs',
  area: 'Test',
  summary: 'Things that are wrong.',
  settings: Type.Object({ colour: Type.String({ default: 'red' }) }),
  services: { thingStore: createThings },
  routes: wrongRoutes
})
`,
  'wrongs/contract.ts': `export interface Stuff { it: string }

declare module 'agent-platform' {
  interface Services {
    stuff: Stuff
    wrongs: Stuff
  }
  interface Points {
    'wrongs.spots': Stuff
  }
  interface Facts {
    'others.made': Stuff
    'wrongs.create': Stuff
  }
}
`,
  'wrongs/routes.ts': `import { Type } from 'typebox'

const Thing = Type.Object({ id: Type.String() }, { title: 'Thing' })
const OtherThing = Type.Object({ id: Type.Integer() }, { title: 'Thing' })
const tags = ['wrongs']
const Data = (data) => Type.Object({ data })

export function wrongRoutes(app) {
  app.get('/wrongs', { schema: { tags, summary: 'List', response: { 200: Data(Type.Array(Thing)) } } }, () => ({ data: [] }))
  app.get('/wrongs/:id', { schema: { tags: ['other'], summary: 'Get one.', response: { 200: OtherThing } } }, () => ({ id: 1 }))
  app.post('/wrongs', { schema: { tags, summary: 'Create', body: Type.Object({ name: Type.String() }, { additionalProperties: true }) } }, () => ({}))
  app.put('/wrongs', {
    schema: {
      tags,
      summary: 'Change',
      querystring: Type.Object({ force: Type.Boolean() }, { additionalProperties: true }),
      response: { 200: Type.Object({ data: Type.Object({}, { title: 'small' }), extra: Type.Null() }) }
    }
  }, () => ({ data: {}, extra: null }))
}
`,
  'wrongs/routes/more.ts': 'export {}\n',
  'wrongs/store.ts': `import type { Reply } from 'agent-platform'

export const createThings = ({ knex }) => ({
  find: () => knex('wrongs.things').first(),
  fetchAll: (facts, trx, by) => facts.record(trx, 'wrongs.secretly_made', by, {})
})
export type R = Reply
`,
  'wrongs/helpers.ts': '\n'.repeat(300),
  'wrongs/notes.txt': '',
  'wrongs/README.md': `# Wrongs

## Purpose

To be wrong at \`/v1/wrongs\`.

## Facts

## Decisions

None.
`,
  'wrongs/migrations/0001-create-things.ts': `
export async function up(knex) {
  const first = !(await knex.schema.withSchema('public').hasTable('leftover'))
  await knex.raw(\`
    create table wrongs.things (
      id text primary key references kernel.project (id),
      created_at timestamp,
      "projectName" text
    );
    create table wrongs.status (project text not null, title text, primary key (project, title));
    create index status_title on wrongs.status (title);
    create index status_lower on wrongs.status (lower(title));\`)
  if (first) await knex.raw('create table public.leftover (); create view wrongs.once as select 1')
}

export async function down(knex) {
  await knex.raw('drop view if exists wrongs.once; drop table wrongs.status, wrongs.things')
}
`
}
