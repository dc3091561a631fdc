import type { Report, Use } from './queries.ts'

const words: Readonly<Record<string, string>> = {
  agent: 'Agent',
  person: 'Person',
  service: 'Service',
  model: 'Model',
  message: 'Message',
  memory: 'Memory',
  document: 'Passage',
  file: 'File',
  tool: 'Call of a tool'
}

export const kindOf = ({ type }: Use): string => words[type] ?? type

const speakers: Readonly<Record<string, string>> = {
  user: 'From the person',
  assistant: 'From the agent',
  system: 'From the system'
}

/** How it is called: by its title or its name, an agent by what it is called now, else by its id. */
export function nameOf({ type, id, details }: Use, agents: ReadonlyMap<string, string>): string {
  if (type === 'message') return speakers[String(details.role)] ?? String(details.role)
  return String(details.title ?? details.name ?? agents.get(id) ?? id)
}

/** What it is and which, in one. */
export const labelOf = (use: Use, agents: ReadonlyMap<string, string>): string =>
  use.type === 'message' ? nameOf(use, agents) : `${kindOf(use)}: ${nameOf(use, agents)}`

/** Where it is looked at; undefined where there is no page for it. */
export function placeOf({ type, id, details }: Use): string | undefined {
  if (type === 'agent') return `/agents/${id}`
  if (type === 'document' && id.startsWith('document_'))
    return `/knowledge/${details.spaceId}/documents/${id}`
  return undefined
}

/** The digest of what it said, or of what came of it. */
export const digestOf = ({ details }: Use): string | undefined => {
  const digest = details.sha256 ?? details.resultSha256
  return typeof digest === 'string' ? digest : undefined
}

/** One of them in words, beside its name. */
export function noteOf({ type, details }: Use): string | undefined {
  if (type === 'document')
    return `version ${details.version}, ${details.start}–${details.end}${details.isCited ? ', cited' : ''}`
  if (type === 'model') return String(details.provider)
  if (type === 'tool' && details.isError) return 'failed'
  if (details.as) return String(details.as)
  return details.untrusted ? 'from outside' : undefined
}

/** All of a report, contributors first; each with a key of its own. */
export const usesOf = ({ contributors, sources }: Report) =>
  [...contributors, ...sources].map((use, index) => ({ key: `${use.type} ${use.id} ${index}`, use }))

/** Agents whose names are shown. */
export const agentsOf = (report: Report): string[] =>
  usesOf(report).flatMap(({ use: { type, id, details } }) =>
    type === 'agent' && !details.title && !details.name ? [id] : []
  )
