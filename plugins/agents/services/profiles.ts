import type { Kernel, Principal, Verb } from 'agent-platform'
import { owned } from 'agent-platform'
import type { Profile } from '../contract.ts'
import type { ProfileStore } from '../stores/profiles.ts'

interface Deps extends Pick<Kernel, 'limits'> {
  profileStore: ProfileStore
}

/** Agents as runs need them. An owner never changes, so that a remembered agent is as good for deciding who may. */
export function createProfileService({ limits, profileStore }: Deps) {
  async function profile(by: Principal, agentId: string, verb: Verb, param?: string): Promise<Profile> {
    const known = profileStore.take(agentId) ?? (await profileStore.find(agentId))
    owned(by, known?.agent, 'Agent', verb, { ...(param !== undefined && { param }) })
    await limits.agent(by, agentId)
    return known as Profile
  }

  return { profile, afresh: profileStore.find, stamps: profileStore.listStamps }
}
