import type { Trx } from 'agent-platform'
import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../ui-plugins/contract.ts'
import { listCapability, listMembersCapability, postCapability, readCapability } from './capabilities.ts'
import { fleetRoutes } from './routes/fleets.ts'
import { mediaRoutes } from './routes/media.ts'
import { memberRoutes } from './routes/members.ts'
import { messageRoutes } from './routes/messages.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { streamRoutes } from './routes/streams.ts'
import { rtcCapability } from './rtc-capability.ts'
import { createActing } from './services/acting.ts'
import type { Answering } from './services/answering.ts'
import { createAnswering } from './services/answering.ts'
import { ANSWER_QUEUE, createAnswers } from './services/answers.ts'
import { createComposite } from './services/composite.ts'
import { createSpaceEvents } from './services/events.ts'
import type { FleetService } from './services/fleets.ts'
import { createFleetService } from './services/fleets.ts'
import { createMemberService } from './services/members.ts'
import { createMessageService } from './services/messages.ts'
import { createPosting } from './services/posting.ts'
import { createPresence } from './services/presence.ts'
import { createSpaceService } from './services/spaces.ts'
import { createSubscriptions } from './services/subscriptions.ts'
import { createTickets } from './services/tickets.ts'
import { createWorldStream } from './services/world-stream.ts'
import { SpaceSettings } from './settings.ts'
import { createSpaceAccess } from './stores/access.ts'
import { createAnswerStore } from './stores/answers.ts'
import { createFleetStore } from './stores/fleets.ts'
import { createMemberStore } from './stores/members.ts'
import { createMessageStore } from './stores/messages.ts'
import { createSpaceStore } from './stores/spaces.ts'

interface Ending {
  answering: Answering
  fleetService: FleetService
}
/** What an agent said is posted before it is said to be free. */
const runsEnded = ({ answering, fleetService }: Ending, status: 'completed' | 'failed' | 'cancelled') => {
  const [answered, freed] = [answering.ended(status), fleetService.runs(false)]
  return async (facts: Parameters<typeof freed>[0], trx: Trx): Promise<void> => {
    await answered(facts, trx)
    await freed(facts, trx)
  }
}

/** Spaces: rooms that people and agents share. */
export default definePack({
  name: 'spaces',
  area: 'Agents',
  summary: 'chat rooms that people and agents share, with live messages',
  requires: ['agents', 'jobs', 'runs'],
  uses: ['files'],
  settings: SpaceSettings,
  services: {
    spaceAccess: createSpaceAccess,
    spaceStore: createSpaceStore,
    memberStore: createMemberStore,
    messageStore: createMessageStore,
    answerStore: createAnswerStore,
    spaceEvents: createSpaceEvents,
    presence: createPresence,
    answers: createAnswers,
    posting: createPosting,
    answering: createAnswering,
    acting: createActing,
    spaceService: createSpaceService,
    memberService: createMemberService,
    messageService: createMessageService,
    subscriptions: createSubscriptions,
    tickets: createTickets,
    composite: createComposite,
    fleetStore: createFleetStore,
    fleetService: createFleetService,
    worldStream: createWorldStream
  },
  routes(app, deps) {
    spaceRoutes(app, deps)
    memberRoutes(app, deps)
    messageRoutes(app, deps)
    streamRoutes(app, deps)
    mediaRoutes(app, deps)
    fleetRoutes(app, deps)
  },
  upgrade: { '/fleets/:id/stream': { root: true, open: ({ worldStream }) => worldStream.open } },
  contributes: {
    'ui-plugins.capability': [
      { key: 'spaces.list', make: listCapability },
      { key: 'spaces.listMembers', make: listMembersCapability },
      { key: 'spaces.read', make: readCapability },
      { key: 'spaces.post', make: postCapability }
    ],
    'providers.capability': [{ key: 'rtc', order: 70, make: rtcCapability }],
    'runs.tools': [{ make: ({ acting }) => acting.tools }],
    'runs.context': [{ make: ({ acting }) => acting.context }],
    'jobs.worker': [
      { key: ANSWER_QUEUE, make: ({ answering }) => answering.worker },
      { key: 'spaces.clean-up', make: ({ answering }) => answering.cleanUp }
    ]
  },
  on: {
    'runs.started': { batch: ({ fleetService }) => fleetService.runs(true) },
    'runs.completed': { batch: (deps) => runsEnded(deps, 'completed') },
    'runs.failed': { batch: (deps) => runsEnded(deps, 'failed') },
    'runs.cancelled': { batch: (deps) => runsEnded(deps, 'cancelled') }
  },
  cascade: {
    'agents.deleted': {
      member: ({ memberService }) => memberService.agentDeleted,
      agent_state: ({ fleetStore }) => fleetStore.removeOfAgent
    },
    'spaces.deleted': {
      member: 'spaceId',
      message: 'spaceId',
      revision: ({ messageStore }) => messageStore.removeRevisionsOfSpace,
      answer: 'spaceId'
    }
  },
  start: ({ presence }) => presence.begin(),
  stop: async ({ presence }) => presence.end()
})
