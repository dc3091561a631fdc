import { join } from 'node:path'
import type { BootOptions } from '../../../../test/boot.ts'
import { boot } from '../../../../test/boot.ts'
import type { Client } from '../../../../test/client.ts'
import { packText, temporaryFolder, writeFiles } from '../../../../test/pack-folders.ts'
import type { Capability } from '../../contract.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { appOf } from '../testbed.ts'

const key = Symbol.for('test.ui-plugins.probe')
/** What the capability `probe.act` does, which is of a pack of its own. */
export type Probe = { act: Capability['call'] }

const probeText = packText(
  'probe',
  `contributes: {
    'ui-plugins.capability': [
      {
        key: 'probe.act',
        make: () => ({
          title: 'Act',
          description: 'Does what the test says',
          risk: 'low',
          reaches: 'Does what the test says',
          params: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
          call: (by, params, context) => globalThis[Symbol.for('test.ui-plugins.probe')].act(by, params, context)
        })
      }
    ]
  }`
)

type Given = Parameters<typeof appOf>[0]
const capabilities = ['agents.read', 'agents.list', 'probe.act'].map((name) => ({
  name,
  reason: 'To be tested'
}))
const input = { type: 'object' }

/** A platform on which apps run, and a pack of which they may use something. */
export async function stage(t: Parameters<typeof boot>[0], { env, ...options }: BootOptions = {}) {
  const folder = await temporaryFolder(t)
  await writeFiles(join(folder, 'probe'), { 'pack.ts': probeText })
  const probe: Probe = { act: async () => null }
  Object.assign(globalThis, { [key]: probe })
  const packs = [
    'access',
    'agents',
    'jobs',
    'outgoing',
    'storage',
    'files',
    'sandbox',
    'ui-plugins',
    'packs',
    'probe'
  ]
  const booted = await boot(t, {
    ...options,
    folders: [folder],
    packs: [...packs, ...(options.packs ?? [])],
    env: { SANDBOX_PROCESSES: '2', ...env }
  })
  const path = '/v1/ui-plugins'

  /** Registers and enables an app with these functions, which is granted all that it asks for. */
  async function enable(
    client: Client,
    id: string,
    functions: Readonly<Record<string, string>> = {},
    { grants, audience, ...manifest }: Given & { grants?: object; audience?: string } = {}
  ) {
    const lines = Object.entries(functions).map(
      ([name, body]) => `async ${name}(input, context) {\n${body}\n}`
    )
    const asked = {
      id,
      capabilities,
      functions: Object.keys(functions).map((name) => ({ name, description: name, input })),
      ...manifest
    }
    const files = { 'server.js': { text: `export const functions = { ${lines.join(',\n')} }` } }
    const registered = await client.put(path, appOf(asked, files))
    const hosts = (manifest.egress ?? []).map(({ host }) => host)
    const all = { capabilities: asked.capabilities.map(({ name }) => ({ name })), hosts }
    const status = { status: 'enabled', grants: grants ?? all, ...(audience && { audience }) }
    const enabled = await (audience ? booted.admin : client).put(`${path}/${id}/status`, status)
    if (enabled.status !== 200) throw new Error(`${registered.text} ${enabled.text}`)
    const at = `${path}/${id}`
    const ask = (method: string, params?: unknown, by = client, headers = {}) =>
      by.post(`${at}/gateway`, { method, params }, headers)
    return {
      at,
      id: enabled.body.data.id as string,
      ask,
      /** Calls one of its functions, as its page would. */
      call: (name: string, given?: unknown, by = client, headers = {}) =>
        ask('functions.call', { name, ...(given !== undefined && { input: given }) }, by, headers),
      grants: (body: object) => client.put(`${at}/grants`, body)
    }
  }

  /** What the pack is made of, as it serves now. */
  const deps = () =>
    booted.platform.server.current().packs.get('ui-plugins')?.deps as unknown as { gateway: Gateway }
  return { booted, probe, enable, deps }
}

export const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
