import type { MountedRoute } from '../../kernel/http/routes.ts'
import type { Described } from './described.ts'
import { routeName } from './routes.ts'

const MANAGES = 'it manages the platform or its people, which is not handed on'
const COSTS = 'what it does costs more than runs do, or connects to where `hosts` is not asked'
const DEFINES = 'what it defines acts later, in runs that the token does not restrict'
const TELLS = 'it tells of all that an owner has'

/** Packs none of whose routes let in tokens that holders of keys narrow, and why. */
export const refusing: Readonly<Record<string, string>> = {
  a2a: 'a publication answers callers with keys of their own, and a task of a peer goes on by itself',
  'app-storage': 'apps act for people by sessions of their own',
  archives: 'an archive has all of an agent in it, and an import makes agents and what acts for them',
  audio: COSTS,
  autonomy: 'an agent that wakes by itself outlives each token',
  billing: MANAGES,
  channels: 'a channel answers people outside, for as long as it is connected',
  'code-projects': 'code is built and run on a computer, which acts with credentials of its own',
  compute: MANAGES,
  computers: 'a computer acts with credentials of its own',
  connections: MANAGES,
  console: 'it serves people who are signed in',
  credits: TELLS,
  denials: TELLS,
  evaluations:
    'an experiment runs agents, scorers and judges by itself for long, and judges are asked outside of runs, where `spend` counts nothing',
  flags: MANAGES,
  identity: MANAGES,
  images: COSTS,
  knowledge: `${DEFINES}; a search costs embeddings, which \`spend\` does not count`,
  liaison: 'a go-between speaks for people, by tokens of its own that these hold',
  library: DEFINES,
  mcp: DEFINES,
  metrics: MANAGES,
  observability: TELLS,
  packs: MANAGES,
  provenance: 'it proves what was done to those who are asked about it: the holder of the key',
  providers: MANAGES,
  runtimes: 'a runtime acts with credentials of its own',
  skills: DEFINES,
  tools: `${DEFINES}; agents call tools in runs, where each restriction is asked`,
  'ui-plugins': 'apps act for people by grants of their own',
  wallets: 'money is moved by people, and by agents within caps that people set',
  webhooks: 'an address is told of all that an owner has, for as long as it stands'
}

const MAKES = 'a token makes nothing that acts by itself, later or as someone else'
const REMEMBERED = 'runs that the token does not restrict would read it'
const ALLOWS = 'a token approves nothing: its limits would be what a person allows once'

/** Of packs that let in tokens, the routes that do not, and why; `*` stands for any end. */
export const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access: { '* /v1/auth/api-keys*': MAKES },
  agents: {
    'POST /v1/agents': MAKES,
    'PUT /v1/agents/:agentId': MAKES,
    'DELETE /v1/agents/:agentId': 'what others work with is not for a token to remove',
    'PUT /v1/agents/:agentId/knowledgebase': REMEMBERED,
    '* /v1/agents/:agentId/preferred-connections': MAKES,
    '* /v1/agents/preferred-connections/:id': MAKES
  },
  files: {
    'POST /v1/files/upload': REMEMBERED,
    '* /v1/agents/:agentId/avatar': MAKES
  },
  goals: {
    'POST /v1/goals': REMEMBERED,
    'PUT /v1/goals/:goalId': REMEMBERED,
    'DELETE /v1/goals/:goalId': REMEMBERED
  },
  memory: {
    'POST /v1/memory': REMEMBERED,
    '* /v1/memory/:memoryId': REMEMBERED,
    '* /v1/memory/agents/:agentId/settings': REMEMBERED,
    '* /v1/memory/shared-scopes*': MAKES
  },
  models: {
    '* /v1/models/providers*': MANAGES,
    '* /v1/models/servers*': MANAGES,
    '* /v1/models/fallbacks': MANAGES,
    '* /v1/models/embedding': MANAGES
  },
  runs: {
    'PUT /v1/agents/runs/:runId/sharing': MAKES,
    'POST /v1/sessions/:id/compact': REMEMBERED,
    'POST /v1/agents/runs/:runId/approvals/:callId': ALLOWS,
    'POST /v1/agents/runs/:runId/elicitations/:elicitationId': ALLOWS
  },
  sessions: { 'PATCH /v1/sessions/:id': REMEMBERED, 'DELETE /v1/sessions/:id': REMEMBERED },
  spaces: {
    'POST /v1/spaces': MAKES,
    'PUT /v1/spaces/:spaceId': MAKES,
    'DELETE /v1/spaces/:spaceId': MAKES,
    'POST /v1/spaces/:spaceId/members': 'an agent that is brought in answers from then on',
    '* /v1/spaces/:spaceId/members/:memberId': 'it decides how an agent answers from then on',
    'POST /v1/spaces/:spaceId/rtc-ticket': MAKES,
    'POST /events': REMEMBERED
  },
  workflows: {
    'POST /v1/workflows': MAKES,
    'PUT /v1/workflows/:id': MAKES,
    'DELETE /v1/workflows/:id': MAKES,
    'POST /v1/workflows/:id/fork': MAKES,
    'GET /v1/workflows/waiting': ALLOWS,
    'POST /v1/workflows/:id/executions/:executionId/*': ALLOWS,
    '* /v1/workflows/:id/webhook*': MAKES
  }
}

/** Whether a credential is what lets a request in. */
const takesCredential = ({ access: { by } }: MountedRoute): boolean => by === undefined || by === 'optional'

const isMeant = (wanted: string, name: string): boolean => {
  const [method, path = ''] = wanted.split(' ')
  const [its, at = ''] = name.split(' ')
  const isAt = path.endsWith('*') ? at.startsWith(path.slice(0, -1)) : at === path
  return isAt && (method === '*' || method === its)
}

/** Each route that takes credentials lets in tokens, or says why not: what a new one forgets is a fault. */
export function tokenFaults({ name, routes }: Described): readonly string[] {
  const all = routes.filter((route) => takesCredential(route) && route.method !== 'HEAD')
  const letting = all.filter(({ access }) => access.tokens !== undefined)
  if (Object.hasOwn(refusing, name))
    return [
      ...letting.map((route) => `${routeName(route)} lets in tokens, and the pack says that none does`),
      ...(all.length === 0 ? ['it has no routes, and says why they let in no tokens'] : [])
    ]
  const said = Object.keys(refused[name] ?? {})
  const rest = all.filter((route) => !letting.includes(route)).map(routeName)
  return [
    ...rest
      .filter((route) => !said.some((wanted) => isMeant(wanted, route)))
      .map((route) => `${route} says neither whether it lets in tokens (config.tokens) nor why not`),
    ...said
      .filter((wanted) => !rest.some((route) => isMeant(wanted, route)))
      .map((wanted) => `no route that refuses tokens is ${wanted}`)
  ]
}
