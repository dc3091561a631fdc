import type { Kernel, Principal } from 'agent-platform'
import { forbidden, invalid, unavailable, upstreamFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Tools } from '../../tools/contract.ts'
import type { ProjectService } from '../projects/service.ts'
import type { FileStore } from '../projects/store.ts'
import type { CodeProjectSettings } from '../settings.ts'
import { commitOf, packOf } from './objects.ts'
import { CredentialRefused, headOf, push as pushTo } from './protocol.ts'
import type { NewPush, Push } from './schemas.ts'

export type PushService = ReturnType<typeof createPushService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'platform'> {
  settings: CodeProjectSettings
  agents: Agents
  outgoing: Outgoing
  tools: Tools | undefined
  projectService: ProjectService
  fileStore: FileStore
}
interface Credential {
  readonly value: string
  renew?(): Promise<string | undefined>
}

/** What hosts want as the name beside a token. */
const usernames: Readonly<Record<string, string>> = {
  'gitlab.com': 'oauth2',
  'bitbucket.org': 'x-token-auth'
}
const USERNAME = 'x-access-token'

/** Pushes projects to hosts of code. The credential is opened for that alone, and never comes near a computer. */
export function createPushService(deps: Deps) {
  const { transaction, facts, platform, settings, agents, outgoing, tools, projectService, fileStore } = deps
  const hosts = settings.gitHosts.split(',').flatMap((it) => it.trim().toLowerCase() || [])

  /** 400 for an address that no credential may be sent to. */
  function addressOf(repository: string): URL {
    const param = '/repository'
    const url = outgoing.check(repository, param)
    if (url.username !== '' || url.password !== '') throw invalid(param, `${param} must hold no credential`)
    const isKnown =
      url.protocol === 'https:'
        ? hosts.includes(url.host) || hosts.includes('*')
        : hosts.includes(`http://${url.host}`)
    if (!isKnown)
      throw forbidden(`Projects may not be pushed to ${url.protocol}//${url.host} here`, {
        code: 'host_not_allowed',
        param
      })
    return url
  }

  async function credentialOf(
    by: Principal,
    owner: string,
    to: URL,
    { connectionId, keyId }: NewPush
  ): Promise<Credential> {
    if ((connectionId === undefined) === (keyId === undefined))
      throw invalid('/connectionId', 'Either /connectionId or /keyId is to be given')
    if (!tools)
      throw unavailable('The pack `tools` is off, which keeps credentials', {
        code: 'capability_missing',
        cause: null
      })
    const whose = { project: by.project, owner }
    if (keyId !== undefined) return { value: await tools.openKey({ ...by, ...whose }, keyId, to, '/keyId') }
    const opened = await tools.openConnection(whose, {
      id: connectionId as string,
      to,
      scopes: [],
      param: '/connectionId'
    })
    return { value: opened.value, renew: () => opened.renew() }
  }

  async function push(by: Principal, agentId: string, projectId: string, asked: NewPush): Promise<Push> {
    const of = await projectService.find(by, agentId, projectId, 'change')
    const url = addressOf(asked.repository)
    const credential = await credentialOf(by, of.owner, url, asked)
    const branch = asked.branch ?? 'main'
    const { files, version } = await fileStore.listWithContent(of)
    const agent = await agents.owned(by, agentId, 'read')
    const username = asked.username ?? usernames[url.hostname] ?? USERNAME

    async function attempt(token: string): Promise<Push> {
      const basic = Buffer.from(`${username}:${token.replace(/^(?:Bearer|token) /i, '')}`).toString('base64')
      const remote = { outgoing, url, authorization: `Basic ${basic}` }
      const parent = await headOf(remote, branch)
      const { id: commit, objects } = commitOf(files, {
        parent,
        author: agent.name,
        email: `${agentId}@${new URL(platform.baseUrl).hostname}`,
        message: asked.message ?? `${of.name}, version ${version}`,
        at: new Date()
      })
      await pushTo(remote, { branch, from: parent, to: commit, pack: await packOf(objects) })
      return { repository: asked.repository, branch, commit, parent: parent ?? null, files: files.length }
    }

    const pushed = await attempt(credential.value).catch(async (error) => {
      if (!(error instanceof CredentialRefused)) throw error
      const renewed = await credential.renew?.()
      if (renewed === undefined) throw refused()
      return attempt(renewed).catch((again) => {
        throw again instanceof CredentialRefused ? refused() : again
      })
    })
    const { files: _, parent: _p, ...told } = pushed
    await transaction((trx) =>
      facts.record(trx, 'code-projects.pushed', by, {
        subject: of.id,
        owner: of.owner,
        data: { id: of.id, agentId, ...told }
      })
    )
    return pushed
  }

  return { push }
}

const refused = () => upstreamFailed('The host did not take the credential', { code: 'credential_refused' })
