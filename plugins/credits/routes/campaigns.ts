import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { claimCampaign, createCampaign, listCampaigns, updateCampaign } from '../schemas/campaigns.ts'
import type { CampaignService } from '../services/campaigns.ts'

const admin = { scope: ['platform:admin'] } as const
const people = { principals: ['user', 'service'] } as const

export function campaignRoutes(app: App, { campaignService }: { campaignService: CampaignService }) {
  app.get('/credits/campaigns', { schema: listCampaigns, config: people }, ({ principal, query }) =>
    campaignService.list(principal, query)
  )

  app.post('/credits/campaigns', { schema: createCampaign, config: admin }, async (request, reply) => {
    return reply.code(201).send({ data: await campaignService.create(request.principal, request.body) })
  })

  app.put('/credits/campaigns/:campaignId', { schema: updateCampaign, config: admin }, async (request) => {
    const { principal, params, body } = request
    return { data: await campaignService.update(principal, params.campaignId, body, ifMatch(request)) }
  })

  app.post('/credits/campaigns/claim', { schema: claimCampaign, config: people }, async (request, reply) => {
    const { principal, body } = request
    return reply.code(201).send({ data: await campaignService.claim(principal, body.campaignId) })
  })
}
