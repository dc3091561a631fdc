import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ToolboxSettings = Type.Object({
  fetchBytes: Type.Integer({
    env: 'HTTP_FETCH_BYTES',
    minimum: 1_024,
    maximum: 52_428_800,
    default: 2_097_152,
    description: 'Bytes of a page that `http_fetch` reads, decoded; what comes after them is left out'
  }),
  fetchSeconds: Type.Integer({
    env: 'HTTP_FETCH_SECONDS',
    minimum: 1,
    maximum: 600,
    default: 30,
    description: 'Seconds that `http_fetch` may take'
  }),
  delegateDepth: Type.Integer({
    env: 'DELEGATE_DEPTH',
    minimum: 0,
    maximum: 20,
    default: 3,
    description: 'How deep agents may hand on what was handed to them; 0: nothing is delegated'
  }),
  delegateSeconds: Type.Integer({
    env: 'DELEGATE_SECONDS',
    minimum: 1,
    maximum: 86_400,
    default: 600,
    description: 'Seconds that a peer has for a task, at most those that a tool may take'
  })
})
export type ToolboxSettings = Static<typeof ToolboxSettings>
