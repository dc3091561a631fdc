import t from 'tap'
import { Type } from 'typebox'
import { definePack } from '../pack.ts'
import { LoadFault } from './fault.ts'
import { checkManifest } from './manifest.ts'

const make = () => () => undefined

function faultOf(value: unknown, folder = 'notes'): string {
  try {
    checkManifest(value, folder)
  } catch (error) {
    if (error instanceof LoadFault && error.kind === 'manifest') return error.reason
    throw error
  }
  return ''
}
const faultWith = (fields: object, folder?: string) =>
  faultOf({ name: 'notes', area: 'Work', ...fields }, folder)

t.test('a pack that uses every field is a manifest, and stays the same object', async (t) => {
  const pack = definePack({
    name: 'notes',
    area: 'Work',
    requires: [],
    uses: [],
    settings: Type.Object({
      address: Type.String({ env: 'NOTES_ADDRESS' }),
      token: Type.Optional(Type.String({ secret: true })),
      kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
      hosts: Type.Array(Type.String())
    }),
    services: { noteStore: () => ({}) },
    exports: undefined as never,
    plugins: () => {},
    routes: () => {},
    upgrade: { '/notes/live': { scope: ['a:b'], root: true, open: () => () => {} } },
    contributes: { 'agents.belongings': [{ key: 'notes', order: 1, make }] },
    on: { 'agents.removed': make },
    steps: { tidy: () => async () => 'done' },
    start: async () => {},
    stop: async () => {},
    resume: async () => {}
  } as never)
  t.equal(checkManifest(pack, 'notes'), pack)
})

t.test('each thing that is wrong is named', async (t) => {
  t.equal(faultOf(undefined), 'pack.ts has no default export')
  t.equal(faultOf('notes'), 'the default export of pack.ts is not a pack')
  t.equal(faultOf([]), 'the default export of pack.ts is not a pack')
  t.match(faultOf({ area: 'Work' }), /^name must be 1 to 39 of a-z/)
  t.match(faultOf({ name: 'notes' }), /^area must be a text$/)
  t.equal(faultWith({}, 'other'), "name is notes, but the folder's name is other")
  const cases: readonly (readonly [object, string])[] = [
    [{ route: () => {} }, 'unknown field route'],
    [{ requires: 'agents' }, 'requires must be a list'],
    [{ uses: ['agents', 'No'] }, 'uses[1] must be 1 to 39 of a-z, 0-9 and -, beginning with a letter'],
    [{ requires: ['notes'] }, 'notes requires or uses itself'],
    [{ requires: ['a'], uses: ['a'] }, 'a is named twice in requires and uses'],
    [{ uses: ['vault'] }, 'no pack can be called vault, the kernel gives that'],
    [{ services: { knex: make } }, 'service knex has the name of something the kernel gives'],
    [{ services: { settings: make } }, 'service settings has the name of something the kernel gives'],
    [{ requires: ['agents'], services: { agents: make } }, 'service agents has the name of another pack'],
    [{ services: { store: {} } }, 'services.store must be a function'],
    [{ services: [] }, 'services must be an object'],
    [{ routes: {} }, 'routes must be a function'],
    [{ exports: {} }, 'exports must be a function'],
    [{ plugins: 1 }, 'plugins must be a function'],
    [{ start: true }, 'start must be a function'],
    [{ stop: null }, 'stop must be a function'],
    [{ resume: 1 }, 'resume must be a function'],
    [{ steps: { tidy: 'x' } }, 'steps.tidy must be a function'],
    [{ upgrade: { live: { open: make } } }, 'the name "live" in upgrade must be a path that begins with /'],
    [{ upgrade: { '/a': {} } }, 'upgrade./a.open must be a function'],
    [{ upgrade: { '/a': { open: make, by: 'public' } } }, 'unknown field upgrade./a.by'],
    [{ upgrade: { '/a': { open: make, root: 1 } } }, 'upgrade./a.root must be true'],
    [{ on: { created: make } }, 'the name "created" in on must be <pack>.<word>'],
    [{ contributes: { 'a.b.c': [] } }, 'the name "a.b.c" in contributes must be <pack>.<word>'],
    [{ contributes: { 'a.b': { make } } }, 'contributes.a.b must be a list'],
    [{ contributes: { 'a.b': [{ make, order: '1' }] } }, 'contributes.a.b[0].order must be a number'],
    [{ contributes: { 'a.b': [{}] } }, 'contributes.a.b[0].make must be a function'],
    [{ settings: { host: Type.String() } }, 'settings must be an object schema of TypeBox'],
    [
      { settings: Type.Object({ a: Type.Object({}) }) },
      'settings.a must be a text, number, boolean, a choice or a list of those'
    ],
    [
      { settings: Type.Object({ a: Type.String({ env: 'lower' }) }) },
      'settings.a.env must be the name of an environment variable'
    ],
    [{ settings: Type.Object({ a: Type.String({ secret: 'yes' }) }) }, 'settings.a.secret must be a boolean']
  ]
  for (const [fields, fault] of cases) t.equal(faultWith(fields), fault)
})

t.test('names of PostgreSQL’s own schemas and of the kernel’s are no names for packs', async (t) => {
  for (const name of ['kernel', 'public', 'pg-catalog', 'information-schema'])
    t.equal(faultWith({ name }, name), `the name ${name} is reserved`)
  for (const name of ['A', '1a', 'a_b', 'a'.repeat(40), ''])
    t.match(faultWith({ name }, name), /^name must be 1 to 39/, name)
})

t.test('all faults stand on one line', async (t) => {
  t.equal(
    faultWith({ area: '', routes: 1, 'odd\nname': 1 }),
    'unknown field odd name; area must be a text; routes must be a function'
  )
})
