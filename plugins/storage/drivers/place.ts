import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Kernel } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { StorageSettings } from '../settings.ts'
import { createDiskDriver } from './disk.ts'
import type { Driver } from './driver.ts'

export type Place = ReturnType<typeof createPlace>

interface Deps extends Pick<Kernel, 'platform' | 'shared'> {
  settings: StorageSettings
}

/** Where this deployment's objects lie, as its settings say. */
export function createPlace({ platform, shared, settings }: Deps) {
  const onDisk = settings.driver === 'disk' ? createDiskDriver(join(platform.dataDir, 'objects')) : undefined

  /** 503 where the settings name no bucket. The client of S3 is made when it is first needed, and outlives reloads. */
  async function driver(): Promise<Driver> {
    if (onDisk) return onDisk
    const { bucket } = settings
    if (bucket === undefined)
      throw unavailable('Files need S3_BUCKET, since STORAGE_DRIVER is s3', {
        code: 'storage_not_configured'
      })
    const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
    const { openS3 } = await import('./s3.ts')
    const s3 = await shared(
      `s3/1/${digest}`,
      async () => openS3({ ...settings, bucket }),
      async (s3) => s3.close()
    )
    return s3.driver
  }

  return { driver }
}
