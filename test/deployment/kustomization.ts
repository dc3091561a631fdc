import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'
import { root } from '../../kernel/deployment.ts'
import type { Manifest } from './kinds.ts'

const Names = Type.Array(Type.String())
const Labels = Type.Object(
  { pairs: Type.Record(Type.String(), Type.String()) },
  { additionalProperties: false }
)
const Generator = Type.Object({ name: Type.String(), envs: Names }, { additionalProperties: false })
/** Of what Kustomize takes, what the folders here use: it ignores no field that it does not know. */
const Kustomization = Type.Object(
  {
    apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
    kind: Type.Literal('Kustomization'),
    namespace: Type.String(),
    resources: Names,
    labels: Type.Optional(Type.Array(Labels)),
    configMapGenerator: Type.Optional(Type.Array(Generator))
  },
  { additionalProperties: false }
)

/** Settings of an `.env` file, as Kustomize makes a ConfigMap of them. */
export const settingsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  )

/** What `kubectl apply -k` makes of a folder of `deploy`, by the file; throws where a file is missing or is not named. */
export function readKustomization(name: string): ReadonlyMap<string, Manifest> {
  const folder = join(root, 'deploy', name)
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  const read: unknown = parse(textOf('kustomization.yaml'))
  const [fault] = Value.Errors(Kustomization, read)
  if (fault) throw new Error(`kustomization.yaml${fault.instancePath} ${fault.message}`)
  const { namespace, resources, configMapGenerator = [] } = Value.Parse(Kustomization, read)
  const named = ['kustomization.yaml', ...resources, ...configMapGenerator.flatMap(({ envs }) => envs)]
  const left = readdirSync(folder).filter((file) => !named.includes(file))
  if (left.length > 0) throw new Error(`${left.join(', ')} is in no kustomization`)
  const whole = (manifest: Manifest): Manifest =>
    manifest.kind === 'Namespace' ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace } }
  const generated = configMapGenerator.map(({ name, envs }): [string, Manifest] => {
    const data = Object.assign({}, ...envs.map((file) => settingsOf(textOf(file))))
    return [envs.join(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }]
  })
  const written = resources.map((file): [string, Manifest] => [file, whole(parse(textOf(file)))])
  return new Map([...written, ...generated])
}
