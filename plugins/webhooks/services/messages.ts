import type { Fact } from 'agent-platform'
import { newId } from 'agent-platform'
import type { PublicName } from '../events.ts'
import { PING, publicData } from '../events.ts'
import type { NewDelivery } from '../stores/deliveries.ts'
import type { WebhookRow } from '../stores/webhooks.ts'

/** The same event has the same id with each webhook, each time. */
export function messageOf(
  { project, owner, id: webhookId }: WebhookRow,
  fact: Pick<Fact, 'id' | 'name' | 'owner' | 'actor' | 'at' | 'data'>
): NewDelivery {
  const messageId = `event_${fact.id.slice(fact.id.indexOf('_') + 1)}`
  const data = fact.name === PING ? {} : publicData(fact.name as PublicName, fact.data)
  const message = {
    id: messageId,
    type: fact.name,
    timestamp: fact.at,
    owner: fact.owner,
    actor: fact.actor,
    data
  }
  return {
    project,
    id: newId('delivery'),
    owner,
    webhookId,
    messageId,
    type: fact.name,
    payload: JSON.stringify(message),
    nextAt: new Date().toISOString()
  }
}
