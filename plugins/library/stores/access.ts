import type { Kernel } from 'agent-platform'
import { grantAccess } from 'agent-platform'
import { grants } from '../granting/schemas.ts'
import { items } from '../schemas.ts'

export type ItemAccess = ReturnType<typeof createItemAccess>

/** Who may do what with an item. */
export const createItemAccess = ({ knex }: Pick<Kernel, 'knex'>) => grantAccess(knex, items, grants)
