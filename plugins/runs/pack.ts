import { definePack } from 'agent-platform'
import type {} from '../identity/contract.ts'
import { createCancellations } from './cancellations.ts'
import { cancelCapability, readCapability, startCapability, waitCapability } from './capabilities.ts'
import { createAnswering } from './execute/answering.ts'
import { createAvailableTools } from './execute/available-tools.ts'
import { createCircuits } from './execute/circuits.ts'
import { createClaims } from './execute/claim.ts'
import { createCompaction } from './execute/compaction.ts'
import { createContextLimits } from './execute/context-limits.ts'
import { createExecution } from './execute/execution.ts'
import { createFallbacks } from './execute/fallbacks.ts'
import { createFinishRun } from './execute/finish-run.ts'
import { createLiveRuns } from './execute/live-runs.ts'
import { createModelStep } from './execute/model-step.ts'
import { createPromptImages } from './execute/prompt-images.ts'
import { createPrompts } from './execute/prompts.ts'
import { createQueues } from './execute/queues.ts'
import { createRunStep } from './execute/run-step.ts'
import { createSessionCompaction } from './execute/session-compaction.ts'
import { createSummarizer } from './execute/summarizer.ts'
import { createToolExecutor } from './execute/tool-executor.ts'
import { createToolStep } from './execute/tool-step.ts'
import { createRemovals } from './removals.ts'
import { compactionRoutes } from './routes/compaction.ts'
import { runRoutes } from './routes/run.ts'
import { ownRunRoutes } from './routes/runs.ts'
import { createRunLists } from './run-lists.ts'
import { createRunService } from './run-service.ts'
import { RunSettings } from './settings.ts'
import { createSharing } from './sharing.ts'
import { createDescents } from './start/descents.ts'
import { createGates } from './start/gates.ts'
import { createRepetitions } from './start/repetitions.ts'
import { createRequestParts } from './start/request-parts.ts'
import { createStartRun } from './start/start-run.ts'
import { createStarts } from './start/starts.ts'
import { createApprovalStore } from './stores/approvals.ts'
import { createBusyAgentStore } from './stores/busy-agents.ts'
import { createCircuitStore } from './stores/circuits.ts'
import { createContextStore } from './stores/contexts.ts'
import { createEndStore } from './stores/ends.ts'
import { createFallbackStore } from './stores/fallbacks.ts'
import { createOutcomeStore } from './stores/outcomes.ts'
import { createQuestionStore } from './stores/questions.ts'
import { createRecordStore } from './stores/records.ts'
import { createRunListStore } from './stores/run-lists.ts'
import { createRunStore } from './stores/runs.ts'
import { createShareStore } from './stores/shares.ts'
import { createStartStore } from './stores/starts.ts'
import { createStepStore } from './stores/steps.ts'
import { createSuspensionStore } from './stores/suspensions.ts'
import { createTrustStore } from './stores/trust.ts'
import { createApprovals } from './waits/approvals.ts'
import { createCallerTools } from './waits/caller-tools.ts'
import { refuseAnswerer, refuseDecider } from './waits/deciders.ts'
import { createDecisions } from './waits/decisions.ts'
import { createElicitationAnswers } from './waits/elicitation-answers.ts'
import { createElicitations } from './waits/elicitations.ts'
import { createPendingCalls } from './waits/pending.ts'
import { createSuspensions } from './waits/suspensions.ts'

