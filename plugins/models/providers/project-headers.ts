import { unavailable } from 'agent-platform'
import type { Configurations } from '../services/provider-config.ts'
import type { Configuration } from '../stores/configurations.ts'
import type { VendorAccess } from './vendor.ts'

/** What requests to a server of a project have beside its key, and what of it is secret. */
export async function headersBy(
  configurations: Configurations,
  own: Configuration | undefined,
  name: string
): Promise<Pick<VendorAccess, 'headers' | 'secrets'>> {
  if (!own || own.headers === null) return {}
  const all = await configurations.headersOf(own).catch((cause) => {
    const message = `The project's headers for ${name} cannot be opened: set them again`
    throw unavailable(message, { code: 'model_not_configured', cause })
  })
  return {
    headers: Object.fromEntries(all.map((it) => [it.name, it.value])),
    secrets: all.filter((it) => it.secret).map(({ value }) => value)
  }
}
