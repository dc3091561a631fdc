import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../sessions/contract.ts'
import { accountRoutes } from './routes/accounts.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { capRoutes } from './routes/caps.ts'
import { createAccountService } from './services/accounts.ts'
import { createCampaignService } from './services/campaigns.ts'
import { createCapService } from './services/caps.ts'
import { createChecks } from './services/checks.ts'
import { createGiftService } from './services/gifts.ts'
import { createKnown } from './services/known.ts'
import { createModelGate } from './services/model-gate.ts'
import { createPostingService } from './services/postings.ts'
import { createPriceService } from './services/prices.ts'
import { createProjects } from './services/projects.ts'
import { createReserving } from './services/reserving.ts'
import { createRunGate } from './services/run-gate.ts'
import { createSettlement } from './services/settlement.ts'
import { createToolGate } from './services/tool-gate.ts'
import { CreditSettings } from './settings.ts'
import { createAccountStore } from './stores/accounts.ts'
import { createCampaignStore } from './stores/campaigns.ts'
import { createCapStore } from './stores/caps.ts'
import { createDueStore } from './stores/dues.ts'
import { createLedgerStore } from './stores/ledger.ts'
import { createMovementStore } from './stores/movements.ts'
import { createPriceStore } from './stores/prices.ts'
import { createReservationStore } from './stores/reservations.ts'

/** Credits: what runs cost, and what is left for them. */
export default definePack({
  name: 'credits',
  area: 'Money',
  summary: 'cost of runs and tools: ledger, prices, reservations, spend caps, gifts and campaigns',
  requires: ['agents', 'sessions', 'jobs', 'runs'],
  settings: CreditSettings,
  services: {
    accountStore: createAccountStore,
    ledgerStore: createLedgerStore,
    movementStore: createMovementStore,
    reservationStore: createReservationStore,
    dueStore: createDueStore,
    priceStore: createPriceStore,
    capStore: createCapStore,
    campaignStore: createCampaignStore,
    known: createKnown,
    projects: createProjects,
    reserving: createReserving,
    runGate: createRunGate,
    toolGate: createToolGate,
    modelGate: createModelGate,
    settlement: createSettlement,
    checks: createChecks,
    accountService: createAccountService,
    postingService: createPostingService,
    giftService: createGiftService,
    campaignService: createCampaignService,
    capService: createCapService,
    priceService: createPriceService
  },
  exports: ({ postingService: { topUp, takeBack }, priceService: { costs } }) => ({ topUp, takeBack, costs }),
  routes(app, deps) {
    accountRoutes(app, deps)
    campaignRoutes(app, deps)
    capRoutes(app, deps)
  },
  contributes: {
    'runs.gate': [{ make: ({ runGate }) => runGate }],
    'tools.gate': [{ make: ({ toolGate }) => toolGate }],
    'models.gate': [{ make: ({ modelGate }) => modelGate }],
    'jobs.worker': [
      { key: 'credits.settle', make: ({ settlement }) => ({ work: settlement.work, cron: '* * * * *' }) },
      { key: 'credits.check', make: ({ checks }) => checks.worker }
    ]
  },
  on: {
    'runs.completed': { batch: ({ settlement }) => settlement.told },
    'runs.failed': { batch: ({ settlement }) => settlement.told },
    'runs.cancelled': { batch: ({ settlement }) => settlement.told },
    'tools.called': { batch: ({ settlement }) => settlement.told },
    'models.asked': { batch: ({ settlement }) => settlement.told },
    'models.media_asked': { batch: ({ settlement }) => settlement.told }
  },
  resume: ({ settlement }) => settlement.work(),
  async stop({ known }) {
    known.stop()
  },
  cascade: { 'agents.deleted': { cap: 'agentId' }, 'sessions.deleted': { cap: 'sessionId' } }
})
