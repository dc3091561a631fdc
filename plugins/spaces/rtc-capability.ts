import type { Capability } from '../providers/contract.ts'
import type { SpaceSettings } from './settings.ts'

/** The server of calls: settings of the deployment name it. */
export function rtcCapability({ settings }: { settings: SpaceSettings }): Capability {
  const { livekitUrl, livekitApiKey, livekitApiSecret } = settings
  const configured = Boolean(livekitUrl && livekitApiKey && livekitApiSecret)
  const livekit = { provider: 'livekit', name: 'LiveKit', configured, models: [], takes: [] }
  return {
    title: 'Calls',
    description: 'Carries sound and pictures between members of a space',
    list: async () => [livekit],
    current: async () =>
      configured
        ? {
            provider: 'livekit',
            modelId: null,
            source: 'environment',
            configured,
            version: 0,
            updatedAt: null
          }
        : undefined
  }
}
