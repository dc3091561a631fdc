import type { Test } from 'tap'
import type { Answer } from './rubbish-fixture.ts'
import { result, roughServer, tool } from './rubbish-fixture.ts'
import { connect, direct, register, stage } from './testbed.ts'
import { echo, toolServer } from './tool-server-fixture.ts'

/** What it failed with. */
export const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (it) => JSON.stringify(it),
    (error) => String(error.kind)
  )

/** A platform of short limits with a good server, which bad ones must not harm. */
export async function rubbishStage(t: Test) {
  const booted = await stage(t, {
    env: { MCP_CONNECT_SECONDS: '3', MCP_CALL_SECONDS: '3', MCP_MESSAGE_BYTES: '262144' }
  })
  const ada = booted.as('ada')
  const good = await connect(ada, { url: (await toolServer(t, 'legacy', echo)).url })
  const well = direct(booted, good.tools)
  return {
    booted,
    ada,
    well,
    unharmed: async (t: Test) =>
      t.match(
        await well('echo', { message: 'hi' }),
        { output: 'Echo: hi' },
        'a good one is as well as before'
      ),
    async tried(t: Test, answers: Parameters<typeof roughServer>[1], more?: object) {
      const { url } = await roughServer(t, answers, more)
      const { id } = await register(ada, { url })
      const path = `/v1/mcp/servers/${id}`
      return { path, reply: await ada.post(`${path}/connect`) }
    },
    async called(t: Test, answer: Answer, more = {}) {
      const list: Record<string, Answer> = {
        'tools/list': (reply, message) => result(reply, message, { tools: [tool('go', more)] })
      }
      const { url } = await roughServer(t, { ...list, 'tools/call': answer })
      const { tools } = await connect(ada, { url })
      return direct(booted, tools)('go')
    }
  }
}
