import { Changes, Closed, Data, Name, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Amount, Shown } from './amount.ts'
import { Entry } from './ledger.ts'

const tags = ['credits']

export const Campaign = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    name: Name(),
    amount: Shown('What each person gets'),
    budget: Shown('What all get together, at most'),
    claimed: Shown('What was claimed so far'),
    startsAt: Time,
    endsAt: OrNull(Time),
    isClaimed: Type.Boolean({ description: 'By the caller' }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'CreditCampaign' }
)
export type Campaign = Static<typeof Campaign>
const NewCampaign = Type.Object(
  {
    name: Name(),
    amount: Amount('What each person gets'),
    budget: Amount('What all get together, at most'),
    startsAt: Type.Optional(Time),
    endsAt: Type.Optional(OrNull(Time))
  },
  { title: 'NewCreditCampaign', additionalProperties: false }
)
export type NewCampaign = Static<typeof NewCampaign>
const CampaignChanges = Changes(Campaign, ['name', 'budget', 'endsAt'])
export type CampaignChanges = Static<typeof CampaignChanges>
const params = Type.Object({ campaignId: Type.String() })
const CampaignQuery = Type.Object({
  ...Paging,
  all: Type.Optional(
    Type.Boolean({ description: 'Also those that have not begun or are over: with `platform:admin`' })
  )
})
export type CampaignQuery = Static<typeof CampaignQuery>

export const listCampaigns = {
  tags,
  summary: 'Active campaigns',
  querystring: CampaignQuery,
  response: { 200: Page(Campaign) }
}
export const createCampaign = {
  tags,
  summary: 'Create a campaign (admin)',
  body: NewCampaign,
  response: { 201: Data(Campaign) }
}
export const updateCampaign = {
  tags,
  summary: 'Update a campaign (admin)',
  description: 'Its name, budget and end. The budget is never below what was claimed.',
  params,
  body: CampaignChanges,
  response: { 200: Data(Campaign) }
}
export const claimCampaign = {
  tags,
  summary: 'Claim a campaign',
  description:
    'Once each person. 409 `already_claimed`, `campaign_inactive` out of its time, `campaign_exhausted` when its budget is.',
  body: Closed({ campaignId: Type.String({ maxLength: 128 }) }),
  response: { 201: Data(Entry) }
}
