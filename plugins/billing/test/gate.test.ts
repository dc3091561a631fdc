import t from 'tap'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { shop, subscribe } from './testbed.ts'

/** Another pack, as its author writes it. */
const studio = packText(
  'studio',
  `uses: ['billing'],
  contributes: { 'billing.meter': [{ make: () => ({ entitlement: 'agents', used: async ({ owner }) => owner.length }) }] },
  routes(app, { billing }) {
    const schema = { tags: ['studio'], summary: 'Speak' }
    const gate = { ...(billing && { preHandler: billing.gate('voice') }), config: { failures: ['paymentRequired'] } }
    app.post('/studio/voice', { schema, ...gate }, async () => ({ data: { isHeard: true } }))
    app.get('/studio/limits', { schema: { tags: ['studio'], summary: 'Limits' } }, async ({ principal }) => ({
      data: {
        agents: await billing.limit(principal, 'agents'),
        voice: await billing.limit(principal, 'voice'),
        nothing: await billing.limit(principal, 'nothing'),
        has: await billing.has(principal, 'voice')
      }
    }))
  }`
)

t.test('routes of another pack ask for what a plan includes', async (t) => {
  const folder = await writeFiles(await temporaryFolder(t), { 'studio/pack.ts': studio })
  const here = await shop(t, { folders: [folder] }, 'studio')
  const { root, as, person } = here
  const other = await shop(t, { folders: [folder], beside: here.booted }, 'studio')
  const ada = person()
  const refused = { status: 402, body: { error: { type: 'payment_required', code: 'plan_required' } } }
  t.match(await ada.post('/v1/studio/voice'), refused)
  t.match(await here.anyone.post('/v1/studio/voice'), { status: 401 })
  const limits = async () => (await ada.get('/v1/studio/limits')).body.data
  t.same(await limits(), { agents: 3, voice: 0, nothing: 0, has: false })
  const authorization = `Bearer ${await ada.key()}`
  const elsewhere = () => other.anyone.post('/v1/studio/voice', undefined, { authorization })
  t.match(await elsewhere(), refused)

  const { invoiceId } = await subscribe(ada, 'pro')
  t.match(await root.post(`/v1/billing/invoices/${invoiceId}/pay`), { status: 200 })
  t.match(await ada.post('/v1/studio/voice'), { status: 200, body: { data: { isHeard: true } } })
  t.same(await limits(), { agents: 10, voice: null, nothing: 0, has: true })
  for (let tries = 0; (await elsewhere()).status !== 200; tries++)
    if (tries > 20) t.fail('the other instance has not heard of it')
  const agent = as((await ada.agent()).id, { type: 'agent', owner: ada.id })
  t.match(await agent.post('/v1/studio/voice'), { status: 200 }, 'its agents have it as well')
  const crm = as('crm', { type: 'service' })
  t.match(await crm.post('/v1/studio/voice'), refused)
  t.match(await crm.post('/v1/studio/voice', undefined, { 'x-initiator': ada.id }), { status: 200 })
  const { data } = (await ada.get('/v1/billing/entitlements')).body
  t.match(data.entitlements, [
    { name: 'agents', isIncluded: true, limit: 10, used: ada.id.length },
    { name: 'voice', isIncluded: true, limit: null, used: null }
  ])
  await ada.post('/v1/billing/subscription/cancel', { atPeriodEnd: false })
  t.match(await ada.post('/v1/studio/voice'), refused)
})
