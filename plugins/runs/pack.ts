import { definePack } from 'agent-platform'
import { runRoutes } from './routes/run.ts'
import { ownRunRoutes } from './routes/runs.ts'
import { createAdmission } from './services/admission.ts'
import { createAnswers } from './services/answers.ts'
import { createApprovals } from './services/approvals.ts'
import { createCancellations } from './services/cancellations.ts'
import { createCustody } from './services/custody.ts'
import { createDecisions } from './services/decisions.ts'
import { createDriver } from './services/driver.ts'
import { createEndings } from './services/endings.ts'
import { createLiveRuns } from './services/live-runs.ts'
import { createLoop } from './services/loop.ts'
import { createOffers } from './services/offers.ts'
import { createOutcomes } from './services/outcomes.ts'
import { createPrompts } from './services/prompts.ts'
import { createQuestionAnswers, createQuestions } from './services/questions.ts'
import { createQueue } from './services/queue.ts'
import { createRemovals } from './services/removals.ts'
import { createRepetitions } from './services/repetitions.ts'
import { createReplies } from './services/replies.ts'
import { createRequestParts } from './services/request-parts.ts'
import { createRunService } from './services/runs.ts'
import { createSearch } from './services/search.ts'
import { createStarts } from './services/starts.ts'
import { createToolCalls } from './services/tool-calls.ts'
import { RunSettings } from './settings.ts'
import { createApprovalStore } from './stores/approvals.ts'
import { createEndStore } from './stores/ends.ts'
import { createQuestionStore } from './stores/questions.ts'
import { createRunStore } from './stores/runs.ts'
import { createStartStore } from './stores/starts.ts'
import { createStepStore } from './stores/steps.ts'

/** Runs: an agent answers, in a stream that nothing takes back. */
export default definePack({
  name: 'runs',
  area: 'Agents',
  summary: 'agents answer, in streams that outlive the process',
  requires: ['agents', 'models', 'sessions', 'jobs'],
  settings: RunSettings,
  services: {
    runStore: createRunStore,
    startStore: createStartStore,
    endStore: createEndStore,
    stepStore: createStepStore,
    approvalStore: createApprovalStore,
    questionStore: createQuestionStore,
    liveRuns: createLiveRuns,
    driver: createDriver,
    queue: createQueue,
    endings: createEndings,
    cancellations: createCancellations,
    custody: createCustody,
    prompts: createPrompts,
    replies: createReplies,
    approvals: createApprovals,
    questions: createQuestions,
    offers: createOffers,
    outcomes: createOutcomes,
    toolCalls: createToolCalls,
    loop: createLoop,
    requestParts: createRequestParts,
    repetitions: createRepetitions,
    admission: createAdmission,
    runService: createRunService,
    starts: createStarts,
    answers: createAnswers,
    decisions: createDecisions,
    questionAnswers: createQuestionAnswers,
    removals: createRemovals,
    search: createSearch
  },
  exports: ({ starts, runService }) => ({
    start: starts.start,
    rested: runService.rested,
    cancel: runService.cancel
  }),
  routes(app, deps) {
    runRoutes(app, deps)
    ownRunRoutes(app, deps)
  },
  contributes: {
    'agents.belongings': [{ make: ({ removals }) => ({ remove: removals.removeOfAgent }) }],
    'jobs.waiter': [
      { key: 'runs.call', make: ({ answers }) => ({ expired: answers.expired }) },
      { key: 'runs.approval', make: ({ decisions }) => ({ expired: decisions.expired }) },
      { key: 'runs.question', make: ({ questions }) => ({ expired: questions.expired }) }
    ],
    'jobs.worker': [
      { key: 'runs.clean-up', make: ({ removals }) => ({ work: removals.removeOfGone, retries: 20 }) },
      {
        key: 'runs.forget-requests',
        make: ({ removals }) => ({ work: removals.forgetRequests, cron: '17 * * * *' })
      }
    ]
  },
  on: {
    'agents.deleted':
      ({ cancellations, removals }) =>
      async (fact, trx) => {
        await cancellations.ofGone('agent')(fact, trx)
        await removals.agentDeleted(fact, trx)
      },
    'sessions.deleted':
      ({ cancellations, removals }) =>
      async (fact, trx) => {
        await cancellations.ofGone('session')(fact, trx)
        await removals.sessionDeleted(fact, trx)
      }
  },
  steps: { 'go-on': ({ loop }) => loop.goOn },
  start: ({ liveRuns }) => liveRuns.open(),
  stop: async ({ search }) => search.end(),
  resume: async ({ search }) => search.begin()
})
