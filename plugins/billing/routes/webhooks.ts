import type { App, Kernel } from 'agent-platform'
import { Data } from 'agent-platform'
import { Type } from 'typebox'
import type { Intake } from '../services/intake.ts'

interface Deps extends Pick<Kernel, 'limits'> {
  intake: Intake
}

/** Refused ones of an address a minute; those that are signed are not counted, since many may come at once. */
const REFUSED = 60

export function webhookRoutes(app: App, { intake, limits }: Deps) {
  const schema = {
    tags: ['billing'],
    summary: 'Take a webhook of a payment provider',
    description:
      'The signature of the provider stands for a credential. An event that came before changes nothing.',
    params: Type.Object({ providerKey: Type.String({ examples: ['stripe'] }) }),
    response: { 200: Data(Type.Object({ received: Type.Literal(true) }, { title: 'WebhookReceipt' })) }
  }
  app.post(
    '/billing/webhooks/:providerKey',
    {
      schema,
      config: { by: 'public', limit: 'none', body: 'raw', bodyLimit: 524_288, repeats: 'own' }
    },
    async ({ params, headers, body, ip }) => {
      try {
        await intake.accept(params.providerKey, (body as Buffer | undefined) ?? Buffer.alloc(0), headers)
      } catch (error) {
        if ((error as { code?: string }).code === 'signature_invalid')
          await limits.count('billing.webhook', ip, REFUSED)
        throw error
      }
      return { data: { received: true as const } }
    }
  )
}
