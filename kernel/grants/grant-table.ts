import type { Knex } from 'knex'
import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import type { RemoveSome } from '../contract/manifest.ts'
import { paginate } from '../contract/paging.ts'
import type { Paging } from '../contract/schemas.ts'
import { Data, Deleted, Page, Paging as PagingFields, Time } from '../contract/schemas.ts'
import { table } from '../contract/table.ts'
import type { Trx } from '../database/transaction.ts'
import type { Subject } from './subjects.ts'

interface Shape<P extends string, L extends string> {
  /** The column with the id of what is granted: `itemId`. */
  readonly of: P
  /** What is granted, in messages and summaries: `item`. */
  readonly noun: string
  /** The lowest first; each holds the ones before it. */
  readonly levels: readonly [L, ...L[]]
  readonly description: string
  /** Of the schema. */
  readonly title: string
  readonly tag: string
}
type GrantFields<P extends string, L extends string> = Subject & {
  readonly id: string
  readonly owner: string
  readonly level: L
  readonly grantedBy: string
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
} & Readonly<Record<P, string>>
/** A grant as it is shown: of `GrantTable<'itemId', Level>` one with an `itemId`. */
export type GrantOf<T> = T extends GrantTable<infer P, infer L> ? GrantFields<P, L> : never
export type NewGrant<L extends string> = Subject & { readonly level: L }
type Row<P extends string, L extends string> = GrantFields<P, L> & { readonly project: string }

export type GrantTable<P extends string = string, L extends string = string> = ReturnType<
  typeof grantTable<P, L>
>

/**
 * A table `<pack>.<name>` of who was granted what: `project`, `id`, `owner` (that of what is granted), the column `of`,
 * `subjectType`, `subjectId`, `level`, `grantedBy`, `version`, `createdAt`, `updatedAt`, all text but the last three, unique by what is
 * granted and subject, with an index that begins with the subject. The schemas are those of its three routes (`grantRoutes`).
 */
export function grantTable<const P extends string, const L extends string>(name: string, shape: Shape<P, L>) {
  const { of, noun, levels, description, title, tag } = shape
  const given = {
    subjectType: Type.Enum(['user', 'agent', 'service', 'project']),
    subjectId: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Of a project: its id' }),
    level: Type.Enum([...levels], { description })
  }
  const New = Type.Object(given, { title: `New${title}` })
  const properties: TProperties = {
    id: Type.String({ examples: ['grant_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: `The ${noun}’s` }),
    [of]: Type.String(),
    ...given,
    grantedBy: Type.String(),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  }
  const Grant = Type.Object(properties, { title })
  const words = title[0] + title.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const rows = table<TObject, Row<P, L>>(name, Grant, { type: 'grant', what: words })

  const ofSubjects = (on: Knex | Trx, project: string, subjects: readonly Subject[]) =>
    on(name)
      .where({ project })
      .whereIn(
        ['subjectType', 'subjectId'],
        subjects.map(({ subjectType, subjectId }) => [subjectType, subjectId])
      )

  const params = Type.Object({ [of]: Type.String() })
  return {
    name,
    of,
    levels,
    rows,
    schemas: {
      list: {
        tags: [tag],
        summary: `List who was granted the ${noun}`,
        params,
        querystring: Type.Object({ ...PagingFields }),
        response: { 200: Page(Grant) }
      },
      grant: {
        tags: [tag],
        summary: `Grant access to the ${noun}`,
        description: '200 where the subject had a grant, which then has the level of this one.',
        params,
        body: New,
        response: { 200: Data(Grant), 201: Data(Grant) }
      },
      revoke: {
        tags: [tag],
        summary: `Revoke access to the ${noun}`,
        params: Type.Object({ [of]: Type.String(), grantId: Type.String() }),
        response: { 200: Deleted }
      }
    },

    /** The ids of what these subjects were granted, as a subquery. */
    idsOf: (on: Knex | Trx, project: string, subjects: readonly Subject[]) =>
      ofSubjects(on, project, subjects).select(of),

    /** What these subjects were granted of these. */
    ofSubjects: async (
      on: Knex | Trx,
      project: string,
      subjects: readonly Subject[],
      ids: readonly string[]
    ): Promise<readonly (Subject & { readonly level: L; readonly granted: string })[]> =>
      subjects.length === 0
        ? []
        : ofSubjects(on, project, subjects)
            .whereIn(of, [...ids])
            .select('subjectType', 'subjectId', 'level', { granted: of }),

    /** A page of the grants of one thing, newest first. */
    page: (on: Knex | Trx, project: string, id: string, page: Paging) =>
      paginate<Row<P, L>>(
        on(name)
          .where({ project, [of]: id })
          .select(...rows.columns),
        page,
        'grant'
      ),

    findOf: (
      on: Knex | Trx,
      project: string,
      id: string,
      { subjectType, subjectId }: Subject
    ): Promise<Row<P, L> | undefined> =>
      on(name)
        .where({ project, [of]: id, subjectType, subjectId })
        .first(...rows.columns) as never,

    /** Those of an agent that is gone, for the cascade of `agents.deleted`. */
    removeOfAgent: (({ project, id }, trx, limit) =>
      trx(name)
        .where({ project })
        .whereIn(
          'id',
          trx(name).where({ project, subjectType: 'agent', subjectId: id }).limit(limit).select('id')
        )
        .delete()) satisfies RemoveSome
  }
}
