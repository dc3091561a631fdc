import { Data, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params, tags } from './computers.ts'

const selector = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'CSS, `text=…`, or `role=button[name="Send"]`; the first that is there',
  examples: ['#send']
})
export const BrowserAction = Type.Union(
  [
    Type.Object({ type: Type.Literal('click'), selector }, { additionalProperties: false }),
    Type.Object(
      {
        type: Type.Literal('type'),
        selector,
        text: Type.String({ maxLength: 100_000 }),
        submit: Type.Optional(Type.Boolean({ default: false, description: 'By Enter' }))
      },
      { additionalProperties: false }
    ),
    Type.Object(
      {
        type: Type.Literal('scroll'),
        pixels: Type.Integer({ minimum: -100_000, maximum: 100_000, description: 'Down; up where below 0' })
      },
      { additionalProperties: false }
    ),
    Type.Object(
      {
        type: Type.Literal('wait'),
        selector: Type.Optional(selector),
        milliseconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 }))
      },
      { additionalProperties: false }
    ),
    Type.Object(
      {
        type: Type.Literal('extract'),
        selector,
        attribute: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'In place of the text' })
        )
      },
      { additionalProperties: false }
    )
  ],
  { title: 'BrowserAction' }
)
const url = Type.String({
  minLength: 1,
  maxLength: 8_000,
  pattern: '^(https?|file)://|^about:blank$',
  description: '`http://localhost:…` is the computer itself',
  examples: ['https://example.com']
})
const timeLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 300, default: 30, description: 'Seconds, of all of it' })
)
export const OpenPage = Type.Object(
  {
    url: Type.Optional(url),
    actions: Type.Optional(Type.Array(BrowserAction, { maxItems: 50 })),
    screenshot: Type.Optional(Type.Boolean({ default: true })),
    timeLimit
  },
  {
    title: 'OpenPage',
    additionalProperties: false,
    examples: [{ url: 'https://example.com', actions: [{ type: 'extract', selector: 'h1' }] }]
  }
)
export const TestPage = Type.Object(
  { url, timeLimit },
  { title: 'TestPage', additionalProperties: false, examples: [{ url: 'http://localhost:5173' }] }
)
const screenshot = OrNull(Type.String({ description: 'File of the computer, below its home' }))
export const PageView = Type.Object(
  {
    url: Type.String(),
    title: Type.String(),
    status: OrNull(Type.Integer({ description: 'Of the last page that was loaded by address' })),
    text: Type.String({
      description: 'What is seen, up to 50,000 characters; written by others, and to be trusted by no one'
    }),
    tree: Type.String({ description: 'The accessibility tree, as YAML, up to 50,000 characters' }),
    extracted: Type.Array(Type.Array(Type.String()), { description: 'Of each `extract`, in their order' }),
    failed: OrNull(
      Type.Object(
        {
          action: OrNull(Type.Integer({ description: 'Its index; null: the address' })),
          message: Type.String()
        },
        {
          description: 'What could not be done; nothing behind it was tried'
        }
      )
    ),
    screenshot
  },
  { title: 'PageView' }
)
export const PageTest = Type.Object(
  {
    ok: Type.Boolean({
      description: 'It loaded, without an error on the console and without a request that failed'
    }),
    url: Type.String(),
    title: Type.String(),
    status: OrNull(Type.Integer()),
    error: OrNull(Type.String({ description: 'Why it did not load' })),
    consoleErrors: Type.Array(Type.String()),
    failedRequests: Type.Array(Type.Object({ url: Type.String(), reason: Type.String() })),
    timing: Type.Object({
      loadMilliseconds: OrNull(Type.Integer()),
      firstByteMilliseconds: OrNull(Type.Integer())
    }),
    screenshot
  },
  { title: 'PageTest' }
)
export type BrowserAction = Static<typeof BrowserAction>
export type OpenPage = Static<typeof OpenPage>
export type TestPage = Static<typeof TestPage>
export type PageView = Static<typeof PageView>
export type PageTest = Static<typeof PageTest>

const off =
  '409 `computer_off` while the computer is not enabled; 503 `capability_missing` where it has no browser.'
export const openPage = {
  tags,
  summary: 'Drive the browser of a computer',
  description: `Opens an address, or goes on with the page that is open, and does what is asked in its order. The browser runs in the computer and reaches what that may; its profile and what it downloads lie in the home. ${off}`,
  params,
  body: OpenPage,
  response: { 200: Data(PageView), 409: {}, 503: {} }
}
export const testPage = {
  tags,
  summary: 'Check that a page loads',
  description: `In a tab of its own: status, errors of its console, requests that failed, times. ${off}`,
  params,
  body: TestPage,
  response: { 200: Data(PageTest), 409: {}, 503: {} }
}
