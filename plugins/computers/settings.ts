import type { Static } from 'typebox'
import { Type } from 'typebox'

/** A name with a registry before it, a tag and a digest behind. */
const image = '^[a-zA-Z0-9][a-zA-Z0-9._/:@-]{0,254}$'

const images = `^(?:${image.slice(1, -1)}(?:, *${image.slice(1, -1)})*)?$`

export const ComputerSettings = Type.Object({
  awake: Type.Integer({
    env: 'COMPUTERS_AWAKE',
    minimum: 1,
    maximum: 10_000,
    default: 50,
    description: 'Computers that are awake on an instance at a time'
  }),
  awakePerOwner: Type.Integer({
    env: 'COMPUTERS_AWAKE_PER_OWNER',
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: 'Of them those of one owner'
  }),
  vcpu: Type.Number({
    env: 'COMPUTERS_VCPU',
    minimum: 0.1,
    maximum: 256,
    default: 4,
    description: 'Processors of a computer, at most'
  }),
  memoryMb: Type.Integer({
    env: 'COMPUTERS_MEMORY_MB',
    minimum: 128,
    maximum: 1_048_576,
    default: 4_096,
    description: 'Memory of a computer, at most'
  }),
  storageMb: Type.Integer({
    env: 'COMPUTERS_STORAGE_MB',
    minimum: 16,
    maximum: 16_777_216,
    default: 10_240,
    description: 'Disk of a computer, at most'
  }),
  commandSeconds: Type.Integer({
    env: 'COMPUTERS_COMMAND_SECONDS',
    minimum: 1,
    maximum: 86_400,
    default: 3_600,
    description: 'Time of a command, at most'
  }),
  queue: Type.Integer({
    env: 'COMPUTERS_QUEUE',
    minimum: 2,
    maximum: 1_000,
    default: 24,
    description: 'Queued commands that run on an instance at a time, by turns of owners'
  }),
  silenceSeconds: Type.Integer({
    env: 'COMPUTERS_SILENCE_SECONDS',
    minimum: 1,
    maximum: 3_600,
    default: 30,
    description: 'Seconds without a response to a request after which a computer is stopped'
  }),
  terminals: Type.Integer({
    env: 'COMPUTERS_TERMINALS',
    minimum: 1,
    maximum: 100,
    default: 4,
    description: 'Terminals of a computer that are open at a time'
  }),
  terminalIdleSeconds: Type.Integer({
    env: 'COMPUTERS_TERMINAL_IDLE_SECONDS',
    minimum: 1,
    maximum: 86_400,
    default: 1_800,
    description: 'After which a terminal is closed in which nobody types'
  }),
  outputBytes: Type.Integer({
    minimum: 1_024,
    maximum: 4_194_304,
    default: 131_072,
    description:
      'Of each output of a command that are answered and kept; what is more is a file of the computer'
  }),
  browser: Type.String({
    env: 'COMPUTERS_BROWSER',
    minLength: 1,
    default: 'chromium',
    description: 'The program that is the browser of computers, as they find it'
  }),
  dockerHost: Type.String({
    env: 'DOCKER_HOST',
    minLength: 1,
    maxLength: 1_000,
    default: 'unix:///var/run/docker.sock',
    description:
      'Socket of the Docker daemon of this machine, or of Podman in its place, for computers of the provider `docker`'
  }),
  dockerImage: Type.String({
    env: 'COMPUTERS_DOCKER_IMAGE',
    pattern: image,
    default: 'node:24',
    description: 'What computers of `docker` are made of: any image with glibc and a shell'
  }),
  dockerImages: Type.String({
    env: 'COMPUTERS_DOCKER_IMAGES',
    pattern: images,
    maxLength: 10_000,
    default: '',
    description: 'Further images, comma-separated, that may be named in place of it'
  }),
  dockerPull: Type.Boolean({
    env: 'COMPUTERS_DOCKER_PULL',
    default: false,
    description: 'Whether images that are not there are pulled'
  }),
  kubernetes: Type.String({
    env: 'COMPUTERS_KUBERNETES',
    maxLength: 1_000,
    default: '',
    description:
      'Cluster of computers of the provider `kubernetes`: path of a kubeconfig, or `in-cluster` for the one that the platform runs in'
  }),
  kubernetesNamespace: Type.String({
    env: 'COMPUTERS_KUBERNETES_NAMESPACE',
    pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
    default: 'agent-computers',
    description: 'Namespace of their pods and volumes'
  }),
  kubernetesImage: Type.String({
    env: 'COMPUTERS_KUBERNETES_IMAGE',
    pattern: image,
    default: 'node:24',
    description: 'What they are made of: any image with Node.js, 22 or newer, and a shell'
  }),
  kubernetesImages: Type.String({
    env: 'COMPUTERS_KUBERNETES_IMAGES',
    pattern: images,
    maxLength: 10_000,
    default: '',
    description: 'Further images, comma-separated, that may be named in place of it'
  }),
  kubernetesStorageClass: Type.String({
    env: 'COMPUTERS_KUBERNETES_STORAGE_CLASS',
    pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$',
    default: '',
    description: 'Storage class of their homes; empty: the default of the cluster'
  }),
  kubernetesGpu: Type.String({
    env: 'COMPUTERS_KUBERNETES_GPU',
    pattern: '^([a-z0-9.-]{1,253}/[A-Za-z0-9._-]{1,63})?$',
    default: '',
    description: 'Resource of which a GPU is one, such as `nvidia.com/gpu`; empty: none are given'
  }),
  kubernetesPod: Type.String({
    env: 'COMPUTERS_KUBERNETES_POD',
    maxLength: 20_000,
    default: '',
    description:
      'Where pods run and by what, as JSON: `runtimeClassName`, `nodeSelector`, `tolerations`, `affinity`, `priorityClassName`, `schedulerName`, `imagePullSecrets`, `hostUsers` (`false`), `seccompProfile` (of `Localhost`)'
  }),
  kubernetesStartSeconds: Type.Integer({
    env: 'COMPUTERS_KUBERNETES_START_SECONDS',
    minimum: 1,
    maximum: 1_800,
    default: 120,
    description: 'How long a pod may take until it runs: its image may be pulled, a node made for it'
  }),
  archiveBytes: Type.Integer({
    env: 'COMPUTERS_ARCHIVE_BYTES',
    minimum: 0,
    maximum: 1_000_000_000_000,
    default: 1_073_741_824,
    description: 'Of all files of a computer that go into an archive of its agent, or come out of one'
  }),
  commandDays: Type.Integer({
    env: 'COMPUTERS_COMMAND_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'How long the record of a command, and of an event, is kept'
  })
})
export type ComputerSettings = Static<typeof ComputerSettings>
