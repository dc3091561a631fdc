import t from 'tap'
import { Type } from 'typebox'
import { definePack } from '../../contract/pack.ts'
import { LoadFault } from '../faults.ts'
import { createPackContainer } from '../runtime/containers.ts'
import { checkManifest } from './manifest.ts'

const make = () => () => undefined

function faultOf(value: unknown, folder = 'notes'): string {
  try {
    checkManifest(value, folder)
  } catch (error) {
    if (error instanceof LoadFault) return error.message
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
    summary: 'what was written down',
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
    on: { 'agents.removed': make, 'agents.created': { batch: make } },
    steps: { tidy: () => async () => 'done' },
    start: async () => {},
    stop: async () => {},
    resume: async () => {}
  } as never)
  t.equal(checkManifest(pack, 'notes'), pack)
})

t.test('each thing that is wrong is named', async (t) => {
  t.equal(faultOf(undefined), 'pack.ts has no default export')
  t.equal(faultOf('notes'), 'the default export of pack.ts must be object')
  t.equal(faultOf([]), 'the default export of pack.ts must be object')
  t.equal(faultOf(null), 'the default export of pack.ts must be object')
  t.match(faultOf({ area: 'Work' }), /must have required properties name$/)
  t.match(faultOf({ name: 'notes' }), /must have required properties area$/)
  t.equal(faultWith({}, 'other'), "name is notes, but the folder's name is other")
  const cases: readonly (readonly [object, string])[] = [
    [{ route: () => {} }, 'route is not known here'],
    [{ requires: 'agents' }, 'requires must be array'],
    [{ summary: 'one\ntwo' }, 'summary must match pattern "^[^\\n]+$"'],
    [{ uses: ['agents', 'No'] }, 'uses/1 must match pattern "^[a-z][a-z0-9-]{0,38}$"'],
    [{ services: { store: {} } }, 'services/store must be a function'],
    [{ services: [] }, 'services must be object'],
    [{ routes: {} }, 'routes must be a function'],
    [{ exports: {} }, 'exports must be a function'],
    [{ plugins: 1 }, 'plugins must be a function'],
    [{ start: true }, 'start must be a function'],
    [{ stop: null }, 'stop must be a function'],
    [{ resume: 1 }, 'resume must be a function'],
    [{ steps: { tidy: 'x' } }, 'steps/tidy must be a function'],
    [{ upgrade: { live: { open: make } } }, 'upgrade/live is not known here'],
    [{ upgrade: { '/a': {} } }, 'upgrade/~1a must have required properties open'],
    [{ upgrade: { '/a': { open: make, by: 'public' } } }, 'upgrade/~1a/by must be a function'],
    [{ upgrade: { '/a': { open: make, root: false } } }, 'upgrade/~1a/root must be equal to constant'],
    [{ on: { created: make } }, 'on/created is not known here'],
    [
      { on: { 'agents.created': { each: make } } },
      'on/agents.created must be a function; on/agents.created must have required properties batch; on/agents.created/each is not known here; on/agents.created must match a schema in anyOf'
    ],
    [{ contributes: { 'a.b.c': [] } }, 'contributes/a.b.c is not known here'],
    [{ contributes: { 'a.b': { make } } }, 'contributes/a.b must be array'],
    [{ contributes: { 'a.b': [{ make, order: '1' }] } }, 'contributes/a.b/0/order must be number'],
    [{ contributes: { 'a.b': [{}] } }, 'contributes/a.b/0 must have required properties make'],
    [{ settings: { host: Type.String() } }, 'settings must have required properties type, properties'],
    [
      { settings: Type.Object({ a: Type.Object({}) }) },
      'settings/properties/a/type must be equal to one of the allowed values'
    ],
    [
      { settings: Type.Object({ a: Type.String({ env: 'lower' }) }) },
      'settings/properties/a/env must match pattern "^[A-Z][A-Z0-9_]*$"'
    ],
    [
      { settings: Type.Object({ a: Type.String({ secret: 'yes' }) }) },
      'settings/properties/a/secret must be boolean'
    ]
  ]
  for (const [fields, fault] of cases) t.equal(faultWith(fields), fault)
})

t.test('names of PostgreSQL’s own schemas and of the kernel’s are no names for packs', async (t) => {
  for (const name of ['kernel', 'platform', 'public', 'pg-catalog', 'information-schema', 'pgboss'])
    t.equal(faultWith({ name }, name), `the name ${name} is reserved`)
  for (const name of ['A', '1a', 'a_b', 'a'.repeat(40), ''])
    t.match(faultWith({ name }, name), /^name must match pattern/, name)
})

t.test('all faults stand on one line', async (t) => {
  t.equal(
    faultWith({ area: '', routes: 1, 'odd\nname': 1 }),
    'odd name is not known here; area must not have fewer than 1 characters; routes must be a function'
  )
})

t.test('each name among the dependencies is given once', async (t) => {
  const contain = (fields: object) => () =>
    createPackContainer({ name: 'notes', area: 'Work', ...fields }, { knex: 1 } as never, {}, make)
  t.doesNotThrow(contain({ requires: ['agents'], uses: ['agents'], services: { noteStore: make } }))
  for (const [name, fields] of [
    ['settings', { services: { settings: make } }],
    ['agents', { requires: ['agents'], services: { agents: make } }]
  ] as const)
    t.throws(contain(fields), { message: `the name ${name} is given already` })

  const own = () => 'own'
  const given = createPackContainer(
    { name: 'notes', area: 'Work', uses: ['agents'], services: { knex: own } },
    { knex: 1, agents: 1, hot: 1 } as never,
    {},
    (pack) => pack
  )
  t.same(
    [given.cradle.knex, given.cradle.agents, given.cradle.hot],
    ['own', 'agents', 1],
    'before the kernel’s'
  )
})
