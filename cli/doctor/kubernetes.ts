import { existsSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'

const PATIENCE_MS = 5_000
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

interface KubeConfig {
  readonly 'current-context'?: string
  readonly contexts?: readonly { name: string; context?: { cluster?: string } }[]
  readonly clusters?: readonly { name: string; cluster?: Readonly<Record<string, string | undefined>> }[]
}

/** Whether the API server that the setting leads to answers; what the platform may there is told when a computer wakes. */
export async function kubernetesAnswers(where: string): Promise<{ works: boolean; found: string }> {
  try {
    const { url, ca } = where === 'in-cluster' ? ofPod() : ofFile(where)
    await answer(url, ca)
    return { works: true, found: `the Kubernetes API answers at ${url.host}` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { works: false, found: `no Kubernetes API answers by COMPUTERS_KUBERNETES (${code ?? message})` }
  }
}

function ofPod() {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  if (!host || !existsSync(`${ACCOUNT}/token`)) throw new Error('in no pod with a service account')
  const name = host.includes(':') ? `[${host}]` : host
  return { url: new URL(`https://${name}:${port}`), ca: readFileSync(`${ACCOUNT}/ca.crt`, 'utf8') }
}

function ofFile(path: string) {
  const text = readFileSync(path, 'utf8')
  let config: KubeConfig | null
  try {
    config = parse(text) as KubeConfig | null
  } catch {
    // No more of it: there are secrets in it.
    throw new Error('the file is no YAML')
  }
  const { context } = config?.contexts?.find(({ name }) => name === config['current-context']) ?? {}
  const { cluster } = config?.clusters?.find(({ name }) => name === context?.cluster) ?? {}
  const url = URL.parse(cluster?.server ?? '')
  if (!cluster || !url) throw new Error('the file has no current context')
  const data = cluster['certificate-authority-data']
  const file = cluster['certificate-authority']
  const read = file === undefined ? undefined : readFileSync(resolve(dirname(path), file), 'utf8')
  return { url, ca: data === undefined ? read : Buffer.from(data, 'base64').toString() }
}

/** Any status is an answer: nobody says who asks. */
function answer(url: URL, ca: string | undefined): Promise<void> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((done, reject) => {
    const options = { agent: false, signal: AbortSignal.timeout(PATIENCE_MS), ...(ca && { ca }) }
    const asked = send(new URL('/readyz', url), options, (reply) => {
      reply.resume()
      done()
    })
    asked.on('error', reject)
    asked.end()
  })
}
