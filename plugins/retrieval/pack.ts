import { definePack } from 'agent-platform'
import { createEmbeddings } from './services/embeddings.ts'
import { createRefills } from './services/refills.ts'
import { createRemovals } from './services/removals.ts'
import { createRetrieval } from './services/retrieval.ts'
import { createSearches } from './services/searches.ts'
import { createTurns } from './services/turns.ts'
import { RetrievalSettings } from './settings.ts'
import { createAbsenceStore } from './stores/absences.ts'
import { createEntryStore } from './stores/entries.ts'
import { createLossStore } from './stores/losses.ts'
import { createPauseStore } from './stores/pauses.ts'
import { createPendingStore } from './stores/pending.ts'
import { createTurnStore } from './stores/turns.ts'
import { createVectorRows } from './stores/vectors.ts'
import { createVectorIndex } from './vectors/choice.ts'
import { createVectorMemory } from './vectors/memory.ts'

/** Retrieval: finds what other packs keep, by meaning and by words. */
export default definePack({
  name: 'retrieval',
  area: 'Agents',
  summary: 'hybrid search (vector and full-text) for other packs',
  requires: ['models', 'jobs'],
  settings: RetrievalSettings,
  services: {
    absenceStore: createAbsenceStore,
    entryStore: createEntryStore,
    lossStore: createLossStore,
    pauseStore: createPauseStore,
    pendingStore: createPendingStore,
    turnStore: createTurnStore,
    vectorRows: createVectorRows,
    vectorMemory: createVectorMemory,
    vectorIndex: createVectorIndex,
    turns: createTurns,
    embeddings: createEmbeddings,
    refills: createRefills,
    removals: createRemovals,
    searches: createSearches,
    retrieval: createRetrieval
  },
  exports: ({ retrieval }) => retrieval,
  contributes: {
    'jobs.worker': [
      { key: 'retrieval.embed', make: ({ embeddings }) => embeddings.worker },
      { key: 'retrieval.watch', make: ({ embeddings }) => embeddings.watch },
      { key: 'retrieval.index', make: ({ embeddings }) => embeddings.index },
      { key: 'retrieval.refill', make: ({ refills }) => refills.worker },
      { key: 'retrieval.sweep', make: ({ removals }) => removals.worker }
    ]
  },
  on: {
    'models.model_chosen': ({ embeddings }) => embeddings.changed,
    'models.model_reset': ({ embeddings }) => embeddings.changed,
    'models.provider_configured': ({ embeddings }) => embeddings.changed,
    'models.provider_reset': ({ embeddings }) => embeddings.changed
  }
})
