import type { Kernel, Principal } from 'agent-platform'
import type { Building } from '../builds/building.ts'
import { checkFolder } from '../projects/paths.ts'
import type { ProjectService } from '../projects/service.ts'
import type { FileStore } from '../projects/store.ts'
import type { NewExport } from './schemas.ts'

export type ExportService = ReturnType<typeof createExportService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  projectService: ProjectService
  fileStore: FileStore
  building: Building
}

/** Files of projects on the computers of their agents, to be worked on there. */
export function createExportService({ transaction, facts, projectService, fileStore, building }: Deps) {
  async function write(by: Principal, agentId: string, projectId: string, { folder: asked }: NewExport) {
    const of = await projectService.find(by, agentId, projectId, 'change')
    const folder = asked === undefined ? `projects/${of.slug}` : checkFolder(asked, '/folder')
    const { version, files } = await fileStore.listWithContent(of)
    // Also of a project without files it is found out whether there is a computer.
    if (files.length === 0) await building.machine().read(by, agentId, { path: '.', length: 1 })
    await building.write(by, agentId, folder, files)
    const data = { id: of.id, agentId, folder, files: files.length }
    await transaction((trx) =>
      facts.record(trx, 'code-projects.exported', by, { subject: of.id, owner: of.owner, data })
    )
    return { folder, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), version }
  }

  return { write }
}
