import { definePack, removeRows } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../knowledge/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import type {} from '../wallets/contract.ts'
import { createAnchoring } from './anchors/anchoring.ts'
import { createAnchorOrders } from './anchors/orders.ts'
import { createRequestPart } from './anchors/request-part.ts'
import { createBundleService } from './bundles/service.ts'
import { createSigningKeys } from './bundles/signing-keys.ts'
import { createRecorder } from './recording/recorder.ts'
import { createSalts } from './recording/salts.ts'
import { createReports } from './reports.ts'
import { provenanceRoutes } from './routes.ts'
import { ProvenanceSettings } from './settings.ts'
import { createAnchorStore } from './stores/anchors.ts'
import { createSaltStore } from './stores/salts.ts'
import { createSigningKeyStore } from './stores/signing-keys.ts'
import { createTraceStore } from './stores/traces.ts'
import { createTraces } from './traces.ts'

/** Provenance: what answers were made of, signed so that it can be checked elsewhere. */
export default definePack({
  name: 'provenance',
  area: 'Provenance',
  summary: 'signed provenance of answers, verifiable offline',
  requires: ['agents', 'jobs', 'runs', 'sessions'],
  uses: ['files', 'knowledge', 'wallets'],
  settings: ProvenanceSettings,
  services: {
    traceStore: createTraceStore,
    signingKeyStore: createSigningKeyStore,
    saltStore: createSaltStore,
    anchorStore: createAnchorStore,
    anchorOrders: createAnchorOrders,
    salts: createSalts,
    recorder: createRecorder,
    traces: createTraces,
    reports: createReports,
    signingKeys: createSigningKeys,
    bundleService: createBundleService,
    anchoring: createAnchoring,
    requestPart: createRequestPart
  },
  exports: ({ signingKeys }) => ({ sign: signingKeys.statement, findKey: signingKeys.find }),
  routes: provenanceRoutes,
  contributes: {
    'runs.request': [{ key: 'provenance', make: ({ requestPart }) => requestPart }],
    'jobs.worker': [
      { key: 'provenance.anchor', make: ({ anchoring }) => ({ work: anchoring.work, cron: '* * * * *' }) }
    ]
  },
  on: {
    'runs.completed': { batch: ({ recorder }) => recorder.ended },
    'runs.failed': { batch: ({ recorder }) => recorder.ended },
    'runs.cancelled': { batch: ({ recorder }) => recorder.ended }
  },
  resume: ({ jobs }) => jobs.send('provenance.anchor', {}, { key: 'begun' }),
  async stop({ salts }) {
    salts.stop()
  },
  cascade: {
    'sessions.deleted': {
      trace: 'sessionId',
      source: () => removeRows('provenance.source', 'sessionId')
    },
    'agents.deleted': {
      trace: 'agentId',
      source: () => removeRows('provenance.source', 'agentId')
    }
  }
})
