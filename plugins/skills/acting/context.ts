import type { ContextSource } from '../../runs/contract.ts'
import type { GivenSkills } from '../services/given-skills.ts'
import type { SkillSettings } from '../settings.ts'
import type { AttachmentStore } from '../stores/attachments.ts'
import { indexText, loadedText } from './prompt.ts'

interface Deps {
  settings: SkillSettings
  givenSkills: GivenSkills
  attachmentStore: AttachmentStore
}

/** What an agent can do stands in its prompt by name; what its session has loaded, as a whole. */
export function createSkillContext({ settings, givenSkills, attachmentStore }: Deps): ContextSource {
  return {
    async context({ project, agentId, sessionId }) {
      const given = await givenSkills.of(project, agentId)
      if (given.length === 0) return undefined
      const loaded = await attachmentStore.listLoaded(project, sessionId, agentId)
      const index = indexText(given, settings.skillIndexCharacters)
      return [index, loadedText(loaded, settings.skillLoadedCharacters)].filter(Boolean).join('\n\n')
    }
  }
}
