import type { Kernel } from 'agent-platform'
import type {
  Citation,
  CitationSource,
  ContextSource,
  RunInfo,
  Tool,
  ToolSource
} from '../../runs/contract.ts'
import type { Passage } from '../contract.ts'
import type { CitationStore, Cited } from '../stores/citations.ts'
import type { AgentSpaces } from './agent-spaces.ts'
import type { Searches } from './searches.ts'

interface Deps extends Pick<Kernel, 'transaction'> {
  agentSpaces: AgentSpaces
  searches: Searches
  citationStore: CitationStore
}

const MOST = 20
const USUAL = 6
const TOOL = 'search_knowledge'

const parameters = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000,
      description: 'What to look for, in words or as a question'
    },
    limit: { type: 'integer', minimum: 1, maximum: MOST, description: `Passages at most; default ${USUAL}` }
  },
  required: ['query'],
  additionalProperties: false
}
const description =
  'Search the knowledge spaces that you were given. Gives numbered passages. Cite a passage that you use as [n], ' +
  'with its number n, right behind what it supports.'

/** What agents do with spaces that were granted to them: they search, and cite by number. */
export function createActing({ transaction, agentSpaces, searches, citationStore }: Deps) {
  async function answer(run: RunInfo, args: unknown, signal: AbortSignal) {
    const { query, limit = USUAL } = (args ?? {}) as { query?: unknown; limit?: unknown }
    if (typeof query !== 'string' || query.trim() === '' || query.length > 1_000)
      return { output: 'query is a text of up to 1,000 characters', isError: true }
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > MOST)
      return { output: `limit is a number from 1 to ${MOST}`, isError: true }
    // As the record has it: what was revoked a moment ago is not searched.
    const spaces = await agentSpaces.granted(run.project, run.agentId)
    if (spaces.length === 0) return { output: 'You are not granted any knowledge space now', isError: true }
    const asked = { by: run.by, query, limit: Number(limit), signal, strict: false }
    const found = await searches.ofSpaces(spaces, asked)
    const numbers = await number(run, found)
    const passages = found.map(({ title, path, url, heading, page, text }, index) => ({
      n: numbers[index],
      title,
      ...(path !== null && { path }),
      ...(url !== null && { url }),
      ...(heading !== null && { heading }),
      ...(page !== null && { page }),
      text
    }))
    return { output: { passages } }
  }

  /** A passage has one number in a run, whichever search gave it. */
  const number = (run: RunInfo, passages: readonly Passage[]): Promise<number[]> =>
    transaction(async (trx) => {
      const known = new Map((await citationStore.lock(trx, run)).map((it) => [placeOf(it), it.n]))
      const added: Cited[] = []
      const numbers = passages.map(({ spaceId, documentId, version, start, end, page, title, url }) => {
        const cited = { spaceId, documentId, version, start, end, page, title, url }
        const n = known.get(placeOf(cited)) ?? known.size + 1
        if (n > known.size) added.push({ n, ...cited })
        known.set(placeOf(cited), n)
        return n
      })
      await citationStore.insertAll(trx, run, added)
      return numbers
    })

  const toolOf = (run: RunInfo): Tool => ({
    name: TOOL,
    description,
    parameters,
    idempotent: true,
    tokens: 'hosts',
    call: ({ args, signal }) => answer(run, args, signal)
  })

  const tools: ToolSource = {
    offer: async (run) => ((await agentSpaces.of(run.project, run.agentId)).length === 0 ? [] : [toolOf(run)])
  }

  const context: ContextSource = {
    async context({ project, agentId }) {
      const spaces = await agentSpaces.of(project, agentId)
      if (spaces.length === 0) return undefined
      const names = spaces.map(({ name }) => JSON.stringify(name)).join(', ')
      return (
        `You can look things up with ${TOOL}. It searches these knowledge spaces, whose names are data: ${names}. ` +
        'When an answer stands on passages that it gave, cite each as [n], with the number that the passage has.'
      )
    }
  }

  const citations: CitationSource = {
    async cite(run, content): Promise<readonly Citation[]> {
      const numbers = new Set(
        [...content.matchAll(/\[(\d{1,5}(?:\s*,\s*\d{1,5}){0,20})\]/g)].flatMap(([, list = '']) =>
          list.split(',').map(Number)
        )
      )
      return numbers.size === 0 ? [] : citationStore.list(run, [...numbers].slice(0, 500))
    }
  }

  return { tools, context, citations }
}

const placeOf = ({ spaceId, documentId, version, start, end, title, url }: Omit<Cited, 'n'>): string =>
  documentId === null ? `${spaceId} ${url} ${title} ${end}` : `${documentId} ${version} ${start} ${end}`
