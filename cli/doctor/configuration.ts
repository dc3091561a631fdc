import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from '../../kernel/deployment.ts'
import type { Settings } from '../../kernel/settings.ts'
import { isLoopback } from '../../kernel/settings.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, warning, worst } from './finding.ts'
import type { Target } from './target.ts'

export const configurationChecks = ({ settings, faults, deployment }: Target): readonly Check[] => [
  { name: 'settings', look: () => environment(faults) },
  { name: 'deployment', look: () => file(settings, deployment) },
  { name: 'production', look: () => exposure(settings) }
]

const environment = (faults: readonly string[]): Finding =>
  faults.length === 0
    ? ok('every variable that the platform reads is right')
    : problem(faults.join('; '), 'change these variables: the platform does not start with them')

function file({ DEPLOYMENT }: Settings, deployment: Deployment | Error): Finding {
  const name = `config/${DEPLOYMENT}.json`
  if (deployment instanceof Error)
    return problem(deployment.message, 'correct the file, or set DEPLOYMENT to another one of config/')
  const { folders, packs } = deployment
  const missing = folders.filter((folder) => !existsSync(folder))
  if (missing.length > 0)
    return problem(`${name} names ${missing.join(', ')}, which is not there`, 'correct `folders` in the file')
  const unknown = Object.keys(packs).filter(
    (pack) => !folders.some((folder) => existsSync(join(folder, pack, 'pack.ts')))
  )
  if (unknown.length === 0) return ok(`${name}, ${count(folders.length, 'folder')} of packs`)
  return warning(
    `${name} names ${unknown.join(', ')}, and no folder of packs has one of that name`,
    'correct the name, or take it out: what stands there has no effect'
  )
}

/** What the address and the proxy in front of it have to do with who may call. */
function exposure(settings: Settings): Finding {
  const { production, HOST, BASE_URL, TRUST_PROXY, environment } = settings
  if (!production) {
    if (isLoopback(HOST)) return ok('no: only this machine reaches the platform')
    return warning(
      `no, and HOST ${HOST} can be reached by others`,
      'set NODE_ENV=production: outside of it the API reference is open to everyone'
    )
  }
  const findings: Finding[] = []
  const base = new URL(BASE_URL)
  if (!environment.BASE_URL)
    findings.push(
      warning(
        `BASE_URL is not set and taken for ${BASE_URL}`,
        'set BASE_URL to the public address: signed statements and access tokens name it'
      )
    )
  else if (base.protocol !== 'https:' && !isLoopback(base.hostname))
    findings.push(
      warning('BASE_URL is not https', 'put a proxy with TLS in front: keys go over that address')
    )
  if (TRUST_PROXY === 'true')
    findings.push(
      warning(
        'TRUST_PROXY is true: callers can claim any address',
        'set TRUST_PROXY to the addresses of the proxy, or to how many there are'
      )
    )
  if (TRUST_PROXY === 'false' && isLoopback(HOST))
    findings.push(
      warning(
        'HOST is loopback and TRUST_PROXY false: all callers seem to have the address of the proxy in front',
        'set TRUST_PROXY=1, or limits of wrong credentials hold for all callers together'
      )
    )
  return worst(findings, `yes, at ${BASE_URL}`)
}
