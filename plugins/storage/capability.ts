import type { Capability } from '../providers/contract.ts'
import type { StorageSettings } from './settings.ts'

/** Where bytes lie: settings of the deployment decide, since all projects share the objects. */
export const storageCapability = ({ settings }: { settings: StorageSettings }): Capability => ({
  title: 'Storage',
  description: 'Keeps the bytes of files',
  list: async () => [
    { provider: 'disk', name: 'Disk', configured: true, models: [], takes: [] },
    { provider: 's3', name: 'S3', configured: settings.bucket !== undefined, models: [], takes: [] }
  ],
  current: async () => ({
    provider: settings.driver,
    modelId: null,
    source: settings.driver === 'disk' ? 'default' : 'environment',
    configured: settings.driver === 'disk' || settings.bucket !== undefined,
    version: 0,
    updatedAt: null
  })
})
