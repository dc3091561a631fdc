import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import type { Trx } from '../database/transaction.ts'
import type { Access } from '../http/access.ts'
import type { Principal } from '../identity/ownership.ts'
import type { App } from './app.ts'
import type { PageOf } from './paging.ts'
import { Data, Deleted, ifMatch, Page } from './schemas.ts'
import type { Row, Table } from './table.ts'

type Gone = { id: string; deleted: true }

/** What people own and edit, as the routes of `resourceRoutes` need it. */
export interface ResourceService<S, New, Changes, Query> {
  create(by: Principal, input: New): Promise<S>
  list(by: Principal, query: Query): Promise<PageOf<S>>
  read(by: Principal, id: string): Promise<S>
  update(by: Principal, id: string, changes: Changes, version?: number): Promise<S>
  remove(by: Principal, id: string, version?: number): Promise<Gone>
}

interface Resource<S, New, Changes, Query> {
  /** The pack: `goals` of `/goals` and `/goals/:goalId`. */
  readonly pack: string
  readonly noun: string
  readonly shape: S
  readonly create: New
  readonly changes: Changes
  readonly query: Query
  /** Who may read: as `config.tokens` of a route. What tokens write would be read by runs that they do not restrict. */
  readonly reading?: Access['tokens']
}

/** The five routes of a resource, by which it is created, listed, read, changed (`PUT`) and deleted. */
export function resourceRoutes<
  S extends TObject,
  New extends TObject,
  Changes extends TObject,
  Query extends TObject
>(
  app: App,
  service: ResourceService<Static<S>, Static<New>, Static<Changes>, Static<Query>>,
  { pack, noun, shape, create, changes, query, reading }: Resource<S, New, Changes, Query>
): void {
  // What the schemas say of requests is said once, by the types of the service.
  const routes = app as unknown as FastifyInstance
  const [path, one] = [`/${pack}`, `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`]
  const params = Type.Object({ [`${noun}Id`]: Type.String() })
  const idOf = ({ params }: FastifyRequest) => (params as Record<string, string>)[`${noun}Id`] as string
  const schema = (summary: string, parts: object) => ({
    schema: { tags: [pack], summary, ...parts } as FastifySchema
  })
  const response = { 200: Data(shape) }

  const created = schema(`Create ${one}`, { body: create, response: { 201: Data(shape) } })
  routes.post(path, created, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await service.create(principal, body as Static<New>) })
  })

  // By the id of something else, which may not be there.
  const narrows = Object.keys(query.properties).some((name) => name.endsWith('Id'))
  const listed = schema(`List ${noun}s`, {
    querystring: query,
    response: { 200: Page(shape), ...(narrows && { 404: {} }) }
  })
  const config = reading ? { config: { tokens: reading } } : {}
  routes.get(path, { ...listed, ...config }, ({ principal, query }) =>
    service.list(principal, query as Static<Query>)
  )

  const read = schema(`Get ${one}`, { params, response })
  routes.get(`${path}/:${noun}Id`, { ...read, ...config }, async (request) => {
    return { data: await service.read(request.principal, idOf(request)) }
  })

  const updated = schema(`Update ${one}`, { params, body: changes, response })
  routes.put(`${path}/:${noun}Id`, updated, async (request) => {
    const { principal, body } = request
    return { data: await service.update(principal, idOf(request), body as Static<Changes>, ifMatch(request)) }
  })

  const deleted = schema(`Delete ${one}`, { params, response: { 200: Deleted } })
  routes.delete(`${path}/:${noun}Id`, deleted, async (request) => {
    return { data: await service.remove(request.principal, idOf(request), ifMatch(request)) }
  })
}

/** Of the kernel, for facts of these names. */
interface Recording<F extends string> {
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  readonly facts: { readonly record: (trx: Trx, name: F, by: Principal, fact: never) => Promise<void> }
}

/** Edits of rows of a table, each with the fact that it happened in one transaction. */
export function recordedEdits<R extends Row, F extends string>(
  { transaction, facts }: Recording<F>,
  table: Table<R>,
  names: Readonly<Record<'updated' | 'deleted', F>>
) {
  const detailsOf = ({ id: subject, owner }: R, data: unknown) => ({ subject, owner, data }) as never
  return {
    /** 412 when the row has another version than that. An edit that changes nothing records nothing. */
    update: (by: Principal, found: R, changes: Partial<R>, version?: number): Promise<R> =>
      transaction(async (trx) => {
        const { row, isChanged } = await table.update(trx, found, changes, version)
        if (isChanged) await facts.record(trx, names.updated, by, detailsOf(row, row))
        return row
      }),

    remove: (by: Principal, found: R, version?: number): Promise<Gone> =>
      transaction(async (trx) => {
        const { id } = await table.remove(trx, found, version)
        await facts.record(trx, names.deleted, by, detailsOf(found, { id }))
        return { id, deleted: true }
      })
  }
}
