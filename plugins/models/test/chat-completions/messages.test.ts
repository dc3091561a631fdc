import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import t from 'tap'
import { sent } from './testbed.ts'

t.test('messages of every role', async (t) => {
  const conversation: LanguageModelV4CallOptions['prompt'] = [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: [{ type: 'text', text: 'What time is it in Oslo and Rome?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Two clocks' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'clock', input: { city: 'Oslo' } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'clock', input: '{"city": ' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'clock', input: undefined }
      ]
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'clock', output: { type: 'text', value: '12:00' } },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'clock',
          output: { type: 'error-json', value: { no: 1 } }
        },
        { type: 'tool-result', toolCallId: 'c', toolName: 'clock', output: { type: 'execution-denied' } },
        {
          type: 'tool-result',
          toolCallId: 'd',
          toolName: 'clock',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'one' },
              { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
              { type: 'text', text: 'two' }
            ]
          }
        },
        { type: 'tool-approval-response', approvalId: 'x', approved: true }
      ]
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'It is ' },
        { type: 'text', text: 'noon' }
      ]
    }
  ]
  const { body, warnings } = await sent(t, { prompt: conversation })
  const fn = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'clock', arguments: args }
  })
  t.same(body?.messages, [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'What time is it in Oslo and Rome?' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Two clocks',
      tool_calls: [fn('a', '{"city":"Oslo"}'), fn('b', '{"city": '), fn('c', '{}')]
    },
    { role: 'tool', tool_call_id: 'a', content: '12:00' },
    { role: 'tool', tool_call_id: 'b', content: '{"no":1}' },
    { role: 'tool', tool_call_id: 'c', content: 'The execution of this tool was denied.' },
    { role: 'tool', tool_call_id: 'd', content: 'one\ntwo' },
    { role: 'assistant', content: 'It is noon' }
  ])
  t.match(warnings, [{ type: 'unsupported', feature: /file/ }])

  const openai = await sent(t, { prompt: conversation }, { openai: true })
  t.notOk(JSON.stringify(openai.body).includes('Two clocks'))
})

t.test('files', async (t) => {
  const png = Buffer.from('iVBORw0KGgo=', 'base64')
  const { body, warnings } = await sent(t, {
    prompt: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', mediaType: 'image', data: { type: 'data', data: new Uint8Array(png) } },
          { type: 'file', mediaType: 'image/webp', data: { type: 'data', data: 'UklGRg==' } },
          {
            type: 'file',
            mediaType: 'image/*',
            data: { type: 'url', url: new URL('https://example.com/a.png') }
          },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'A note' } },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: { type: 'data', data: 'AA==' },
            filename: 'a.pdf'
          },
          { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { other: 'f-1' } } }
        ]
      },
      {
        role: 'assistant',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } }]
      }
    ]
  })
  t.same(body?.messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'image_url', image_url: { url: 'data:image/webp;base64,UklGRg==' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'text', text: 'A note' }
      ]
    },
    { role: 'assistant', content: '' }
  ])
  t.match(warnings, [
    { type: 'unsupported', feature: 'file (application/pdf)', details: 'a.pdf' },
    { type: 'unsupported', feature: 'file (image/png)' },
    { type: 'unsupported', feature: 'file in a message of the assistant' }
  ])
})
