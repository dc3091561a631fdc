import type { Principal } from '../../identity/ownership.ts'

export type Asker = Pick<Principal, 'project' | 'owner'>

/**
 * What waits, taken by turns: of each project after the other, and there of each owner, so that a service which names a
 * thousand initiators has one turn of its project's.
 */
export function createTurns<J>() {
  const projects = new Map<string, Map<string, J[]>>()

  return {
    /** How much waits, of the owner and of the whole project. */
    count({ project, owner }: Asker): { ofOwner: number; ofProject: number } {
      const owners = projects.get(project)
      const ofProject = owners?.values().reduce((sum, { length }) => sum + length, 0) ?? 0
      return { ofOwner: owners?.get(owner)?.length ?? 0, ofProject }
    },

    put({ project, owner }: Asker, job: J): void {
      const owners = projects.get(project) ?? new Map<string, J[]>()
      const jobs = owners.get(owner) ?? []
      jobs.push(job)
      owners.set(owner, jobs)
      projects.set(project, owners)
    },

    /** The first of the project and the owner whose turn it is, who are the last ones from then on. */
    take(): J | undefined {
      for (const [project, owners] of projects) {
        const [owner, jobs] = owners.entries().next().value as [string, J[]]
        const job = jobs.shift()
        owners.delete(owner)
        if (jobs.length > 0) owners.set(owner, jobs)
        projects.delete(project)
        if (owners.size > 0) projects.set(project, owners)
        return job
      }
      return undefined
    }
  }
}
