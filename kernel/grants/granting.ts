import type { FastifyInstance, FastifySchema } from 'fastify'
import type { Knex } from 'knex'
import type { App } from '../contract/app.ts'
import { forbidden, notFound } from '../contract/errors.ts'
import type { Paging } from '../contract/schemas.ts'
import { ifMatch } from '../contract/schemas.ts'
import type { Row, Table } from '../contract/table.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Principal } from '../identity/ownership.ts'
import type { GrantAccess } from './grant-access.ts'
import type { GrantTable, NewGrant } from './grant-table.ts'
import type { Subject } from './subjects.ts'
import { isSame, subjectOf } from './subjects.ts'

interface Recording<F extends string> {
  readonly knex: Knex
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  readonly facts: { readonly record: (trx: Trx, name: F, by: Principal, fact: never) => Promise<void> }
}
interface Parts<R extends Row, P extends string, L extends string, F extends string> {
  readonly things: Table<R>
  readonly grants: GrantTable<P, L>
  readonly access: GrantAccess<R, L>
  readonly names: Readonly<Record<'granted' | 'revoked', F>>
  readonly agents: {
    /** 404 or 403 unless the principal may grant something to that agent. */
    check(by: Principal, agentId: string, param: string): Promise<unknown>
    /** Keeps these agents from going before the transaction ends; false when one of them is gone already. */
    takeShare(trx: Trx, project: string, agentIds: readonly string[]): Promise<boolean>
  }
  /** After the commit of a grant, or of the end of one. */
  changed?(project: string, subject: Subject): void
}
/** What the routes of grants call. */
interface GrantService {
  grant(by: Principal, id: string, input: never): Promise<{ grant: unknown; isNew: boolean }>
  revoke(by: Principal, id: string, grantId: string, version?: number): Promise<void>
  list(by: Principal, id: string, page: Paging): Promise<unknown>
}

/** Grants as those who manage something give and take them, each with the fact that it happened in one transaction. */
export function granting<R extends Row, P extends string, L extends string, F extends string>(
  { knex, transaction, facts }: Recording<F>,
  { things, grants, access, names, agents, changed }: Parts<R, P, L, F>
) {
  const { rows, of } = grants
  const record = async (trx: Trx, name: F, by: Principal, owner: string, data: Record<string, unknown>) => {
    await facts.record(trx, name, by, { subject: data[of], owner, data } as never)
    afterCommit(trx, () => changed?.(String(data.project), data as unknown as Subject))
  }

  async function checkSubject(by: Principal, { subjectType, subjectId }: Subject): Promise<void> {
    const param = '/subjectId'
    if (subjectType === 'project' && subjectId !== by.project)
      throw forbidden('No principal crosses projects', { param, code: 'not_owner' })
    if (subjectType === 'agent') await agents.check(by, subjectId, param)
  }

  /** A subject has one grant of a thing: a second one is its new level. */
  async function grant(by: Principal, id: string, input: NewGrant<L>) {
    const { project, owner } = await access.toOpen(by, id)
    await checkSubject(by, input)
    return transaction(async (trx) => {
      await things.lock(trx, { project, id })
      if (input.subjectType === 'agent' && !(await agents.takeShare(trx, project, [input.subjectId])))
        throw notFound('Agent', { param: '/subjectId' })
      const known = await grants.findOf(trx, project, id, input)
      const { row, isChanged } = known
        ? await rows.update(trx, known as never, { level: input.level, grantedBy: by.owner } as never)
        : {
            row: await rows.insert(trx, { ...input, project, owner, [of]: id, grantedBy: by.owner } as never),
            isChanged: true
          }
      if (isChanged) await record(trx, names.granted, by, owner, row)
      return { grant: row, isNew: known === undefined }
    })
  }

  /** Who manages the thing takes away any grant; a subject drops its own. */
  async function revoke(by: Principal, id: string, grantId: string, version?: number): Promise<void> {
    const { owner } = await access.find(by, id, access.lowest)
    const found = await rows.find(knex, grantId)
    if ((found as Record<string, unknown> | undefined)?.[of] !== id || !found) throw notFound(rows.what)
    if (!isSame(subjectOf(by), found)) await access.toOpen(by, id)
    await transaction(async (trx) =>
      record(trx, names.revoked, by, owner, await rows.remove(trx, found, version))
    )
  }

  async function list(by: Principal, id: string, page: Paging) {
    const { project } = await access.find(by, id, access.highest)
    return grants.page(knex, project, id, page)
  }

  return { grant, revoke, list }
}

/** The three routes of grants, below the path of what is granted: `/library/:itemId`. */
export function grantRoutes(
  app: App,
  path: string,
  grants: Pick<GrantTable, 'of' | 'schemas'>,
  service: GrantService
) {
  const { of, schemas } = grants
  // What the schemas say of requests is said once, by the types of the service.
  const routes = app as unknown as FastifyInstance
  const schemaOf = (schema: object) => ({ schema: schema as FastifySchema })
  const idOf = ({ params }: { params: unknown }) => (params as Record<string, string>)[of] as string

  routes.get(`${path}/grants`, schemaOf(schemas.list), (request) =>
    service.list(request.principal, idOf(request), request.query as Paging)
  )

  routes.post(`${path}/grants`, schemaOf(schemas.grant), async (request, reply) => {
    const { grant, isNew } = await service.grant(request.principal, idOf(request), request.body as never)
    return reply.code(isNew ? 201 : 200).send({ data: grant })
  })

  routes.delete(`${path}/grants/:grantId`, schemaOf(schemas.revoke), async (request) => {
    const { grantId } = request.params as { grantId: string }
    await service.revoke(request.principal, idOf(request), grantId, ifMatch(request))
    return { data: { id: grantId, deleted: true } }
  })
}
