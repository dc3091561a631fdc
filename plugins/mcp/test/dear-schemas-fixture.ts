import type { Answer } from './rubbish-fixture.ts'
import { result, tool } from './rubbish-fixture.ts'

/** Takes about a second to compile, and is as long as a definition may be. */
function dear(of: number) {
  const leaf = { type: 'object', properties: { [`p${of}`]: { type: 'string', pattern: '^(a+)+$' } } }
  let schema: object = leaf
  for (let depth = 0; depth < 7; depth++) schema = { oneOf: [schema, schema] }
  const inputSchema = { type: 'object', properties: { deep: schema } }
  return { ...inputSchema, title: 'x'.repeat(61_000 - JSON.stringify(inputSchema).length) }
}

/** 512 tools that have such schemas, in pages. */
export const dearTools: Answer = (reply, message) => {
  const from = Number(message.params?.cursor ?? 0)
  const tools = Array.from({ length: 8 }, (_, i) => tool(`t${from + i}`, { inputSchema: dear(from + i) }))
  const next = from + 8
  return result(reply, message, { tools, ...(next < 512 && { nextCursor: String(next) }) })
}
