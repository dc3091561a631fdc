import { createClient } from 'agent-platform-client'
import { Command, Option } from 'commander'
import type { Project } from '../../kernel/identity/credential-store.ts'
import type { Environment } from '../../kernel/identity/keys.ts'
import { createOperator } from '../../kernel/identity/operator.ts'
import { withTables } from '../database.ts'
import { unlessInterrupted } from '../interruption.ts'
import { refuseUrl, urlOption } from '../operator.ts'
import { examples, inShort, jsonOption, say, show, when } from '../output.ts'
import { freshSession } from '../session.ts'

interface Common {
  readonly url?: string
  readonly json?: boolean
}

const columns = {
  id: (project: Project) => project.id,
  environment: (project: Project) => project.environment,
  scopes: (project: Project) => inShort(project.scopes),
  created: (project: Project) => when(project.createdAt)
}

export function projectsCommand(): Command {
  const projects = new Command('projects').description(
    'Manage projects, which have their own agents, keys and secrets'
  )
  examples(
    projects
      .command('list')
      .description('List the projects')
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(async ({ url, json }: Common) => {
        refuseUrl({ url }, 'projects list')
        const all = await withTables(({ knex }) => createOperator(knex).listProjects())
        show(all, columns, json)
      }),
    'projects list'
  )
  examples(
    projects
      .command('create <id>')
      .description('Create a project')
      .addOption(
        new Option('--env <environment>', 'environment of its keys').choices(['live', 'test']).default('live')
      )
      .addOption(jsonOption())
      .addOption(urlOption().hideHelp())
      .action(async (id: string, { env, url, json }: Common & { env: Environment }) => {
        refuseUrl({ url }, 'projects create')
        const project = await withTables(({ knex }) => createOperator(knex).createProject(id, env))
        say(`${project.id} is there, a ${project.environment} project`, project, json)
      }),
    'projects create shop',
    'projects create shop-trial --env test'
  )
  examples(
    projects
      .command('mine')
      .description('List the projects of the person who signed in with `login`')
      .addOption(jsonOption())
      .action(async ({ json }: Common) => {
        const { url, accessToken } = await unlessInterrupted(freshSession())
        const client = createClient({ baseUrl: url, identityToken: accessToken })
        show(await unlessInterrupted(Array.fromAsync(client.list('/v1/projects', {}))), mine, json)
      }),
    'projects mine'
  )
  examples(
    projects
      .command('use <id>')
      .description('Switch to another project of the person who signed in with `login`')
      .action(async (projectId: string) => {
        await unlessInterrupted(freshSession({ projectId }))
        say(`From now on you work in ${projectId}`)
      }),
    'projects use project_01k4qz0000e0080000000000ab'
  )
  return projects
}

interface OwnProject {
  readonly id: string
  readonly name: string
  readonly environment: string
  readonly role: string
  readonly createdAt: string
}
const mine = {
  id: (project: OwnProject) => project.id,
  name: (project: OwnProject) => project.name,
  environment: (project: OwnProject) => project.environment,
  role: (project: OwnProject) => project.role,
  created: (project: OwnProject) => when(project.createdAt)
}
