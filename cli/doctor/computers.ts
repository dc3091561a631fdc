import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { Check, Finding } from './finding.ts'
import { ok, warning } from './finding.ts'
import { kubernetesAnswers } from './kubernetes.ts'
import type { Target } from './target.ts'

const PATIENCE_MS = 5_000
const [HOST, IMAGE] = ['unix:///var/run/docker.sock', 'node:24']

interface Looked {
  readonly works: boolean
  readonly found: string
  readonly advice: string
}

/** Whether agents can have computers here, and of which kinds. */
export const computersCheck = (target: Target): Check => ({
  name: 'computers',
  async look(): Promise<Finding> {
    const cluster = await kubernetes(target)
    const kinds = [await bubblewrap(), await docker(target), ...(cluster ? [cluster] : [])]
    const found = kinds.map(({ found }) => found).join('; ')
    const wanted = kinds.filter(({ works }) => !works).map(({ advice }) => advice)
    // One is enough, unless another was asked for.
    const isMissed = (isNamed(target) && !kinds[1]?.works) || cluster?.works === false
    const isEnough = kinds.some(({ works }) => works) && !isMissed
    if (isEnough) return ok(found)
    return warning(found, `${wanted.join('; or ')}; without either agents have no computers`)
  }
})

async function bubblewrap(): Promise<Looked> {
  const advice = 'install bubblewrap on Linux, and run as root or where users may make namespaces'
  const given = ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', 'true']
  try {
    await promisify(execFile)('bwrap', given, { timeout: 10_000 })
    return { works: true, found: 'bubblewrap works', advice }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'is not installed' : `does not work: ${message.split('\n').at(1) ?? message}`
    return { works: false, found: `bubblewrap ${reason}`, advice }
  }
}

/** The variable, or else what the file of the deployment says. */
function settingOf({ settings, deployment }: Target, variable: string, name: string): string | undefined {
  const filed = deployment instanceof Error ? undefined : deployment.packs.computers?.settings?.[name]
  return settings.environment[variable] || (typeof filed === 'string' ? filed : undefined)
}
const isNamed = (target: Target) =>
  settingOf(target, 'DOCKER_HOST', 'dockerHost') !== undefined ||
  settingOf(target, 'COMPUTERS_DOCKER_IMAGE', 'dockerImage') !== undefined

/** Undefined where no cluster is named. */
async function kubernetes(target: Target): Promise<Looked | undefined> {
  const where = settingOf(target, 'COMPUTERS_KUBERNETES', 'kubernetes')
  if (!where) return undefined
  const advice =
    'set COMPUTERS_KUBERNETES to a kubeconfig whose cluster answers, or to in-cluster, and apply deploy/kubernetes-computers'
  return { ...(await kubernetesAnswers(where)), advice }
}

/** Whether the daemon answers and has the image; whether a container starts is seen when the first one is wanted. */
async function docker(target: Target): Promise<Looked> {
  const host = settingOf(target, 'DOCKER_HOST', 'dockerHost') ?? HOST
  const image = settingOf(target, 'COMPUTERS_DOCKER_IMAGE', 'dockerImage') ?? IMAGE
  const socketPath = host.replace(/^unix:\/\//, '')
  const start =
    'start Docker or `podman system service` on this machine, and set DOCKER_HOST to its socket, unix:///…'
  const failed = (found: string, advice: string): Looked => ({ works: false, found, advice })
  if (!socketPath.startsWith('/')) return failed('DOCKER_HOST names no socket of this machine', start)
  try {
    await statusOf(socketPath, '/_ping')
    const status = await statusOf(socketPath, `/images/${image}/json`)
    if (status === 200) return { works: true, found: `Docker answers, and has ${image}`, advice: start }
    return failed(
      `Docker answers, and has no image ${image}`,
      `run \`docker pull ${image}\`, or set COMPUTERS_DOCKER_IMAGE to one that is there`
    )
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return failed(`no Docker daemon answers at ${socketPath} (${code ?? message})`, start)
  }
}

function statusOf(socketPath: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }
    const asked = request(options, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject)
    asked.end()
  })
}
