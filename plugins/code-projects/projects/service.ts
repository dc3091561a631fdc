import type { Kernel, Owned, Paging, Principal, RemoveSome, Trx, Verb } from 'agent-platform'
import { afterCommit, exhausted, newId, notFound, owned, recordedEdits } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Addresses } from '../previews/addresses.ts'
import type { PublicationStore } from '../publications/store.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Intake } from './intake.ts'
import { paramOf } from './intake.ts'
import { checkFolder, checkPaths } from './paths.ts'
import type { Quota } from './quota.ts'
import type { CodeProject, CodeProjectChanges, CodeProjectRow, NewCodeProject, writable } from './schemas.ts'
import { codeProjects } from './schemas.ts'
import type { FileStore, Written } from './store.ts'
import { slugOf, templates, uniqueOf } from './templates.ts'

type About = Pick<CodeProjectRow, 'template' | (typeof writable)[number]>
export type ProjectService = ReturnType<typeof createProjectService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: CodeProjectSettings
  agents: Agents
  quota: Quota
  intake: Intake
  fileStore: FileStore
  publicationStore: PublicationStore
  addresses: Addresses
}

/** Code projects of agents, and what lies in them. */
export function createProjectService(deps: Deps) {
  const {
    knex,
    transaction,
    facts,
    settings,
    agents,
    quota,
    intake,
    fileStore,
    publicationStore,
    addresses
  } = deps
  const names = { updated: 'code-projects.updated', deleted: 'code-projects.deleted' } as const
  const edits = recordedEdits({ transaction, facts }, codeProjects, names)

  const shown = (row: CodeProjectRow): CodeProject => {
    const { project: _, ...rest } = row
    return { ...rest, previewUrl: row.publicationId === null ? null : addresses.of(row.slug) }
  }

  /** One of that agent, if the principal may do that with it: 404 or 403 otherwise. */
  async function find(by: Principal, agentId: string, id: string, verb: Verb): Promise<CodeProjectRow> {
    await agents.owned(by, agentId, verb)
    const row = owned(by, await codeProjects.find(knex, id), 'Code project', verb)
    if (row.agentId !== agentId) throw notFound('Code project')
    return row
  }

  /** The agent's own by its name, the latest of several. */
  async function named(by: Principal, agentId: string, name: string): Promise<CodeProjectRow | undefined> {
    const { project } = await agents.owned(by, agentId, 'run')
    const [row] = await knex(codeProjects.name)
      .where({ project, agentId })
      .andWhere((query) => query.where({ name }).orWhere({ id: name }))
      .orderBy('id', 'desc')
      .limit(1)
      .select('*')
    return row
  }

  async function list(by: Principal, agentId: string, page: Paging) {
    await agents.owned(by, agentId, 'read')
    const { data, nextCursor } = await codeProjects.list(knex, by, page, { agentId })
    return { data: data.map(shown), nextCursor }
  }

  async function create(by: Principal, agentId: string, input: NewCodeProject): Promise<CodeProject> {
    const of = await agents.owned(by, agentId, 'change')
    const { template = 'static', files, ...given } = input
    const { files: beginning, ...built } = templates[template]
    const outputFolder = checkFolder(given.outputFolder ?? built.outputFolder, '/outputFolder')
    const written = files
      ? intake.read(files)
      : Object.entries(beginning(given.name)).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
    checkPaths(
      [],
      written.map(({ path }) => ({ path, param: paramOf(files ?? [], path) }))
    )
    return insert(by, of, { ...built, description: null, ...given, template, outputFolder }, written)
  }

  /** One with these files, whose paths were checked. */
  async function createWith(
    by: Principal,
    agentId: string,
    about: About,
    written: readonly Written[]
  ): Promise<CodeProject> {
    return insert(by, await agents.owned(by, agentId, 'change'), about, written)
  }

  async function insert(
    by: Principal,
    { project, owner, id: agentId }: Owned & { readonly id: string },
    about: About,
    written: readonly Written[]
  ): Promise<CodeProject> {
    const size = intake.measure(new Map(written.map(({ path, bytes }) => [path, bytes.length])))
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`code-projects/${agentId}`])
      const { count } = (await trx(codeProjects.name).where({ project, agentId }).count().first()) as {
        count: string
      }
      if (Number(count) >= settings.projectsPerAgent)
        throw exhausted(`An agent has ${settings.projectsPerAgent} projects at most; delete some first`, {
          code: 'too_many_projects'
        })
      // Nobody guesses the address of a preview, and it tells where its project is found.
      const id = newId('codeproject')
      const row = await codeProjects.insert(trx, {
        ...{ project, id, owner, agentId, slug: `${slugOf(about.name)}-${uniqueOf(id)}` },
        ...{ ...about, ...size }
      })
      await quota.check(trx, codeProjects.name, row)
      await fileStore.replace(trx, row, written, row.version)
      await facts.record(trx, 'code-projects.created', by, { subject: row.id, owner, data: row })
      return shown(row)
    })
  }

  async function update(
    by: Principal,
    agentId: string,
    id: string,
    changes: CodeProjectChanges,
    version?: number
  ) {
    const found = await find(by, agentId, id, 'change')
    const { outputFolder, ...rest } = changes
    const folder =
      outputFolder === undefined ? {} : { outputFolder: checkFolder(outputFolder, '/outputFolder') }
    return shown(await edits.update(by, found, { ...rest, ...folder }, version))
  }

  async function remove(by: Principal, agentId: string, id: string, version?: number) {
    const found = await find(by, agentId, id, 'change')
    return transaction(async (trx) => {
      await removeRow(trx, await codeProjects.lock(trx, found, version))
      await facts.record(trx, 'code-projects.deleted', by, { subject: id, owner: found.owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  /** What belongs to an agent that is gone: some of its projects, each with all that it has. */
  const removeOfAgent: RemoveSome = async ({ project, id: agentId }, trx) => {
    const rows = await trx(codeProjects.name).where({ project, agentId }).forUpdate().limit(5).select('*')
    for (const row of rows) await removeRow(trx, row)
    return rows.length
  }

  async function removeRow(trx: Trx, row: CodeProjectRow): Promise<void> {
    const { project, id: projectId } = row
    await fileStore.remove(trx, row)
    await publicationStore.removeAll(trx, row)
    await trx('code_projects.build').where({ project, projectId }).delete()
    await trx(codeProjects.name).where({ project, id: projectId }).delete()
    afterCommit(trx, () => addresses.changed(row.slug))
  }

  return { find, named, list, create, createWith, update, remove, removeOfAgent, shown }
}
