import type { Kernel } from 'agent-platform'
import { Closed, invalid, tooLarge } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, ReadRecord } from '../../archives/contract.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Intake } from './intake.ts'
import { checkFolder, checkPaths } from './paths.ts'
import type { CodeProjectRow } from './schemas.ts'
import { CodeProject, codeProjects } from './schemas.ts'
import type { ProjectService } from './service.ts'
import type { FileStore, Written } from './store.ts'

interface Deps extends Pick<Kernel, 'knex'> {
  settings: CodeProjectSettings
  intake: Intake
  fileStore: FileStore
  projectService: ProjectService
}

const { name, description, template, buildCommand, outputFolder, startCommand, singlePage } =
  CodeProject.properties
const fields = { name, description, template, buildCommand, outputFolder, startCommand, singlePage }
const Project = Closed({ ...fields, published: Type.Boolean() })
const File = Closed({ path: Type.String({ minLength: 1, maxLength: 1_024 }) })
type Project = Static<typeof Project>
const names = Object.keys(fields) as (keyof typeof fields)[]

interface Read {
  readonly project: Project
  readonly files: Map<string, Buffer>
  bytes: number
}

const PARAM = '/fileId'

/** Projects of the agent with their files as they are now; neither what is published of them nor their builds. */
export function createArchivePart({ knex, settings, intake, fileStore, projectService }: Deps): ArchivePart {
  /** Projects of an archive, each with its files, as far as they may be kept here: 400 or 413 otherwise. */
  async function* projectsOf(records: AsyncIterable<ReadRecord>) {
    let current: Read | undefined
    let count = 0
    for await (const { kind, data, bytes } of records) {
      if (kind === 'project') {
        if (current) yield whole(current)
        if (++count > settings.projectsPerAgent)
          throw tooLarge(`An agent has ${settings.projectsPerAgent} projects at most`, {
            code: 'too_many_projects',
            param: PARAM
          })
        current = { project: data as Project, files: new Map(), bytes: 0 }
      } else if (current) {
        await readFile(current, (data as Static<typeof File>).path, bytes)
      } else throw invalid(PARAM, 'The archive has a file without its code project', 'archive_invalid')
    }
    if (current) yield whole(current)
  }

  /** Refuses it before more is in memory than a project may have. */
  async function readFile(of: Read, path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (of.files.has(path))
      throw invalid(PARAM, 'The archive has a file of a code project twice', 'archive_invalid')
    const pieces: Buffer[] = []
    let size = 0
    const fileCount = of.files.size + 1
    for await (const piece of bytes) {
      size += piece.length
      if (size > settings.fileBytes)
        throw tooLarge(`A file has ${settings.fileBytes} bytes at most`, { param: PARAM })
      intake.checked({ fileCount, bytes: of.bytes + size }, PARAM)
      pieces.push(piece)
    }
    intake.checked({ fileCount, bytes: of.bytes + size }, PARAM)
    of.files.set(path, Buffer.concat(pieces))
    of.bytes += size
  }

  function whole({ project, files }: Read): { project: Project; files: Written[] } {
    const outputFolder = checkFolder(project.outputFolder, PARAM)
    checkPaths(
      [],
      [...files.keys()].map((path) => ({ path, param: PARAM }))
    )
    const written = [...files].map(([path, bytes]) => ({ path, bytes }))
    return { project: { ...project, outputFolder }, files: written }
  }

  return {
    version: 1,
    what: 'its code projects, with their files as they are now',
    records: { project: Project, file: File },
    withBytes: ['file'],

    async *export({ agent: { project, owner, id: agentId }, signal }) {
      const ids: string[] = await knex(codeProjects.name)
        .where({ project, owner, agentId })
        .orderBy('id')
        .pluck('id')
      for (const id of ids) {
        signal.throwIfAborted()
        const row: CodeProjectRow | undefined = await codeProjects.find(knex, id)
        const found = row && (await fileStore.findWithContent(row))
        if (!found) continue
        const said = Object.fromEntries(names.map((name) => [name, row[name]]))
        yield { kind: 'project', data: { ...said, published: row.publicationId !== null } }
        for (const { path, content } of found.files)
          yield { kind: 'file', data: { path }, bytes: only(content) }
      }
    },

    async examine({ lack }, records) {
      for await (const { project } of projectsOf(records))
        if (project.published)
          lack({
            type: 'publication',
            name: project.name,
            text: 'The code project was published: here it is when it is published again'
          })
    },

    async import({ by, agentId, signal }, records) {
      for await (const { project, files } of projectsOf(records)) {
        signal.throwIfAborted()
        const { published: _, ...given } = project
        await projectService.createWith(by, agentId, given, files)
      }
    }
  }
}

async function* only(bytes: Buffer) {
  yield bytes
}
