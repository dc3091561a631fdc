import type { Build } from './builds/schemas.ts'
import type { CodeProject } from './projects/schemas.ts'
import type { Publication } from './publications/schemas.ts'

export type { Build, CodeProject, Publication }

interface OfProject {
  readonly id: string
  readonly agentId: string
}

declare module 'agent-platform' {
  interface Facts {
    'code-projects.created': Omit<CodeProject, 'previewUrl'>
    'code-projects.updated': Omit<CodeProject, 'previewUrl'>
    'code-projects.deleted': { id: string }
    'code-projects.files_written': OfProject & { version: number; written: number; deleted: number }
    /** However it ended; never its log. */
    'code-projects.build_ended': Pick<
      Build,
      'id' | 'agentId' | 'projectId' | 'kind' | 'status' | 'reason' | 'exitCode'
    >
    /** A preview shows it from now on. */
    'code-projects.published': Publication
    /** The preview shows an earlier one again. */
    'code-projects.restored': Publication
    'code-projects.unpublished': OfProject & { slug: string }
    /** Its files were written on the computer of its agent. */
    'code-projects.exported': OfProject & { folder: string; files: number }
    'code-projects.pushed': OfProject & { repository: string; branch: string; commit: string }
  }
}
