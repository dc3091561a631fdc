import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../../../kernel/deployment.ts'
import type { Manifest } from '../kinds.ts'

export const chart = join(root, 'deploy/helm/agent-platform')
export const textOf = (name: string) => readFileSync(join(chart, name), 'utf8')
export type Values = Readonly<Record<string, unknown>>

/** A release as `helm install` is told of it. */
export interface Release {
  readonly name: string
  readonly namespace: string
  readonly values: Values
}
export type Rendered = { readonly text: string } | { readonly error: string }

/** Of all that decides what comes out. */
export function digestOfChart(releases: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(releases))
  for (const path of globSync('{Chart.yaml,values.yaml,templates/*}', { cwd: chart }).sort())
    hash.update(`${path}\0${textOf(path)}\0`)
  return hash.digest('hex').slice(0, 16)
}

const helm = (order: readonly string[], input?: string) =>
  spawnSync('helm', order, { encoding: 'utf8', input })

/** Why charts cannot be rendered here; false where they can. */
export const noHelm = helm(['version']).error !== undefined && 'helm is not installed'

const valuesOf = ({ values }: Release) => JSON.stringify(values)

/** What `helm template` makes of it for the oldest Kubernetes that the chart names. */
export function render(release: Release): Rendered {
  const { name, namespace } = release
  const order = [
    'template',
    name,
    chart,
    '--namespace',
    namespace,
    '--kube-version',
    '1.30.0',
    '--values',
    '-'
  ]
  const { status, stdout, stderr } = helm(order, valuesOf(release))
  return status === 0 ? { text: stdout } : { error: stderr }
}

/** What `helm lint --strict` says against it, with the release's notes; empty where it is content. */
export function lint(release: Release): string {
  const order = ['lint', chart, '--strict', '--namespace', release.namespace, '--values', '-']
  const { status, stdout, stderr } = helm(order, valuesOf(release))
  return status === 0 ? '' : stdout + stderr
}

/** The objects of a text of several documents. */
export const objectsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return (document.toJS() as Manifest | null) ?? []
  })

/** Values with what was given over the chart's own, as far as maps go. */
export function withDefaults(given: Values, defaults: Values = parse(textOf('values.yaml'))): Values {
  const isMap = (it: unknown): it is Values => typeof it === 'object' && it !== null && !Array.isArray(it)
  const whole: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(given)) {
    const before = whole[key]
    whole[key] = isMap(value) && isMap(before) ? withDefaults(value, before) : value
  }
  return whole
}
