import type { Kernel, Principal } from 'agent-platform'
import { examineTemplate, invalid, newId, notFound } from 'agent-platform'
import type { NewWebhook, Webhook } from '../schemas/webhooks.ts'
import { workflows } from '../schemas/workflows.ts'
import type { WebhookRow, WebhookStore } from '../stores/webhooks.ts'
import { makeSecret } from '../webhooks/signatures.ts'
import { makeToken } from '../webhooks/tokens.ts'
import type { WorkflowService } from './workflows.ts'

export type WebhookService = ReturnType<typeof createWebhookService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'vault'> {
  workflowService: WorkflowService
  webhookStore: WebhookStore
}

const MAX_MAPPING = 65_536
const SEEN = ['body', 'headers', 'query', 'method']

const shown = (workflowId: string, row: WebhookRow | undefined): Webhook => ({
  workflowId,
  enabled: row !== undefined,
  prefix: row?.prefix ?? null,
  signed: row !== undefined && row.sealed !== null,
  mapping: row?.mapping ?? null,
  event: (row?.event ?? null) as Webhook['event'],
  createdAt: row?.createdAt ?? null,
  mintedAt: row?.mintedAt ?? null
})

/** The webhook of a workflow: one, with one token at a time. */
export function createWebhookService({ transaction, facts, vault, workflowService, webhookStore }: Deps) {
  const secrets = vault.at('workflows.webhook')

  async function checkTemplate(by: Principal, name: string, template: unknown): Promise<void> {
    const wrong = (at: string, text: string) => invalid(`/${name}${at}`, `/${name}${at}: ${text}`)
    if ((JSON.stringify(template) ?? '').length > MAX_MAPPING)
      throw wrong('', `must not be longer than ${MAX_MAPPING} characters`)
    const { faults, references } = await examineTemplate(by, template)
    const [fault] = faults
    if (fault) throw wrong(fault.at, fault.text)
    for (const { at, path } of references)
      if (path[0] !== undefined && !SEEN.includes(path[0]))
        throw wrong(at, `${path[0]} is not known; there are ${SEEN.join(', ')}`)
  }

  async function read(by: Principal, workflowId: string): Promise<Webhook> {
    // A public workflow is for all to read, its webhook is not.
    const { project } = await workflowService.owned(by, workflowId, 'run')
    return shown(workflowId, await webhookStore.findOf(project, workflowId))
  }

  async function mint(by: Principal, workflowId: string, { secret: isSigned, mapping, event }: NewWebhook) {
    const { project, owner } = await workflowService.owned(by, workflowId, 'change')
    for (const [name, template] of Object.entries({ mapping, event }))
      if (template !== undefined && template !== null) await checkTemplate(by, name, template)
    const fresh = newId('webhook')
    const secret = isSigned ? makeSecret() : null
    // Under a new id, and before the transaction: the vault may have to read a key.
    const sealedAnew = secret === null ? null : await secrets.seal(project, fresh, secret)
    return transaction(async (trx) => {
      await workflows.lock(trx, { project, id: workflowId })
      const before = await webhookStore.findOf(project, workflowId, trx)
      const id = secret === null ? (before?.id ?? fresh) : fresh
      const { token, prefix, hash } = makeToken(id)
      const sealed = isSigned === undefined ? (before?.sealed ?? null) : sealedAnew
      const given = {
        mapping: mapping === undefined ? (before?.mapping ?? null) : mapping,
        event: event === undefined ? (before?.event ?? null) : event
      }
      const row = { project, id, owner, workflowId, hash, prefix, sealed, ...given }
      const made = await webhookStore.replace(trx, row)
      const fact = { subject: workflowId, owner, data: { id: workflowId } }
      await facts.record(trx, 'workflows.webhook_minted', by, fact)
      return { ...shown(workflowId, made), token, secret }
    })
  }

  async function disable(by: Principal, workflowId: string) {
    const { project, owner } = await workflowService.owned(by, workflowId, 'change')
    return transaction(async (trx) => {
      if (!(await webhookStore.remove(trx, project, workflowId))) throw notFound('Webhook')
      const fact = { subject: workflowId, owner, data: { id: workflowId } }
      await facts.record(trx, 'workflows.webhook_disabled', by, fact)
      return { id: workflowId, deleted: true as const }
    })
  }

  const openSecret = ({ project, id }: WebhookRow, sealed: string) => secrets.open(project, id, sealed)

  return { read, mint, disable, openSecret }
}