/** Runs: an agent answers, in a stream that nothing takes back. */
export default definePack({
  name: 'runs',
  area: 'Agents',
  summary: 'agent runs, in durable streams that survive restarts',
  requires: ['agents', 'models', 'sessions', 'jobs'],
  settings: RunSettings,
  services: {
    runStore: createRunStore,
    shareStore: createShareStore,
    runListStore: createRunListStore,
    startStore: createStartStore,
    endStore: createEndStore,
    stepStore: createStepStore,
    contextStore: createContextStore,
    approvalStore: createApprovalStore,
    questionStore: createQuestionStore,
    outcomeStore: createOutcomeStore,
    recordStore: createRecordStore,
    circuitStore: createCircuitStore,
    fallbackStore: createFallbackStore,
    circuits: createCircuits,
    busyAgentStore: createBusyAgentStore,
    suspensionStore: createSuspensionStore,
    liveRuns: createLiveRuns,
    queues: createQueues,
    finishRun: createFinishRun,
    cancellations: createCancellations,
    claims: createClaims,
    promptImages: createPromptImages,
    contextLimits: createContextLimits,
    summarizer: createSummarizer,
    compaction: createCompaction,
    prompts: createPrompts,
    sessionCompaction: createSessionCompaction,
    answering: createAnswering,
    modelStep: createModelStep,
    fallbacks: createFallbacks,
    suspensions: createSuspensions,
    approvals: createApprovals,
    elicitations: createElicitations,
    availableTools: createAvailableTools,
    trustStore: createTrustStore,
    toolExecutor: createToolExecutor,
    toolStep: createToolStep,
    runStep: createRunStep,
    execution: createExecution,
    requestParts: createRequestParts,
    repetitions: createRepetitions,
    descents: createDescents,
    gates: createGates,
    startRun: createStartRun,
    pendingCalls: createPendingCalls,
    runService: createRunService,
    sharing: createSharing,
    runLists: createRunLists,
    starts: createStarts,
    callerTools: createCallerTools,
    decisions: createDecisions,
    elicitationAnswers: createElicitationAnswers,
    removals: createRemovals
  },
  exports: ({
    runLists,
    starts,
    runService,
    callerTools,
    decisions,
    elicitationAnswers,
    outcomeStore,
    recordStore,
    runListStore,
    busyAgentStore
  }) => ({
    start: starts.start,
    list: runLists,
    async find(by, runId) {
      const { id, sessionId, agentId, request } = await runService.find(by, runId, 'read')
      return { id, sessionId, agentId, depth: request.depth ?? 0 }
    },
    settled: runService.settledForPacks,
    outcomes: outcomeStore.list,
    records: recordStore.list,
    ended: runListStore.listEnded,
    cancel: runService.cancel,
    answerCall: callerTools.answer,
    async decide(by, ...order) {
      refuseDecider(by)
      return decisions.decide(by, ...order)
    },
    async answer(by, ...order) {
      refuseAnswerer(by)
      return elicitationAnswers(by, ...order)
    },
    isBusy: busyAgentStore.findBusy
  }),
  routes(app, deps) {
    runRoutes(app, deps)
    compactionRoutes(app, deps)
    ownRunRoutes(app, deps)
  },
  contributes: {
    'ui-plugins.capability': [
      { key: 'runs.start', make: startCapability },
      { key: 'runs.read', make: readCapability },
      { key: 'runs.wait', make: waitCapability },
      { key: 'runs.cancel', make: cancelCapability }
    ],
    'jobs.waiter': [
      { key: 'runs.call', make: ({ callerTools }) => ({ expired: callerTools.expired }) },
      { key: 'runs.approval', make: ({ decisions }) => ({ expired: decisions.expired }) },
      { key: 'runs.question', make: ({ elicitations }) => ({ expired: elicitations.expired }) }
    ],
    'jobs.worker': [
      { key: 'runs.clean-up', make: ({ removals }) => ({ work: removals.removeOfGone, retries: 20 }) },
      {
        key: 'runs.forget-requests',
        make: ({ removals }) => ({ work: removals.forgetRequests, cron: '17 * * * *' })
      }
    ]
  },
  async stop({ circuits }) {
    circuits.close()
  },
  cascade: { 'agents.deleted': { run: ({ removals }) => removals.removeOfAgent } },
  on: {
    'agents.deleted':
      ({ cancellations, removals }) =>
      async (fact, trx) => {
        await cancellations.ofGone('agent')(fact, trx)
        await removals.agentDeleted(fact, trx)
      },
    'identity.access_ended': ({ cancellations }) => cancellations.ofOwner,
    'identity.project_deleted': ({ cancellations }) => cancellations.ofProject,
    'sessions.deleted':
      ({ cancellations, removals }) =>
      async (fact, trx) => {
        await cancellations.ofGone('session')(fact, trx)
        await removals.sessionDeleted(fact, trx)
      }
  },
  executions: { run: ({ execution }) => execution },
  start: ({ liveRuns }) => liveRuns.open()
})
