import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, invalid, newId, notFound } from 'agent-platform'
import { amountOf, shown } from '../schemas/amount.ts'
import type { Campaign, CampaignChanges, CampaignQuery, NewCampaign } from '../schemas/campaigns.ts'
import type { Entry } from '../schemas/ledger.ts'
import type { CampaignRow, CampaignStore } from '../stores/campaigns.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import { entryOf } from './accounts.ts'
import type { Known } from './known.ts'
import type { PostingService } from './postings.ts'

export type CampaignService = ReturnType<typeof createCampaignService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  known: Known
  campaignStore: CampaignStore
  ledgerStore: LedgerStore
  postingService: PostingService
}

/** Credits that each person may claim once. */
export function createCampaignService(deps: Deps) {
  const { known, transaction, facts, campaignStore, ledgerStore, postingService } = deps

  async function create(by: Principal, input: NewCampaign): Promise<Campaign> {
    const { name, startsAt = new Date().toISOString(), endsAt = null } = input
    const amount = amountOf(input.amount, '/amount')
    const budget = amountOf(input.budget, '/budget')
    if (budget < amount) throw invalid('/budget', 'The budget must do for one person at least')
    if (endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt))
      throw invalid('/endsAt', '/endsAt must be later than /startsAt')
    const { project, owner } = by
    return transaction(async (trx) => {
      const row = { id: newId('campaign'), project, owner, name, startsAt, endsAt }
      const made = await campaignStore.insert(trx, { ...row, amount: String(amount), budget: String(budget) })
      await record(trx, 'credits.campaign_created', by, made)
      return campaignOf(made)
    })
  }

  async function record(
    trx: Parameters<typeof facts.record>[0],
    name: 'credits.campaign_created' | 'credits.campaign_updated',
    by: Principal,
    row: CampaignRow
  ) {
    const { isClaimed: _, ...data } = campaignOf(row)
    await facts.record(trx, name, by, { subject: row.id, owner: row.owner, data })
  }

  async function list(by: Principal, { all = false, ...page }: CampaignQuery) {
    if (all && !by.scopes.has('platform:admin'))
      throw forbidden('All campaigns are listed with platform:admin', { param: 'all', code: 'scope_missing' })
    const found = await campaignStore.list(by.project, by.owner, all, page)
    return { ...found, data: found.data.map(campaignOf) }
  }

  async function update(
    by: Principal,
    id: string,
    changes: CampaignChanges,
    version?: number
  ): Promise<Campaign> {
    const found = await ofProject(by, id, undefined)
    const { name, endsAt } = changes
    const budget = changes.budget === undefined ? undefined : amountOf(changes.budget, '/budget')
    if (endsAt && Date.parse(endsAt) <= Date.parse(found.startsAt))
      throw invalid('/endsAt', '/endsAt must be later than /startsAt')
    return transaction(async (trx) => {
      const locked = await campaignStore.lock(trx, found, version)
      if (budget !== undefined && budget < BigInt(locked.claimed))
        throw invalid('/budget', `${shown(locked.claimed)} credits of it were claimed`)
      const changed = await campaignStore.update(trx, locked, {
        name,
        endsAt,
        budget: budget === undefined ? undefined : String(budget)
      })
      if (changed.version !== locked.version) await record(trx, 'credits.campaign_updated', by, changed)
      return campaignOf(changed)
    })
  }

  /** Those of other projects are not there for anyone. */
  async function ofProject(
    { project }: Principal,
    id: string,
    param: string | undefined
  ): Promise<CampaignRow> {
    const found = await campaignStore.find(id)
    if (!found) throw notFound('Campaign', { param })
    if (found.project !== project)
      throw forbidden('The campaign is of another project', { param, code: 'not_owner' })
    return found
  }

  async function claim(by: Principal, campaignId: string): Promise<Entry> {
    const { project, owner } = by
    if (by.initiator !== undefined) throw forbidden('A service claims nothing for another')
    await ofProject(by, campaignId, '/campaignId')
    await transaction(async (trx) => {
      const campaign = await campaignStore.lock(trx, { project, id: campaignId })
      if (!campaign.isActive) throw conflict('The campaign does not run now', { code: 'campaign_inactive' })
      if (!(await campaignStore.insertClaim(trx, project, campaignId, owner)))
        throw conflict('It was claimed before', { code: 'already_claimed' })
      if (!(await campaignStore.takeClaim(trx, campaign)))
        throw conflict('Its budget is used up', { code: 'campaign_exhausted' })
      const amount = BigInt(campaign.amount)
      const transactionId = await postingService.post(trx, by, {
        kind: 'campaign',
        other: 'issued',
        owner,
        amount,
        reason: campaign.name,
        key: keyOf(campaignId, owner)
      })
      if (transactionId === undefined) throw conflict('It was claimed before', { code: 'already_claimed' })
      const data = { campaignId, transactionId, owner, amount: shown(amount), reason: campaign.name }
      await facts.record(trx, 'credits.claimed', by, { subject: transactionId, owner, data })
    })
    const made = await ledgerStore.findByKey(project, keyOf(campaignId, owner))
    if (!made) throw new Error('A claim is not in the ledger')
    const accountId = await known.account(project, owner)
    return entryOf(await ledgerStore.findEntry(project, made.id, accountId))
  }

  return { create, list, update, claim }
}

const keyOf = (campaignId: string, owner: string) => `campaign:${campaignId}:${owner}`

const campaignOf = (row: CampaignRow): Campaign => {
  const { project: _, isActive: __, amount, budget, claimed, ...campaign } = row
  return { ...campaign, amount: shown(amount), budget: shown(budget), claimed: shown(claimed) }
}
