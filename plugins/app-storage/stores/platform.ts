import type { Kernel } from 'agent-platform'
import type { DataStore } from './data-store.ts'
import { createRelational } from './relational.ts'

/** The platform's own store: tables of this pack, by the connections that everything here uses. */
export const createPlatformStore = ({ knex }: Pick<Kernel, 'knex'>, statementMs: number): DataStore =>
  createRelational({ knex, schema: 'app_storage', identity: 'platform', statementMs })
