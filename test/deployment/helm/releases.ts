import type { Release } from './chart.ts'

/** What is rendered: as it comes, with everything that there is, and with nothing that can be left out. */
export const releases: readonly Release[] = [
  { name: 'agent-platform', namespace: 'agent-platform', values: {} },
  {
    name: 'blue',
    namespace: 'agents',
    values: {
      image: {
        repository: 'registry.example.com:5000/agents/platform',
        digest: `sha256:${'0a'.repeat(32)}`,
        pullSecrets: ['registry']
      },
      database: {
        urlFrom: { name: 'cluster-app', key: 'uri' },
        poolUrlFrom: { name: 'cluster-app', key: 'pooler' },
        replicaUrl: 'postgres://platform@cluster-ro:5432/platform'
      },
      redis: { url: 'redis://redis:6379/1' },
      storage: { endpoint: 'https://minio.example.com', forcePathStyle: true, prefix: 'blue/' },
      env: { LOG_LEVEL: 'warn', API_AUTH_REQUIRED: true, TRUST_PROXY: '1' },
      extraEnv: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
      extraEnvFrom: [{ secretRef: { name: 'models' } }],
      serviceAccount: {
        name: 'platform',
        annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/s3' }
      },
      service: { type: 'LoadBalancer', port: 8080, annotations: { 'example.com/a': 'b' } },
      ingress: { className: 'nginx' },
      disruptionBudget: { maxUnavailable: '25%' },
      networkPolicy: {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
        egress: [{ ports: [{ port: 5432 }, { port: 53, protocol: 'UDP' }] }]
      },
      computers: { kubernetes: { enabled: true, namespace: 'computers' } },
      podAnnotations: { 'example.com/scrape': 'true' },
      podLabels: { team: 'agents' },
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: 'agents', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high'
    }
  },
  {
    name: 'small',
    namespace: 'agents',
    values: {
      replicas: 1,
      fullnameOverride: 'platform',
      serviceAccount: { create: false, name: 'default' },
      ingress: { enabled: false },
      autoscaling: { enabled: false },
      disruptionBudget: { enabled: false },
      networkPolicy: { enabled: false }
    }
  }
]

/** What a template refuses that no schema can. */
export const refused: readonly (Release & { readonly why: RegExp })[] = [
  { values: { serviceAccount: { create: false } }, why: /serviceAccount\.name is required/ },
  { values: { autoscaling: { minReplicas: 5, maxReplicas: 3 } }, why: /maxReplicas is less than/ }
].map((it) => ({ name: 'wrong', namespace: 'agents', ...it }))

/** Values that the schema refuses, and where. */
export const wrong: readonly (readonly [path: string, values: object])[] = [
  ['', { replica: 2 }],
  ['/replicas', { replicas: 'two' }],
  ['/image', { image: { name: 'agent-platform' } }],
  ['/image/digest', { image: { digest: 'sha256:12' } }],
  ['/image/pullPolicy', { image: { pullPolicy: 'Sometimes' } }],
  ['/existingSecret', { existingSecret: '' }],
  ['/baseUrl', { baseUrl: 'agents.example.com' }],
  ['/database/url', { database: { url: 'postgres://platform:secret@db/platform' } }],
  ['/database/url', { database: { url: 'mysql://db/platform' } }],
  ['/database/poolUrlFrom', { database: { poolUrlFrom: { name: 'pooler' } } }],
  ['/redis/url', { redis: { url: 'rediss://:secret@redis' } }],
  ['/storage/bucket', { storage: { bucket: '' } }],
  ['/env', { env: { OPENAI_API_KEY: 'sk-1' } }],
  ['/env/GATEWAY_LIMIT_PER_MINUTE', { env: { GATEWAY_LIMIT_PER_MINUTE: 1_000_000 } }],
  ['/ingress/host', { ingress: { host: 'https://agents.example.com' } }],
  ['/service/port', { service: { port: 0 } }],
  ['/autoscaling/averageCpu', { autoscaling: { averageCpu: 'much' } }],
  ['/resources/limits/memory', { resources: { limits: { memory: '1 GB' } } }],
  ['/probes/liveness', { probes: { liveness: { period: 5 } } }],
  ['/terminationGracePeriodSeconds', { terminationGracePeriodSeconds: 5 }],
  ['/computers/kubernetes/enabled', { computers: { kubernetes: { enabled: 'yes' } } }]
]
