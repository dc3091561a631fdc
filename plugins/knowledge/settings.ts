import type { Static } from 'typebox'
import { Type } from 'typebox'

export const KnowledgeSettings = Type.Object({
  maxDocuments: Type.Integer({
    env: 'KNOWLEDGE_MAX_DOCUMENTS',
    minimum: 1,
    maximum: 1_000_000,
    default: 50_000,
    description: 'Documents in a space'
  }),
  maxFolders: Type.Integer({
    env: 'KNOWLEDGE_MAX_FOLDERS',
    minimum: 1,
    maximum: 100_000,
    default: 10_000,
    description: 'Folders in a space'
  })
})
export type KnowledgeSettings = Static<typeof KnowledgeSettings>
