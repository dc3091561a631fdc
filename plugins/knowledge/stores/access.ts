import type { Kernel } from 'agent-platform'
import { grantAccess } from 'agent-platform'
import { grants } from '../schemas/grants.ts'
import { spaces } from '../schemas/spaces.ts'

export type SpaceAccess = ReturnType<typeof createSpaceAccess>

/** Who may do what in a space. */
export const createSpaceAccess = ({ knex }: Pick<Kernel, 'knex'>) => grantAccess(knex, spaces, grants)
