import type { Settings } from '../../settings.ts'
import { faultOf, fromText, settingsOf } from '../desired/desired.ts'
import type { Loaded, Loader } from './loader.ts'

/** What is wrong with environment variables that packs name, a line each. Needs no database. */
export async function environmentFaults(
  {
    scan,
    load
  }: Pick<Loader, 'scan'> & { load(...found: Parameters<Loader['load']>): Promise<Pick<Loaded, 'manifest'>> },
  environment: Settings['environment']
): Promise<readonly string[]> {
  const found = await scan()
  const loaded = await Promise.allSettled([...found.values()].map(load))
  const settings = loaded.flatMap((it) =>
    it.status === 'fulfilled' ? settingsOf(it.value.manifest.settings) : []
  )
  const faults = settings.flatMap(([, setting]) => {
    const text = setting.env && environment[setting.env]
    const fault = text && faultOf(setting, fromText(setting, text))
    return fault ? [`${setting.env} ${fault}`] : []
  })
  return [...new Set(faults)].sort()
}
