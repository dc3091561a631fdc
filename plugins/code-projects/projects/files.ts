import { isUtf8 } from 'node:buffer'
import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, invalid, notFound, preconditionFailed } from 'agent-platform'
import type { Intake, Size } from './intake.ts'
import { paramOf } from './intake.ts'
import { checkPaths } from './paths.ts'
import type { Quota } from './quota.ts'
import type { CodeProjectRow, CodeProjectWithFiles, ProjectFile, WriteProjectFiles } from './schemas.ts'
import { codeProjects } from './schemas.ts'
import type { ProjectService } from './service.ts'
import type { FileRow, FileStore } from './store.ts'
import { digestOf } from './store.ts'

export type FileService = ReturnType<typeof createFileService>

/** Of what is in the files of an answer. */
const CONTENT_BYTES = 1_048_576

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  quota: Quota
  intake: Intake
  fileStore: FileStore
  projectService: ProjectService
}

/** What lies in projects. */
export function createFileService({ transaction, facts, quota, intake, fileStore, projectService }: Deps) {
  const { find, shown } = projectService

  async function withFiles(
    row: CodeProjectRow,
    { path, content = true }: { path?: string; content?: boolean } = {}
  ): Promise<CodeProjectWithFiles> {
    const all = await fileStore.list(row)
    const isIn = (it: string) =>
      path === undefined || it === path || (path.endsWith('/') && it.startsWith(path))
    const wanted = all.filter((file) => isIn(file.path))
    if (wanted.length === 0 && path !== undefined && !path.endsWith('/'))
      throw notFound('File', { param: 'path' })
    let room = CONTENT_BYTES
    const fitting = new Set<string>()
    for (const { path: at, size } of content ? wanted : []) {
      // The one that was asked for is given whatever its size.
      if (size > room && at !== path) continue
      room -= size
      fitting.add(at)
    }
    const bytes = await fileStore.findContents(row, [...fitting])
    return { ...shown(row), files: wanted.map((file) => shownFile(file, bytes.get(file.path))) }
  }

  async function read(
    by: Principal,
    agentId: string,
    id: string,
    query: { path?: string; content?: boolean }
  ) {
    return withFiles(await find(by, agentId, id, 'read'), query)
  }

  const write = async (
    by: Principal,
    agentId: string,
    id: string,
    input: WriteProjectFiles,
    version?: number
  ): Promise<CodeProjectWithFiles> => writeTo(by, await find(by, agentId, id, 'change'), input, version)

  async function writeTo(by: Principal, found: CodeProjectRow, input: WriteProjectFiles, version?: number) {
    const { baseVersion, files = [], delete: removed = [] } = input
    const written = intake.read(files)
    const row = await transaction(async (trx) => {
      const before = await codeProjects.lock(trx, found, version)
      const there = new Map((await fileStore.list(found, trx)).map((file) => [file.path, file]))
      const gone = removed.flatMap((path) =>
        path.endsWith('/')
          ? [...there.keys()].filter((it) => it.startsWith(path))
          : there.has(path)
            ? [path]
            : []
      )
      refuseStale(before, baseVersion, input, there, gone)
      const changed = written.filter(({ path, bytes }) => there.get(path)?.sha256 !== digestOf(bytes))
      const leaving = new Set(gone)
      for (const { path } of written)
        if (leaving.has(path)) throw invalid('/delete', `${path} is written and deleted`)
      if (changed.length === 0 && leaving.size === 0) return before
      const kept = [...there.keys()].filter((path) => !leaving.has(path))
      const fresh = written.filter(({ path }) => !there.has(path))
      checkPaths(
        kept,
        fresh.map(({ path }) => ({ path, param: paramOf(files, path) }))
      )
      const sizes = new Map(kept.map((path) => [path, there.get(path)?.size ?? 0]))
      for (const { path, bytes } of written) sizes.set(path, bytes.length)
      const size = intake.measure(sizes)
      const next = before.version + 1
      await fileStore.remove(trx, found, [...leaving])
      await fileStore.replace(trx, found, changed, next)
      const { row: after } = await writeRow(trx, before, size, next)
      if (after.bytes > before.bytes) await quota.check(trx, codeProjects.name, after)
      const data = {
        id: after.id,
        agentId: after.agentId,
        version: next,
        written: changed.length,
        deleted: leaving.size
      }
      await facts.record(trx, 'code-projects.files_written', by, {
        subject: after.id,
        owner: after.owner,
        data
      })
      return after
    })
    return withFiles(row, { content: false })
  }

  /** The files changed, also where their number and size did not. */
  async function writeRow(trx: Trx, { project, id }: CodeProjectRow, size: Size, version: number) {
    const [row] = await trx(codeProjects.name)
      .where({ project, id })
      .update({ ...size, version, updatedAt: trx.fn.now() })
      .returning(codeProjects.columns as string[])
    return { row: row as CodeProjectRow }
  }

  return { read, write, writeTo, withFiles }
}

/** 409 where one of the files was changed since the writer looked. */
function refuseStale(
  row: CodeProjectRow,
  baseVersion: number | undefined,
  { files = [], delete: removed = [] }: WriteProjectFiles,
  there: ReadonlyMap<string, FileRow>,
  gone: readonly string[]
): void {
  if (baseVersion === undefined || baseVersion === row.version) return
  if (baseVersion > row.version)
    throw preconditionFailed('The project has no such version yet', { code: 'version_unknown' })
  const refuse = (param: string, path: string) => {
    throw conflict(`${path} was changed since version ${baseVersion}`, { code: 'file_changed', param })
  }
  for (const [index, { path }] of files.entries()) {
    const { version } = there.get(path) ?? {}
    if (version !== undefined && version > baseVersion) refuse(`/files/${index}/path`, path)
  }
  for (const path of gone) {
    const { version = 0 } = there.get(path) ?? {}
    const index = removed.findIndex((it) => it === path || path.startsWith(it))
    if (version > baseVersion) refuse(`/delete/${index}`, path)
  }
}

function shownFile(file: FileRow, bytes: Buffer | undefined): ProjectFile {
  if (!bytes) return { ...file, encoding: null, content: null }
  const encoding = isUtf8(bytes) && !bytes.includes(0) ? 'utf8' : 'base64'
  return { ...file, encoding, content: bytes.toString(encoding) }
}
