import type { Schemas } from 'agent-platform-client'

type NewVersion = Schemas['NewAppVersion']

const inJson = async (file: File): Promise<Record<string, unknown>> => {
  const value: unknown = JSON.parse(await file.text())
  if (value === null || typeof value !== 'object') throw new Error(`${file.name} is no JSON object`)
  return value as Record<string, unknown>
}

/** As a folder has it, from where it was dropped or chosen. */
const pathOf = (file: File & { readonly path?: string }): string =>
  (file.webkitRelativePath || file.path || file.name).replace(/^(?:\.?\/)+/, '')

/**
 * What `PUT /v1/ui-plugins` takes, of chosen files: either one JSON file with `manifest` and `files`, or `manifest.json` with the
 * built files at their paths beside it. Rejects with words for people where it is neither.
 */
export async function packageOf(files: readonly File[]): Promise<NewVersion> {
  const [only] = files
  if (only && files.length === 1) {
    const { manifest, files: built } = await inJson(only)
    if (manifest && built) return { manifest, files: built } as NewVersion
  }
  const manifest = files
    .filter(({ name }) => name === 'manifest.json')
    .sort((a, b) => pathOf(a).length - pathOf(b).length)[0]
  if (!manifest) throw new Error('There is no manifest.json among these files, and no package in one file')
  const folder = pathOf(manifest).slice(0, -manifest.name.length)
  const beside = files.filter((it) => it !== manifest && pathOf(it).startsWith(folder))
  const sent = beside.map(async (it) => [pathOf(it).slice(folder.length), { base64: await base64Of(it) }])
  return { manifest: await inJson(manifest), files: Object.fromEntries(await Promise.all(sent)) }
}

async function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
