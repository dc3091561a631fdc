import type { Hot, Principal } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Knex } from 'knex'
import { database } from '../../../test/database.ts'
import * as createTool from '../migrations/0001-create-tool.ts'
import * as createAssignment from '../migrations/0002-create-assignment.ts'
import * as createPermission from '../migrations/0003-create-permission.ts'
import type { AssignmentRow, PermissionRow, ToolRow } from '../rows.ts'
import { createAuthorization } from '../services/authorization.ts'
import { createAuthorizationStore } from '../stores/authorization.ts'

type Scope = Parameters<typeof database>[0]
type Open = (connection: Awaited<ReturnType<typeof database>>['connection']) => {
  readonly knex: Knex
  readonly hot: Hot
  close(): Promise<void>
}

/** What decides who may use which tool, on tables of its own, with a static tool `clock`. Each statement is counted. */
export async function accessAlone(t: Scope, openDatabase: Open) {
  const { connection, knex: admin } = await database(t)
  await admin.raw('create schema tools')
  for (const migration of [createTool, createAssignment, createPermission]) await migration.up(admin)
  const { knex, hot, close } = openDatabase(connection)
  t.teardown(close)
  const asked: { text: string; values: readonly unknown[] }[] = []
  const counting: Hot = {
    ...hot,
    query(name, text, values) {
      asked.push({ text, values })
      return hot.query(name, text, values)
    }
  }
  const authorizationStore = createAuthorizationStore({ knex, hot: counting })
  const points = { all: () => [{ pack: 'test', key: 'clock', value: {} }] } as never
  return { knex, hot, asked, authorization: createAuthorization({ points, authorizationStore }) }
}

export const principal = (fields: Partial<Principal> & Pick<Principal, 'id'>): Principal => ({
  type: 'user',
  project: 'default',
  owner: fields.initiator ?? fields.id,
  scopes: new Set(),
  narrowed: false,
  credential: 'key',
  ...fields
})

/** A tool whose kind was not asked about it. */
export const toolRow = (fields: Partial<ToolRow> = {}) => {
  const id = newId('tool')
  const { parameters = { type: 'object' }, config = {}, ...rest } = fields
  return {
    project: 'default',
    id,
    owner: 'ada',
    kind: 'http',
    name: id.replace('tool_', 'do_'),
    description: 'Does it',
    idempotent: false,
    ...rest,
    parameters: JSON.stringify(parameters),
    config: JSON.stringify(config)
  }
}
export const assignmentRow = (
  fields: Pick<AssignmentRow, 'agentId' | 'toolId'> & Partial<AssignmentRow>
) => ({
  project: 'default',
  id: newId('assign'),
  owner: 'ada',
  policy: 'allow',
  enabled: true,
  ...fields
})
export const permissionRow = (
  fields: Pick<PermissionRow, 'toolId' | 'subjectType' | 'subjectId'> & Partial<PermissionRow>
) => ({
  project: 'default',
  id: newId('perm'),
  owner: 'ada',
  level: 'use',
  grantedBy: 'ada',
  ...fields
})

/** In statements of some hundred rows. */
export async function insertAll(knex: Knex, table: string, rows: readonly object[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) await knex(`tools.${table}`).insert(rows.slice(at, at + 500))
}
