import { transform } from '../../plugins/workflows/testbed.ts'

/** Steps of every kind that can be cut, for an agent with the tools `order`, which is idempotent, and `pay`. */
export const stepsOf = (agentId: string): readonly object[] => {
  const call = (id: string, tool: string, what: string, fields: object = {}) => ({
    id,
    type: 'tool',
    config: { agentId, tool, args: { what } },
    ...fields
  })
  return [
    transform('first', '{{ input.n }}'),
    {
      id: 'ask',
      type: 'agent',
      dependsOn: ['first'],
      config: { agentId, prompt: '/wait 3\n/repeat 3 word' }
    },
    call('order', 'order', 'book {{ input.n }}', { dependsOn: ['first'] }),
    call('pay', 'pay', 'book {{ input.n }}', { dependsOn: ['order'], onError: { step: 'unsure' } }),
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
        steps: [call('page', 'order', 'page {{ item }} of {{ input.n }}')],
        output: '{{ steps.page.output.done }}'
      }
    },
    { id: 'pause', type: 'wait', dependsOn: ['pages'], config: { seconds: 0.2 } },
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
        '{{ input.n * 2 }}'
      ],
      { dependsOn: ['ok', 'ask', 'order', 'pages'] }
    )
  ]
}
