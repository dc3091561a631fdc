import type { Kernel, Owned, PageOf, Paging, Trx } from 'agent-platform'
import { notFound, paginate, preconditionFailed } from 'agent-platform'

export type CampaignStore = ReturnType<typeof createCampaignStore>

/** Amounts are texts of millionths. */
export interface CampaignRow extends Owned {
  readonly id: string
  readonly name: string
  readonly amount: string
  readonly budget: string
  readonly claimed: string
  readonly startsAt: string
  readonly endsAt: string | null
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly isActive: boolean
  readonly isClaimed: boolean
}

interface NewRow extends Owned, Pick<CampaignRow, 'id' | 'name' | 'amount' | 'budget'> {
  readonly startsAt: string
  readonly endsAt: string | null
}

const active = `now() >= c."startsAt" and (c."endsAt" is null or now() < c."endsAt")`

/** Campaigns, and who claimed them. */
export function createCampaignStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx, owner: string | null) =>
    on({ c: 'credits.campaign' })
      .select('c.*', on.raw(`${active} as "isActive"`))
      .select(
        on.raw(
          `exists (select from credits.claim m where m.project = c.project and m."campaignId" = c.id and m.owner = ?) as "isClaimed"`,
          [owner]
        )
      )
  const find = async (id: string, on: Kernel['knex'] | Trx = knex): Promise<CampaignRow | undefined> =>
    (await rows(on, null).where('c.id', id))[0]

  return {
    find: (id: string) => find(id),

    list: (project: string, owner: string, all: boolean, page: Paging): Promise<PageOf<CampaignRow>> => {
      const query = rows(knex, owner).where({ 'c.project': project })
      if (!all) query.whereRaw(active)
      return paginate<CampaignRow>(knex.from(query.as('c')).select('*'), page, 'campaign')
    },

    async lock(
      trx: Trx,
      { id }: Pick<CampaignRow, 'project' | 'id'>,
      version?: number
    ): Promise<CampaignRow> {
      await trx('credits.campaign').where({ id }).forUpdate().first('id')
      const row = await find(id, trx)
      if (!row) throw notFound('Campaign')
      if (version !== undefined && row.version !== version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
        )
      return row
    },

    async insert(trx: Trx, row: NewRow): Promise<CampaignRow> {
      await trx('credits.campaign').insert(row)
      return (await find(row.id, trx)) as CampaignRow
    },

    /** Of one that is locked: counts a version where something differs. */
    async update(
      trx: Trx,
      row: CampaignRow,
      changes: { name: string | undefined; endsAt: string | null | undefined; budget: string | undefined }
    ): Promise<CampaignRow> {
      const { name = row.name, budget = row.budget } = changes
      const { endsAt = row.endsAt } = changes
      const isSame = name === row.name && budget === row.budget && timeOf(endsAt) === timeOf(row.endsAt)
      if (isSame) return row
      await trx('credits.campaign')
        .where({ id: row.id })
        .update({ name, budget, endsAt, version: row.version + 1, updatedAt: trx.fn.now() })
      return (await find(row.id, trx)) as CampaignRow
    },

    /** False where that person claimed it before. */
    async insertClaim(trx: Trx, project: string, campaignId: string, owner: string): Promise<boolean> {
      const made = await trx('credits.claim')
        .insert({ project, campaignId, owner })
        .onConflict(['project', 'campaignId', 'owner'])
        .ignore()
        .returning('owner')
      return made.length > 0
    },

    /** False where the budget does not do for another one. */
    async takeClaim(trx: Trx, { project, id, amount }: CampaignRow): Promise<boolean> {
      const taken = await trx('credits.campaign')
        .where({ project, id })
        .whereRaw('claimed + ?::bigint <= budget', [amount])
        .update({ claimed: trx.raw('claimed + ?::bigint', [amount]) })
      return taken > 0
    }
  }
}

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))
