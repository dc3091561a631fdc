import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Where a pod finds who it is. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'
const PLUGIN_MS = 30_000
/** Tokens in files are exchanged from time to time. */
const FILE_MS = 60_000
/** Before a token is over. */
const EARLY_MS = 60_000

/** An API server, and who asks it. */
export interface Cluster {
  readonly url: URL
  readonly tls: {
    readonly ca?: string | undefined
    readonly cert?: string | undefined
    readonly key?: string | undefined
    readonly servername?: string | undefined
    readonly rejectUnauthorized?: boolean | undefined
  }
  /** Undefined where a certificate tells, or nothing does. */
  token(): Promise<string | undefined>
}

interface ClusterEntry {
  readonly server?: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'proxy-url'?: string
}
interface UserEntry {
  readonly token?: string
  readonly tokenFile?: string
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly exec?: Plugin
  readonly [other: string]: unknown
}
interface Plugin {
  readonly apiVersion?: string
  readonly command: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
}
interface KubeConfig {
  readonly 'current-context'?: string
  readonly contexts?: readonly { name: string; context: { cluster?: string; user?: string } }[]
  readonly clusters?: readonly { name: string; cluster: ClusterEntry }[]
  readonly users?: readonly { name: string; user: UserEntry }[]
}

/** `in-cluster`, or the path of a kubeconfig, of which the current context is taken. Rejects with what is wrong. */
export const readCluster = (where: string): Promise<Cluster> =>
  where === 'in-cluster' ? inCluster() : fromFile(where)

async function inCluster(): Promise<Cluster> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
  if (!host || !existsSync(`${ACCOUNT}/token`))
    throw new Error('the platform is in no pod that has the token of a service account')
  return {
    url: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: { ca: await readFile(`${ACCOUNT}/ca.crt`, 'utf8') },
    token: ofFile(`${ACCOUNT}/token`)
  }
}

async function fromFile(path: string): Promise<Cluster> {
  const { parse } = await import('yaml')
  let config: KubeConfig | null
  try {
    config = parse(await readFile(path, 'utf8')) as KubeConfig | null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // No more of it: there are secrets in it.
    throw new Error(`the kubeconfig ${path} cannot be read (${code ?? 'no YAML'})`)
  }
  const { context } = config?.contexts?.find(({ name }) => name === config['current-context']) ?? {}
  const { cluster } = config?.clusters?.find(({ name }) => name === context?.cluster) ?? {}
  const { user = {} } = config?.users?.find(({ name }) => name === context?.user) ?? {}
  const url = URL.parse(cluster?.server ?? '')
  if (!cluster || !url || !/^https?:$/.test(url.protocol))
    throw new Error(`the kubeconfig ${path} has no current context with the address of a cluster`)
  if (cluster['proxy-url']) throw new Error(`the kubeconfig ${path} asks for a proxy, which is not supported`)
  for (const name of ['username', 'auth-provider'])
    if (user[name] !== undefined)
      throw new Error(`the kubeconfig ${path} has a user by ${name}, which Kubernetes knows no longer`)
  const textOf = async (data: string | undefined, file: string | undefined) =>
    data !== undefined
      ? Buffer.from(data, 'base64').toString()
      : file && readFile(resolve(dirname(path), file), 'utf8')
  return {
    url,
    tls: {
      ca: await textOf(cluster['certificate-authority-data'], cluster['certificate-authority']),
      cert: await textOf(user['client-certificate-data'], user['client-certificate']),
      key: await textOf(user['client-key-data'], user['client-key']),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: !cluster['insecure-skip-tls-verify']
    },
    token: user.exec
      ? ofPlugin(user.exec, dirname(path))
      : user.tokenFile
        ? ofFile(resolve(dirname(path), user.tokenFile))
        : async () => user.token
  }
}

/** Asked again when its time is over. */
function kept(ask: () => Promise<{ token: string | undefined; until: number }>) {
  let known: Promise<{ token: string | undefined; until: number }> | undefined
  return async () => {
    if (known && (await known.catch(() => ({ until: 0 }))).until <= Date.now()) known = undefined
    known ??= ask()
    return (await known).token
  }
}

const ofFile = (path: string) =>
  kept(async () => ({ token: (await readFile(path, 'utf8')).trim(), until: Date.now() + FILE_MS }))

/** A program of the cloud's that knows a token, as `client.authentication.k8s.io` has it. */
const ofPlugin = ({ command, args, env, apiVersion = '' }: Plugin, folder: string) =>
  kept(async () => {
    const given = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]))
    const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
    const options = {
      timeout: PLUGIN_MS,
      maxBuffer: 1_048_576,
      env: { ...process.env, ...given, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
    }
    const program = command.includes('/') ? resolve(folder, command) : command
    try {
      const { stdout } = await promisify(execFile)(program, [...(args ?? [])], options)
      const { token, expirationTimestamp } = JSON.parse(stdout).status
      if (typeof token !== 'string') throw new Error('no token')
      const ends = Date.parse(expirationTimestamp ?? '')
      return { token, until: Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends - EARLY_MS }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Error(`${command} of the kubeconfig tells no token (${code ?? 'what it says is none'})`)
    }
  })
