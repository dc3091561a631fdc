import type { Thing } from '../kubernetes/client.ts'
import type { Manifest } from './kinds.ts'

type Labels = Readonly<Record<string, string>>
const has = (labels: Labels = {}, wanted: Labels = {}) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

/**
 * Names, labels and ports that refer to nothing among the manifests, and volumes that nobody mounts. `given` are objects that somebody
 * else makes, such as `Secret agent-platform`.
 */
export function danglingReferences(manifests: readonly Manifest[], given: readonly string[] = []): string[] {
  const all: readonly Thing[] = manifests
  const faults: string[] = []
  const templates = all.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template)

  for (const { kind, metadata, spec = {}, ...rest } of all) {
    const miss = (what: string) => void faults.push(`${kind} ${metadata.name}: ${what}`)
    const find = (wanted: string, name: string | undefined, namespace = metadata.namespace) => {
      if (name === undefined) return
      const found = all.find(
        (it) => it.kind === wanted && it.metadata.name === name && it.metadata.namespace === namespace
      )
      if (!found && !given.includes(`${wanted} ${name}`)) miss(`${wanted} ${name} of ${namespace}`)
      return found
    }
    /** Pods of that namespace whose labels are asked for. */
    const selected = (wanted: Labels | undefined) => {
      const found = wanted && templates.filter((it) => has(it.metadata?.labels, wanted))
      if (!found?.length) miss(`pods with ${JSON.stringify(wanted)}`)
      return found ?? []
    }
    const portOf = (pods: readonly Thing[], port: unknown) => {
      const ports = pods.flatMap((it) => it.spec.containers).flatMap(({ ports = [] }) => ports)
      if (!ports.some(({ name, containerPort }) => port === name || port === containerPort))
        miss(`port ${port}`)
    }

    if (kind === 'RoleBinding') {
      find(rest.roleRef.kind, rest.roleRef.name)
      for (const it of rest.subjects) find(it.kind, it.name, it.namespace)
    } else if (kind === 'HorizontalPodAutoscaler') find(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)
    else if (kind === 'PodDisruptionBudget') selected(spec.selector.matchLabels)
    else if (kind === 'NetworkPolicy') {
      const pods = selected(spec.podSelector.matchLabels)
      for (const { ports = [] } of spec.ingress ?? []) for (const { port } of ports) portOf(pods, port)
    } else if (kind === 'Service') {
      const pods = selected(spec.selector)
      for (const { targetPort } of spec.ports) portOf(pods, targetPort)
    } else if (kind === 'Ingress') {
      for (const { secretName } of spec.tls ?? []) find('Secret', secretName)
      for (const { backend } of spec.rules.flatMap(({ http }: Thing) => http.paths)) {
        const { name, port } = backend.service
        const service = find('Service', name)
        const isOne = (it: Thing) => it.name === port.name || it.port === port.number
        if (service && !service.spec.ports.some(isOne)) miss(`port ${port.name ?? port.number} of ${name}`)
      }
    } else if (kind === 'Deployment') {
      const { metadata: its, spec: pod } = spec.template
      if (!has(its.labels, spec.selector.matchLabels)) miss('its own pods')
      for (const { labelSelector } of pod.topologySpreadConstraints ?? []) selected(labelSelector.matchLabels)
      find('ServiceAccount', pod.serviceAccountName)
      for (const { name } of pod.imagePullSecrets ?? []) find('Secret', name)
      const mounted = new Set<string>()
      for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
        for (const { configMapRef, secretRef } of container.envFrom ?? []) {
          find('ConfigMap', configMapRef?.name)
          find('Secret', secretRef?.name)
        }
        for (const { valueFrom = {} } of container.env ?? []) {
          find('ConfigMap', valueFrom.configMapKeyRef?.name)
          find('Secret', valueFrom.secretKeyRef?.name)
        }
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          if (container[probe]) portOf([{ spec: { containers: [container] } }], container[probe].httpGet.port)
        for (const { name } of container.volumeMounts ?? []) mounted.add(name)
      }
      const volumes = new Set<string>((pod.volumes ?? []).map(({ name }: Thing) => name))
      for (const name of mounted.symmetricDifference(volumes)) miss(`volume ${name}`)
      for (const { configMap, secret, persistentVolumeClaim } of pod.volumes ?? []) {
        find('ConfigMap', configMap?.name)
        find('Secret', secret?.secretName)
        find('PersistentVolumeClaim', persistentVolumeClaim?.claimName)
      }
    }
  }
  return faults
}
