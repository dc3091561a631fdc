import type { TObject, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Fact, Pack, RemoveSome, Trx } from '../../contract/pack.ts'
import { LoadFault } from '../faults.ts'

type Made<T> = (deps: unknown) => T
type Named<T> = Readonly<Record<string, T>>
type Contract = Pack<'', never, never, Named<Made<unknown>>, TObject, unknown>

type OnFact = Made<(fact: Fact, trx: Trx) => Promise<void>>

/** A pack as the kernel handles it: the contract's `Pack` without the types of its own dependencies. */
export interface Manifest
  extends Omit<Contract, 'name' | 'requires' | 'uses' | 'exports' | 'contributes' | 'on' | 'cascade'> {
  readonly name: string
  readonly requires?: readonly string[]
  readonly uses?: readonly string[]
  readonly exports?: Made<unknown>
  readonly contributes?: Named<readonly { key?: string; order?: number; make: Made<unknown> }[]>
  readonly on?: Named<OnFact | { readonly batch: Made<(facts: readonly Fact[], trx: Trx) => Promise<void>> }>
  readonly cascade?: Named<Named<string | Made<RemoveSome>>>
}

/** Names that are the kernel's. A pack's schema is named after it, so PostgreSQL's own are not for packs either. */
const reserved = /^(kernel|platform|public|changes|information-schema|pgboss|pg-.*)$/
const PackName = Type.String({ pattern: '^[a-z][a-z0-9-]{0,38}$' })
const Text = Type.String({ minLength: 1 })
const Callable = Type.Refine(
  Type.Unknown(),
  (value) => typeof value === 'function',
  () => 'must be a function'
)
const closed = { additionalProperties: false }
const byName = (pattern: string, value: TSchema) => Type.Record(Type.String({ pattern }), value, closed)
const word = '^[A-Za-z][\\w-]*$'
/** `<pack>.<word>` */
const dotted = '^[a-z][a-z0-9-]{0,38}\\.[A-Za-z][\\w-]*$'

/** Flat, since each setting may come from an environment variable. */
const Setting = Type.Object({
  type: Type.Optional(Type.Enum(['string', 'number', 'integer', 'boolean', 'null', 'array'])),
  env: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]*$' })),
  secret: Type.Optional(Type.Boolean())
})
const Upgrade = Type.Object(
  {
    scope: Type.Optional(Type.Array(Text)),
    by: Type.Optional(Callable),
    principals: Type.Optional(Type.Array(Type.Enum(['user', 'agent', 'service']))),
    limit: Type.Optional(Type.Literal('sensitive')),
    root: Type.Optional(Type.Literal(true)),
    open: Callable
  },
  closed
)
const Contribution = Type.Object(
  { key: Type.Optional(Text), order: Type.Optional(Type.Number()), make: Callable },
  closed
)

/** The type makes it fail to compile when the contract gains or loses a field. */
const fields: { readonly [F in keyof Required<Contract>]: TSchema } = {
  name: PackName,
  area: Text,
  summary: Type.String({ pattern: '^[^\\n]+$', maxLength: 200 }),
  requires: Type.Array(PackName),
  uses: Type.Array(PackName),
  settings: Type.Object({ type: Type.Literal('object'), properties: Type.Record(Type.String(), Setting) }),
  services: byName(word, Callable),
  exports: Callable,
  plugins: Callable,
  routes: Callable,
  upgrade: byName('^/', Upgrade),
  contributes: byName(dotted, Type.Array(Contribution)),
  on: byName(dotted, Type.Union([Callable, Type.Object({ batch: Callable }, closed)])),
  cascade: byName(dotted, byName('^[a-z]', Type.Union([Text, Callable]))),
  steps: byName(word, Callable),
  executions: byName(word, Callable),
  start: Callable,
  stop: Callable,
  resume: Callable
}
const { name, area, ...optional } = fields
const Shape = Type.Object({ name, area, ...Type.Partial(Type.Object(optional)).properties }, closed)

/** Whether a pack could run under that name; the schemas of others are nobody's to take. */
export const isPackName = (name: string): boolean => Value.Check(PackName, name) && !reserved.test(name)

/**
 * The manifest, if the default export of a `pack.ts` is one; a LoadFault that names all that is wrong with it
 * otherwise. A pack has the name of its folder.
 */
export function checkManifest(value: unknown, folderName: string): Manifest {
  if (value === undefined) throw new LoadFault('pack.ts has no default export')
  const faults = Value.Errors(Shape, value).flatMap(({ keyword, instancePath, message }) => {
    // Said of each of the properties.
    if (keyword === 'additionalProperties') return []
    const place = instancePath.slice(1) || 'the default export of pack.ts'
    return `${place} ${keyword === 'boolean' ? 'is not known here' : message}`
  })
  const name = String((value as Manifest | null)?.name)
  if (faults.length === 0 && name !== folderName)
    faults.push(`name is ${name}, but the folder's name is ${folderName}`)
  if (reserved.test(name)) faults.push(`the name ${name} is reserved`)
  if (faults.length > 0) throw new LoadFault(faults.join('; ').replaceAll(/\s+/g, ' '))
  return value as Manifest
}
