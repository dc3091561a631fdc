import { transform } from '../../plugins/workflows/test/testbed.ts'

/** A step that calls a tool of the agent. */
export const call = (agentId: string, id: string, tool: string, what: string, fields: object = {}) => ({
  id,
  type: 'tool',
  config: { agentId, tool, args: { what } },
  ...fields
})

/**
 * Steps of every kind that can be cut, for an agent with the tools `order`, which is idempotent, and `pay`. Two of them wait
 * for events; either takes either.
 */
export const stepsOf = (agentId: string): readonly object[] => [
  transform('first', '{{ input.n }}'),
  {
    id: 'ask',
    type: 'agent',
    dependsOn: ['first'],
    config: { agentId, prompt: '/wait 3\n/repeat 3 word' }
  },
  call(agentId, 'order', 'order', 'book {{ input.n }}', { dependsOn: ['first'] }),
  call(agentId, 'pay', 'pay', 'book {{ input.n }}', { dependsOn: ['order'], onError: { step: 'unsure' } }),
  transform('unsure', '{{ steps.pay.error.code }}'),
  {
    id: 'isEven',
    type: 'condition',
    dependsOn: ['ask'],
    config: { if: '{{ input.n % 2 = 0 }}', then: ['even'], else: ['odd'] }
  },
  transform('even', '{{ input.n * 2 }}'),
  transform('odd', '{{ input.n + input.n }}'),
  {
    id: 'pages',
    type: 'forEach',
    dependsOn: ['order'],
    config: {
      items: [1, 2, 3],
      concurrency: 2,
      steps: [call(agentId, 'page', 'order', 'page {{ item }} of {{ input.n }}')],
      output: '{{ steps.page.output.done }}'
    }
  },
  {
    id: 'parcels',
    type: 'forEach',
    dependsOn: ['order'],
    config: {
      items: [1, 2],
      concurrency: 2,
      steps: [{ id: 'parcel', type: 'wait', config: { event: 'parcel', key: 'book {{ input.n }}' } }],
      output: '{{ steps.parcel.output }}'
    }
  },
  { id: 'pause', type: 'wait', dependsOn: ['pages', 'parcels'], config: { seconds: 0.2 } },
  {
    id: 'ok',
    type: 'approval',
    dependsOn: ['pause', 'isEven'],
    config: {
      message: 'Well?',
      form: { type: 'object', properties: { isFine: { type: 'boolean' } }, required: ['isFine'] }
    }
  },
  transform(
    'last',
    [
      '{{ input.n }}',
      '{{ steps.ask.output }}',
      '{{ steps.order.output.done }}',
      '{{ steps.pages.output }}',
      '{{ input.n * 2 }}',
      '{{ $sort(steps.parcels.output) }}'
    ],
    { dependsOn: ['ok', 'ask', 'order', 'pages', 'parcels'] }
  )
]
