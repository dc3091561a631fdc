import type { PageOf, Paging, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Version, VersionSummary } from '../schemas/versions.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { WorkflowService } from './workflows.ts'

export type VersionService = ReturnType<typeof createVersionService>

interface Deps {
  workflowService: WorkflowService
  versionStore: VersionStore
}

/** Definitions that a workflow had, for its owner: of a public one the latest alone is for all. */
export function createVersionService({ workflowService, versionStore }: Deps) {
  async function list(by: Principal, id: string, paging: Paging): Promise<PageOf<VersionSummary>> {
    const { project } = await workflowService.owned(by, id, 'run')
    return versionStore.list(project, id, paging)
  }

  /** 404 for a version that the workflow has not had. */
  async function read(by: Principal, id: string, version: number): Promise<Version> {
    const workflow = await workflowService.owned(by, id, 'run')
    const found =
      version > workflow.version ? undefined : await versionStore.findShown(workflow.project, id, version)
    if (!found) throw notFound('Version')
    return found
  }

  return { list, read }
}
