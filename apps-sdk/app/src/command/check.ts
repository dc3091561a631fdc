import type { LoadedApp } from '../bundle/load-app.ts'
import { AppProblems, loadApp } from '../bundle/load-app.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { packageLimits } from '../limits/limits.ts'
import { hostProblem, isHostWithin } from '../manifest/hosts.ts'
import { usesOf } from './uses.ts'

const KEY_VALUE = ['get', 'set', 'delete', 'list']

/** Prints what is wrong with the app in that folder; whether nothing is. */
export async function checkApp(folder: string, print: (line: string) => void): Promise<boolean> {
  const app = await loadApp(folder).catch((error) => {
    if (!(error instanceof AppProblems)) throw error
    for (const { pointer, message } of error.problems) print(`error: ${pointer || 'the app'} ${message}`)
  })
  if (!app) return false
  const { errors, notes } = await compare(app)
  for (const line of errors) print(`error: ${line}`)
  for (const line of notes) print(`note: ${line}`)
  report(app, print)
  return errors.length === 0
}

/** What the code uses against what the manifest asks for. */
async function compare({ manifest, sources }: LoadedApp) {
  const used = await usesOf(sources)
  const asked = manifest.capabilities.map(({ name }) => name)
  const { storage, egress } = manifest
  const isDeclared = (name: string) =>
    KEY_VALUE.includes(name) ? !!storage?.keyValue : (storage?.collections ?? []).length > 0
  const errors = [
    ...[...used.capabilities]
      .filter((name) => !asked.includes(name))
      .map((name) => `the code uses ${name}, which the manifest does not ask for`),
    ...[...used.hosts]
      .filter((host) => hostProblem(host) || !egress.some((it) => isHostWithin(host, it.host)))
      .map((host) => `the code talks to ${host}, which is not within egress`),
    ...[...used.storage]
      .filter((name) => !isDeclared(name))
      .map((name) => `the code uses storage.${name}, for which the manifest declares no storage`)
  ]
  const notes = [
    ...asked
      .filter((name) => !used.capabilities.has(name))
      .map((name) => `the manifest asks for ${name}, which was not found in the code`),
    ...asked
      .filter((name) => !Object.hasOwn(catalogue, name))
      .map((name) => `${name} is offered by no pack that comes with the platform`)
  ]
  return { errors, notes }
}

function report({ manifest, files }: LoadedApp, print: (line: string) => void): void {
  const { id, version, capabilities, egress, functions, pages } = manifest
  print(`${id} ${version}`)
  for (const { name } of functions) print(`  function ${name}`)
  for (const { name } of pages) print(`  page ${name}`)
  for (const { name } of capabilities) print(`  uses ${name}: ${catalogue[name]?.reaches ?? 'unknown here'}`)
  for (const { host } of egress) print(`  talks to ${host}`)
  for (const [path, { length }] of files) print(`  ${path} ${kilobytes(length)}`)
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  print(`  in all ${kilobytes(total)} of ${kilobytes(packageLimits.bytes)}`)
}

const kilobytes = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KiB`
