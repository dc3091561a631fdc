import type { Client, Schemas } from 'agent-platform-client'
import type { LoadedApp } from '../bundle/load-app.ts'
import { loadApp } from '../bundle/load-app.ts'

type App = Schemas['App']

interface PublishOptions {
  readonly platform: Client
  readonly activate: boolean
  print(line: string): void
}

/** Registers the version that is in that folder. */
export async function publishApp(
  folder: string,
  { platform, activate, print }: PublishOptions
): Promise<void> {
  const loaded = await loadApp(folder)
  const { id, version } = loaded.manifest
  const app = await registerApp(platform, loaded, activate)
  print(
    `${id} ${version} is registered: ${app.status}${app.enabled ? `, with version ${app.enabled.version}` : ''}`
  )
  if (app.consent.length > 0) print('It asks for:')
  for (const { risk, text, reason } of app.consent)
    print(`  ${risk} risk: ${text}${reason === null ? '' : ` (${reason})`}`)
  if (app.enabled?.version === version) return
  const meanwhile = app.enabled
    ? `${app.enabled.version} goes on until ${version}`
    : 'It does nothing until it'
  print(`${meanwhile} is enabled: PUT /v1/ui-plugins/${id}/status`)
}

/** A version never changes: the same number with other content is refused by the platform. */
export async function registerApp(
  platform: Client,
  { manifest, files }: Pick<LoadedApp, 'manifest' | 'files'>,
  activate = false
): Promise<App> {
  const sent = [...files].map(([path, bytes]) => [path, { base64: bytes.toString('base64') }])
  const body = { manifest, files: Object.fromEntries(sent), ...(activate && { activate }) }
  const { data } = await platform.put('/v1/ui-plugins', { body })
  return data
}
