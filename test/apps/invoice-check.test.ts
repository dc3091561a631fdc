// budget: 5 s, because an app runs in a process of its own
import t from 'tap'
import { run } from '../../plugins/runs/test/testbed.ts'
import { executed, stepOf } from '../../plugins/workflows/test/testbed.ts'
import { stage } from './examples.ts'

const { booted, publish, agentWith, ada } = await stage(t, ['app-functions', 'runs', 'workflows'])
const invoice = {
  iban: 'DE89 3704 0044 0532 0130 00',
  lines: [{ description: 'Paper', quantity: 3, unitPrice: 4.35, taxRate: 19 }],
  totals: { net: 13.05, tax: 2.48, gross: 15.54 }
}
const problems = [{ at: 'totals.gross', message: '15.54, and should be 15.53' }]

t.test('an agent checks an invoice, and so does a step of a workflow', async (t) => {
  const app = await publish(ada, 'invoice-check')
  t.same(
    app.consent.map(({ kind }) => kind),
    ['tool'],
    'all that is agreed to: it reaches nothing and keeps nothing'
  )
  t.match(await app.call('check', invoice), { status: 200, body: { data: { ok: false, problems } } })

  const agent = await agentWith(ada, 'invoice-check__check')
  const asked = `/call invoice-check__check ${JSON.stringify(invoice)}`
  const { content, status } = (await run(ada, agent, asked)).body.data
  t.equal(status, 'completed')
  t.match(JSON.parse(content), { ok: false, problems, totals: { gross: 15.53 } })
  const { body } = await ada.get(`/v1/tools/calls?agentId=${agent.id}`)
  t.match(body.data, [{ toolName: 'invoice-check__check', status: 'succeeded' }])

  const config = { app: 'invoice-check', function: 'check', input: '{{ input }}' }
  const execution = await executed({ booted, ada }, [{ id: 'check', type: 'app', config }], {
    input: invoice
  })
  t.match(execution, { status: 'completed' })
  t.match(stepOf(execution, 'check')?.output, { ok: false, problems })
})

t.test('what is no invoice is refused before the app is asked', async (t) => {
  const { id: agentId } = await agentWith(ada, 'invoice-check__check')
  const call = { agentId, toolName: 'invoice-check__check', args: { lines: [] } }
  t.match(await ada.post('/v1/agents/tools', call), { status: 400, body: { error: { message: /lines/ } } })
})
