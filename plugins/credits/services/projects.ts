import type { CreditSettings } from '../settings.ts'

export type Projects = ReturnType<typeof createProjects>

/** Where runs cost credits. */
export function createProjects({ settings }: { settings: CreditSettings }) {
  const named = new Set(settings.projects.split(',').map((name) => name.trim()))
  return { cost: (project: string): boolean => named.has(project) || named.has('*') }
}
