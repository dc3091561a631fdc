import type { Client } from 'agent-platform-client'
import { Command } from 'commander'
import type { Wanted } from '../operator.ts'
import { projectOption, urlOption, withPlatform } from '../operator.ts'
import { examples, jsonOption, show, when } from '../output.ts'

export type Agent = Awaited<ReturnType<typeof listAgents>>[number]

/** All that the caller may see. */
export const listAgents = (client: Client) => Array.fromAsync(client.list('/v1/agents', {}))

const columns = {
  id: (agent: Agent) => agent.id,
  name: (agent: Agent) => agent.name,
  owner: (agent: Agent) => agent.owner,
  model: (agent: Agent) => [agent.modelProvider, agent.modelId].filter((it) => it !== null).join('/'),
  updated: (agent: Agent) => when(agent.updatedAt)
}

export function agentsCommand(): Command {
  const agents = new Command('agents').description('Manage the agents of a project')
  examples(
    agents
      .command('list')
      .description('List the agents of a project')
      .addOption(projectOption())
      .addOption(jsonOption())
      .addOption(urlOption())
      .action(async ({ json, ...wanted }: Wanted & { json?: boolean }) =>
        show(await withPlatform(wanted, listAgents), columns, json)
      ),
    'agents list',
    'agents list --project shop --json'
  )
  return agents
}
