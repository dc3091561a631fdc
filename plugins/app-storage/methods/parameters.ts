import { compileSchema, depthOf, invalid } from 'agent-platform'
import type { Static, TProperties } from 'typebox'
import { Type } from 'typebox'
import type { StorageMethod } from './asking.ts'
import { MAX_DEPTH } from './values.ts'

const Params = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Key = Type.String({ minLength: 1, maxLength: 512, description: 'Up to 512 characters' })
const Collection = Type.String({ pattern: '^[a-z][A-Za-z0-9_]{0,47}$', description: 'One of the manifest' })
const Id = Type.String({ minLength: 1, maxLength: 128, description: 'Of a document' })
const Value = Type.Unknown({ description: 'JSON of at most 64 KiB' })
const IfVersion = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Only where it has this version; 0: only where there is none' })
)
const Field = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,47}(?:\\.[A-Za-z_][A-Za-z0-9_]{0,47}){0,3}$',
  description:
    'A name, or up to four with dots between; `id`, `version`, `createdAt` and `updatedAt` are the document’s'
})
const Filter = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Which documents; all of them where it is left out'
  })
)
const Sort = Type.Optional(
  Params({
    by: Field,
    order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' }))
  })
)
const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(Type.String({ maxLength: 400_000, description: '`nextCursor` of the page before' }))
}
const Document = Type.Record(Type.String(), Type.Unknown(), { description: 'At most 64 KiB as JSON' })
/** Whose values they are: the caller’s own where nothing is said, so that sharing is a decision. */
const Scope = Type.Optional(
  Type.Enum(['user', 'app'], { default: 'user', description: 'app: shared by all who use the app' })
)

export const parameters = {
  'storage.get': Params({ key: Key, scope: Scope }),
  'storage.set': Params({ key: Key, value: Value, scope: Scope, ifVersion: IfVersion }),
  'storage.delete': Params({ key: Key, scope: Scope, ifVersion: IfVersion }),
  'storage.list': Params({ prefix: Type.Optional(Type.String({ maxLength: 512 })), scope: Scope, ...Paging }),
  'storage.insert': Params({ collection: Collection, id: Type.Optional(Id), document: Document }),
  'storage.find': Params({ collection: Collection, filter: Filter, sort: Sort, ...Paging }),
  'storage.findOne': Params({ collection: Collection, id: Type.Optional(Id), filter: Filter, sort: Sort }),
  'storage.update': Params({
    collection: Collection,
    id: Id,
    set: Type.Optional(Document),
    unset: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
    ifVersion: IfVersion
  }),
  'storage.remove': Params({ collection: Collection, id: Id, ifVersion: IfVersion }),
  'storage.count': Params({ collection: Collection, filter: Filter })
} satisfies Record<StorageMethod, object>

export type Parameters = { readonly [M in StorageMethod]: Static<(typeof parameters)[M]> }

const checks = new Map<string, ReturnType<typeof compileSchema>>()
/** Beyond a document that is as deep as it may be there is only what is around it. */
const DEEPEST = MAX_DEPTH + 3

/** What an app sent, if it is parameters of that method; 400 at the place where it is not. */
export function checked<M extends StorageMethod>(method: M, params: unknown): Parameters[M] {
  if (depthOf(params, DEEPEST) > DEEPEST) throw invalid('', 'The parameters are too deep')
  let check = checks.get(method)
  if (!check) {
    check = compileSchema(parameters[method])
    checks.set(method, check)
  }
  const fault = check(params)
  if (fault) throw invalid(fault.at, `${fault.at || 'params'} ${fault.text}`)
  return params as Parameters[M]
}

export const isMethod = (name: string): name is StorageMethod => Object.hasOwn(parameters, name)
