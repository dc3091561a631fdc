import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../outgoing/contract.ts'
import type {} from '../providers/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../tools/contract.ts'
import { createComputerRequests } from './acting/requests.ts'
import { createComputerTools } from './acting/tools.ts'
import { computerPart } from './archive-part.ts'
import { createBrowsers } from './browser/browsers.ts'
import { createBrowsing } from './browser/browsing.ts'
import { computerCapability } from './capability.ts'
import { HOME_PART, homePart } from './home-part.ts'
import { PROXY_PORT } from './local/surroundings.ts'
import { browserRoutes } from './routes/browser.ts'
import { commandRoutes } from './routes/commands.ts'
import { computerRoutes } from './routes/computers.ts'
import { fileRoutes } from './routes/files.ts'
import { terminalRoutes } from './routes/terminal.ts'
import { createCommandService } from './services/commands.ts'
import { createComputerService } from './services/computers.ts'
import { createEnabling } from './services/enabling.ts'
import { createFileService } from './services/files.ts'
import { createHolding } from './services/holding.ts'
import { createHomeService } from './services/homes.ts'
import { createPerforming } from './services/performing.ts'
import { createPrograms } from './services/programs.ts'
import { createProviders } from './services/providers.ts'
import { createCommandQueue } from './services/queue.ts'
import { createReconciliation } from './services/reconciliation.ts'
import { createRefusals } from './services/refusals.ts'
import { createRemoval } from './services/removal.ts'
import { createSleeping } from './services/sleeping.ts'
import { createTransitions } from './services/transitions.ts'
import { createWaking } from './services/waking.ts'
import { ComputerSettings } from './settings.ts'
import { createCommandStore } from './stores/commands.ts'
import { createComputerStore } from './stores/computers.ts'
import { createRequestStore } from './stores/requests.ts'
import { createTerminals } from './terminal/terminals.ts'
import { createTerminalTickets } from './terminal/tickets.ts'

/** Computers: each agent has one of its own, which keeps its files, and confines what runs in it. */
export default definePack({
  name: 'computers',
  area: 'Agents',
  summary: 'a sandboxed computer for each agent: commands, files, terminal and browser',
  requires: ['agents', 'jobs', 'outgoing'],
  settings: ComputerSettings,
  services: {
    computerStore: createComputerStore,
    commandStore: createCommandStore,
    requestStore: createRequestStore,
    transitions: createTransitions,
    providers: createProviders,
    holding: createHolding,
    refusals: createRefusals,
    sleeping: createSleeping,
    waking: createWaking,
    performing: createPerforming,
    commandQueue: createCommandQueue,
    computerService: createComputerService,
    commandService: createCommandService,
    enabling: createEnabling,
    programs: createPrograms,
    fileService: createFileService,
    homeService: createHomeService,
    browsers: createBrowsers,
    browsing: createBrowsing,
    terminals: createTerminals,
    terminalTickets: createTerminalTickets,
    computerTools: createComputerTools,
    computerRequests: createComputerRequests,
    removal: createRemoval,
    reconciliation: createReconciliation
  },
  exports: ({ commandService, fileService, browsing, computerService, enabling, programs, providers }) => ({
    exec: commandService.exec,
    test: browsing.test,
    read: fileService.read,
    write: fileService.write,
    start: programs.start,
    enable: enabling.enable,
    async checkUsable(by, agentId) {
      const { provider } = await computerService.enabled(by, agentId, 'read')
      await providers.usable(provider)
    },
    providers: providers.kinds,
    platformUrl: `http://127.0.0.1:${PROXY_PORT}`
  }),
  routes(app, deps) {
    computerRoutes(app, deps)
    commandRoutes(app, deps)
    fileRoutes(app, deps)
    browserRoutes(app, deps)
    terminalRoutes(app, deps)
  },
  upgrade: {
    '/agents/:agentId/computer/terminal': {
      scope: ['agents:write'],
      open: ({ terminals }) => terminals.open
    },
    '/agents/:agentId/computer/terminal/:ticket': {
      scope: ['agents:write'],
      by: ({ terminalTickets }) => terminalTickets.identify,
      open: ({ terminals }) => terminals.open
    }
  },
  contributes: {
    'archives.part': [{ make: computerPart }, { key: HOME_PART, order: 10, make: homePart }],
    'providers.capability': [{ key: 'computers', order: 65, make: computerCapability }],
    'tools.static': [
      { key: 'computer_exec', make: ({ computerTools }) => computerTools.staticTool('computer_exec') },
      { key: 'computer_read', make: ({ computerTools }) => computerTools.staticTool('computer_read') },
      { key: 'computer_write', make: ({ computerTools }) => computerTools.staticTool('computer_write') },
      { key: 'browser_open', make: ({ computerTools }) => computerTools.staticTool('browser_open') },
      { key: 'browser_act', make: ({ computerTools }) => computerTools.staticTool('browser_act') }
    ],
    'runs.request': [{ key: 'computerRequest', make: ({ computerRequests }) => computerRequests.part }],
    // Behind the tools that the agent was given, whose policies hold.
    'runs.tools': [{ order: 10, make: ({ computerRequests }) => computerRequests.tools }],
    'jobs.worker': [
      { key: 'computers.queue', make: ({ commandQueue }) => commandQueue.worker },
      { key: 'computers.remove', make: ({ removal }) => removal.worker },
      { key: 'computers.reconcile', make: ({ reconciliation }) => reconciliation.worker },
      { key: 'computers.clean-up', make: ({ reconciliation }) => reconciliation.cleanUp }
    ]
  },
  on: { 'agents.deleted': ({ removal }) => removal.agentDeleted },
  cascade: {
    'agents.deleted': { event: 'agentId', command: 'agentId', request: 'agentId', ticket: 'agentId' }
  },
  start: ({ holding }) => holding.open(),
  async resume({ holding, sleeping, commandService, reconciliation }) {
    holding.serve()
    sleeping.begin()
    commandService.listen()
    await reconciliation.begin()
  },
  async stop({ sleeping, commandService, browsers }) {
    browsers.close()
    sleeping.end()
    commandService.deafen()
  }
})
