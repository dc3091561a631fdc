import type { Thing } from './client.ts'

const VOLUMES = new Set([
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected'],
  ...['secret', 'image']
])
const SELINUX = new Set([
  undefined,
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t'
])
const SYSCTLS = new Set([
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start'],
  ...['net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports'],
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl'],
  ...['net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']
])
const PROFILES = ['RuntimeDefault', 'Localhost']

const containersOf = ({ spec }: Thing): Thing[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((kind) => spec[kind] ?? [])
const contextsOf = (pod: Thing): Thing[] =>
  [pod.spec, ...containersOf(pod)].map(({ securityContext }) => securityContext ?? {})
/** Whether each container says so, or leaves it to a pod that does. */
const each = (pod: Thing, isSo: (context: Thing) => boolean | undefined): boolean => {
  const [whole, ...own] = contextsOf(pod)
  return own.every((context) => isSo(context) ?? isSo(whole) ?? false)
}
const handlersOf = ({ lifecycle = {}, ...it }: Thing): Thing[] =>
  [it.livenessProbe, it.readinessProbe, it.startupProbe, lifecycle.postStart, lifecycle.preStop].filter(
    Boolean
  )

/**
 * The controls of the Pod Security Standard `restricted`, those of `baseline` among them, and whether a pod keeps to each, as
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/ has them for Linux.
 */
export const restricted: Readonly<Record<string, (pod: Thing) => boolean>> = {
  HostProcess: (pod) => contextsOf(pod).every(({ windowsOptions }) => !windowsOptions?.hostProcess),
  'Host Namespaces': ({ spec }) => !spec.hostNetwork && !spec.hostPID && !spec.hostIPC,
  'Privileged Containers': (pod) => contextsOf(pod).every(({ privileged }) => !privileged),
  'HostPath Volumes': ({ spec }) => (spec.volumes ?? []).every(({ hostPath }: Thing) => !hostPath),
  'Host Ports': (pod) =>
    containersOf(pod).every(({ ports = [] }) => ports.every(({ hostPort }: Thing) => !hostPort)),
  'Host Probes / Lifecycle Hooks': (pod) =>
    containersOf(pod)
      .flatMap(handlersOf)
      .every(({ httpGet, tcpSocket }) => !httpGet?.host && !tcpSocket?.host),
  AppArmor: (pod) =>
    contextsOf(pod).every(({ appArmorProfile: it }) => !it || PROFILES.includes(it.type)) &&
    Object.entries(pod.metadata.annotations ?? {}).every(
      ([name, value]) =>
        !name.startsWith('container.apparmor.security.beta.kubernetes.io/') ||
        /^(runtime\/default|localhost\/.*|)$/.test(String(value))
    ),
  SELinux: (pod) =>
    contextsOf(pod).every(
      ({ seLinuxOptions: { type, user, role } = {} as Thing }) => SELINUX.has(type) && !user && !role
    ),
  '/proc Mount Type': (pod) => contextsOf(pod).every(({ procMount = 'Default' }) => procMount === 'Default'),
  Sysctls: ({ spec }) => (spec.securityContext?.sysctls ?? []).every(({ name }: Thing) => SYSCTLS.has(name)),
  'Volume Types': ({ spec }) =>
    (spec.volumes ?? []).every(({ name: _, ...kinds }: Thing) =>
      Object.keys(kinds).every((kind) => VOLUMES.has(kind))
    ),
  'Privilege Escalation': (pod) =>
    containersOf(pod).every(({ securityContext: it }) => it?.allowPrivilegeEscalation === false),
  'Running as Non-root': (pod) => each(pod, ({ runAsNonRoot }) => runAsNonRoot),
  'Running as Non-root user': (pod) => contextsOf(pod).every(({ runAsUser }) => runAsUser !== 0),
  Seccomp: (pod) =>
    each(pod, ({ seccompProfile: it }) => it && PROFILES.includes(it.type)) &&
    contextsOf(pod).every(({ seccompProfile: it }) => !it || PROFILES.includes(it.type)),
  Capabilities: (pod) =>
    containersOf(pod).every(
      ({ securityContext: { capabilities: { drop = [], add = [] } = {} as Thing } = {} }) =>
        drop.includes('ALL') && add.every((name: string) => name === 'NET_BIND_SERVICE')
    )
}

/** The controls that a pod does not keep to: a namespace that enforces `restricted` takes none of those. */
export const violations = (pod: Thing): string[] =>
  Object.entries(restricted)
    .filter(([, isKept]) => !isKept(pod))
    .map(([control]) => control)
