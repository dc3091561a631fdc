import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Role, RoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1'
import { ConfigMap, Namespace, ResourceQuota, Service, ServiceAccount } from 'kubernetes-models/v1'
import ts from 'typescript'
import { root } from '../../kernel/deployment.ts'

/** What Kubernetes takes of each kind, by the schemas of its API. */
export const kinds = {
  ...{ ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Namespace, NetworkPolicy },
  ...{ PodDisruptionBudget, ResourceQuota, Role, RoleBinding, Service, ServiceAccount }
} as const
export type Kind = keyof typeof kinds

export interface Manifest {
  readonly apiVersion: string
  readonly kind: Kind
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

/** Throws where a value is of a wrong type or form, or one that is needed is missing. */
export function check({ apiVersion, kind, ...fields }: Manifest): void {
  const Model = kinds[kind]
  if (!Model) throw new Error(`${kind} is none of the kinds that are used here`)
  const model = new Model(fields as never)
  if (model.apiVersion !== apiVersion) throw new Error(`${kind} is of ${model.apiVersion}`)
  model.validate()
}

/** The first one of that kind. */
export const firstOf = <K extends Kind>(manifests: readonly Manifest[], kind: K) =>
  manifests.find((it) => it.kind === kind) as unknown as InstanceType<(typeof kinds)[K]>

/**
 * What is wrong with them, fields that Kubernetes does not know included, which the schemas let pass: as objects of a
 * program of TypeScript, whose types refuse them.
 */
export function strictFaults(manifests: readonly Manifest[]): string[] {
  const name = join(root, 'test/deployment/strict.ts')
  const lines = manifests.map(({ apiVersion, kind, ...fields }, index) => {
    const from = `kubernetes-models/${apiVersion}`
    const whole = JSON.stringify({ apiVersion, kind, ...fields })
    return `export const it${index}: import('${from}').I${kind} = ${whole}`
  })
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => file === name || fileExists(file)
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, file, ...rest)
  const program = ts.createProgram([name], options, host)
  const file = program.getSourceFile(name)
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')
  )
}
