import { definePack, unavailable } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../knowledge/contract.ts'
import type { RequestPart } from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import { createBundleService } from './bundles/service.ts'
import { createSigningKeys } from './bundles/signing-keys.ts'
import { createRecorder } from './recording/recorder.ts'
import { createReports } from './reports.ts'
import { provenanceRoutes } from './routes.ts'
import { ProvenanceSettings } from './settings.ts'
import { createSigningKeyStore } from './stores/signing-keys.ts'
import { createTraceStore } from './stores/traces.ts'

/** `mode: full` is served; nothing is written to a chain. */
const requestPart = (): RequestPart => ({
  async accept(_run, value) {
    if ((value as { onchain?: boolean }).onchain)
      throw unavailable('provenance.onchain needs anchoring, which is not installed or off', {
        code: 'capability_missing',
        param: '/provenance/onchain'
      })
    return undefined
  }
})

/** Provenance: what answers were made of, signed so that it can be checked elsewhere. */
export default definePack({
  name: 'provenance',
  area: 'Provenance',
  summary: 'what answers were made of, in signed bundles that are checked offline',
  requires: ['agents', 'runs', 'sessions'],
  uses: ['files', 'knowledge'],
  settings: ProvenanceSettings,
  services: {
    traceStore: createTraceStore,
    signingKeyStore: createSigningKeyStore,
    recorder: createRecorder,
    reports: createReports,
    signingKeys: createSigningKeys,
    bundleService: createBundleService
  },
  routes: provenanceRoutes,
  contributes: { 'runs.request': [{ key: 'provenance', make: requestPart }] },
  on: {
    'runs.completed': { batch: ({ recorder }) => recorder.ended },
    'runs.failed': { batch: ({ recorder }) => recorder.ended },
    'runs.cancelled': { batch: ({ recorder }) => recorder.ended }
  },
  cascade: {
    'sessions.deleted': {
      trace: 'sessionId',
      source: ({ traceStore }) => traceStore.removeSourcesOf('sessionId')
    },
    'agents.deleted': {
      trace: 'agentId',
      source: ({ traceStore }) => traceStore.removeSourcesOf('agentId')
    }
  }
})
