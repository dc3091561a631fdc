import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, exhausted, notFound, owned, unavailable } from 'agent-platform'
import type { Computers } from '../../computers/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Addresses } from '../previews/addresses.ts'
import type { CodeProjectRow } from '../projects/schemas.ts'
import type { ProjectService } from '../projects/service.ts'
import type { FileStore } from '../projects/store.ts'
import type { PublicationService } from '../publications/service.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Endings } from './endings.ts'
import { isPublished } from './outputs.ts'
import type { Build, BuildRow, ListedBuild } from './schemas.ts'
import type { BuildStore } from './store.ts'

export type BuildService = ReturnType<typeof createBuildService>

/** Of a project, those that run and those that wait. */
const OPEN = 5
const WAIT_SECONDS = 60

interface Deps extends Pick<Kernel, 'transaction'> {
  settings: CodeProjectSettings
  computers: Computers | undefined
  jobs: Jobs
  addresses: Addresses
  projectService: ProjectService
  publicationService: PublicationService
  fileStore: FileStore
  buildStore: BuildStore
  endings: Endings
}
interface Waiting {
  readonly wait?: number | undefined
  readonly signal?: AbortSignal
}

export const noComputers = () =>
  unavailable('Code runs on the computers of agents alone: turn on the pack `computers`', {
    code: 'capability_missing',
    cause: null
  })

/** What builds projects, as people and agents ask for it. */
export function createBuildService(deps: Deps) {
  const { transaction, settings, computers, jobs, addresses, projectService, publicationService } = deps
  const { fileStore, buildStore, endings } = deps

  async function shown(row: BuildRow, slug: string): Promise<Build> {
    const previewUrl = row.publicationId === null ? null : addresses.of(slug)
    return { ...listed(row), log: await buildStore.findLog(row), previewUrl }
  }

  const publish = async (by: Principal, agentId: string, projectId: string, waiting: Waiting = {}) =>
    publishRow(by, await projectService.find(by, agentId, projectId, 'change'), waiting)

  async function publishRow(by: Principal, of: CodeProjectRow, waiting: Waiting): Promise<Build> {
    if (of.buildCommand !== null) return begin(by, of, 'publish', waiting)
    return shown(await publishAsItIs(by, of), of.slug)
  }

  /** Nothing is run, so that no computer is needed. */
  async function publishAsItIs(by: Principal, of: CodeProjectRow): Promise<BuildRow> {
    const prefix = of.outputFolder === '.' ? '' : `${of.outputFolder}/`
    const startedAt = new Date().toISOString()
    const { version, files } = await fileStore.listWithContent(of)
    const outputs = files
      .filter(({ path }) => path.startsWith(prefix) && isPublished(path.slice(prefix.length)))
      .map(({ path, size, sha256, content }) => ({
        ...{ path: path.slice(prefix.length), size, sha256 },
        async *content() {
          yield content
        }
      }))
    if (outputs.length === 0) throw conflict('There is nothing to publish', { code: 'nothing_built' })
    const assets = await publicationService.store(of, outputs)
    let ended: BuildRow | undefined
    await publicationService.publish(by, of, { assets, version }, async (trx, { id }) => {
      ended = await insert(trx, of, {
        ...{ kind: 'publish', status: 'completed', publicationId: id, version },
        ...{ startedAt, endedAt: new Date().toISOString() }
      })
      await endings.tell(trx, by, ended)
    })
    return ended as BuildRow
  }

  async function insert(
    trx: Trx,
    { project, owner, agentId, id: projectId, version }: CodeProjectRow,
    fields: Pick<BuildRow, 'kind' | 'status'> & Partial<BuildRow>
  ): Promise<BuildRow> {
    const none = { reason: null, exitCode: null, publicationId: null, report: null, instance: null }
    const times = { startedAt: null, endedAt: null, cancelledAt: null }
    const row = { project, owner, agentId, projectId, version, attempt: 0, ...none, ...times, ...fields }
    const made = await buildStore.insert(trx, row)
    await buildStore.removeOld(trx, made, settings.buildsKept)
    return made
  }

  /** On the computer, in the background: 409 and 503 where that cannot be. */
  async function begin(by: Principal, of: CodeProjectRow, kind: Build['kind'], { wait, signal }: Waiting) {
    const { project, agentId, id: projectId } = of
    if (!computers) throw noComputers()
    // Wakes it, or says why it cannot be.
    await computers.read(by, agentId, { path: '.', length: 1 })
    const row = await transaction(async (trx) => {
      if ((await buildStore.countOpen(trx, { project, projectId })) >= OPEN)
        throw exhausted(`${OPEN} builds of the project wait`, { code: 'too_many_builds' })
      const made = await insert(trx, of, { kind, status: 'queued' })
      await jobs.send('code-projects.build', { project, projectId }, { trx })
      return made
    })
    const seconds = wait ?? WAIT_SECONDS
    return shown(seconds === 0 ? row : await endings.wait(row, seconds, signal), of.slug)
  }

  const verify = async (by: Principal, agentId: string, projectId: string, waiting: Waiting = {}) =>
    verifyRow(by, await projectService.find(by, agentId, projectId, 'change'), waiting)
  const verifyRow = (by: Principal, of: CodeProjectRow, waiting: Waiting) => begin(by, of, 'verify', waiting)

  async function find(
    by: Principal,
    agentId: string,
    projectId: string,
    id: string,
    verb: 'read' | 'change'
  ) {
    const of = await projectService.find(by, agentId, projectId, verb)
    const row = owned(by, await buildStore.find(id), 'Build', verb)
    if (row.projectId !== projectId) throw notFound('Build')
    return { of, row }
  }

  async function read(by: Principal, agentId: string, projectId: string, id: string): Promise<Build> {
    const { of, row } = await find(by, agentId, projectId, id, 'read')
    return shown(row, of.slug)
  }

  async function list(
    by: Principal,
    agentId: string,
    projectId: string,
    page: Paging & Partial<Pick<ListedBuild, 'kind' | 'status'>>
  ) {
    await projectService.find(by, agentId, projectId, 'read')
    const { data, nextCursor } = await buildStore.list(by, { agentId, projectId }, page)
    return { data: data.map(listed), nextCursor }
  }

  async function cancel(by: Principal, agentId: string, projectId: string, id: string): Promise<Build> {
    const { of, row } = await find(by, agentId, projectId, id, 'change')
    const cancelled = await transaction(async (trx) => {
      const current = await buildStore.lock(trx, row)
      if (current.endedAt !== null) throw conflict('The build has ended', { code: 'ended' })
      const now = new Date().toISOString()
      if (current.status === 'running') return buildStore.update(trx, current, { cancelledAt: now })
      const ended = await buildStore.update(trx, current, {
        status: 'cancelled',
        cancelledAt: now,
        endedAt: now
      })
      await endings.tell(trx, by, ended)
      return ended
    })
    if (cancelled.endedAt === null) endings.cancel(id)
    return shown(cancelled, of.slug)
  }

  return { publish, publishRow, verify, verifyRow, list, read, cancel }
}

const listed = (row: BuildRow): ListedBuild => {
  const { project: _, instance: _i, attempt: _a, cancelledAt: _c, ...rest } = row
  return rest
}
