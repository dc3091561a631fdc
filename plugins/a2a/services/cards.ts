import type { Kernel } from 'agent-platform'
import { canonicalJson, digestOf, invalid, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Skills } from '../../skills/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { CardSkill } from '../protocol/card.ts'
import { cardOf, signedPart } from '../protocol/card.ts'
import type { PublicationRow, PublicationStore } from '../stores/publications.ts'

export type Cards = ReturnType<typeof createCards>

interface Deps extends Pick<Kernel, 'envelope' | 'platform' | 'principals'> {
  agents: Agents
  tools: Tools
  skills: Skills | undefined
  publicationStore: PublicationStore
}

/** The cards of published agents. */
export function createCards(deps: Deps) {
  const { envelope, platform, principals, agents, tools, skills, publicationStore } = deps

  /** The card and its ETag; without an id that of the only agent that is published. 404 for one that is not. */
  async function read(agentId: string | undefined) {
    const one = agentId === undefined ? await only() : undefined
    const profile = await agents.afresh(one?.agentId ?? agentId ?? '')
    const publication =
      one ?? (profile && (await publicationStore.find(profile.agent.project, profile.agent.id)))
    const owner = publication && (await principals.of(publication.project, publication.owner))
    if (!publication || !profile || !owner) throw notFound('Agent card')
    const { agent } = profile
    const offered = publication.tools.length > 0 ? await tools.offer(owner, agent.id) : []
    const card = cardOf({
      name: agent.name,
      description: publication.description,
      version: `${agent.version}.${publication.version}`,
      url: `${platform.baseUrl}/v1/a2a/${agent.id}`,
      platform,
      skills: [...toolSkills(publication, offered), ...(await givenSkills(publication))]
    })
    const signatures = [await envelope.signDocument(canonicalJson(signedPart(card)))]
    return { etag: `"${digestOf(card)}"`, card: { ...card, signatures } }
  }

  async function only(): Promise<PublicationRow | undefined> {
    const [first, second] = await publicationStore.listAny(2)
    if (second) throw invalid('agentId', 'Several agents are published: agentId says whose card is asked for')
    return first
  }

  const toolSkills = ({ tools: shown }: PublicationRow, offered: Awaited<ReturnType<Tools['offer']>>) =>
    offered
      .filter(({ id }) => shown.includes(id))
      .map(({ id, name, description }): CardSkill => ({ id, name, description, tags: ['tool'] }))

  async function givenSkills({ project, agentId, skills: shown }: PublicationRow): Promise<CardSkill[]> {
    const given = shown.length > 0 ? await skills?.givenTo(project, agentId) : undefined
    return (given ?? [])
      .filter(({ id }) => shown.includes(id))
      .map(({ id, name, description }) => ({ id, name, description, tags: ['skill'] }))
  }

  return { read }
}
