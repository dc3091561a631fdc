// Lends the agent a tool that runs here, in this program: the run waits for its result.
//   npm run -s example examples/caller-tool.ts [agent id]
import { readdir } from 'node:fs/promises'
import type { RunRequest } from 'agent-platform-client'
import { agentId, platform } from './platform.ts'

/** What the model may call, and what is done then. */
const tools: Record<string, () => Promise<unknown>> = {
  list_examples: async () => (await readdir(import.meta.dirname)).sort()
}
const request: RunRequest = {
  agentId,
  // An order of the built-in model. Of another one you would ask: which examples are there?
  messages: [{ role: 'user', content: '/call list_examples {}' }],
  cliTools: [
    {
      name: 'list_examples',
      description: 'Lists the files of the examples',
      parameters: { type: 'object', properties: {} }
    }
  ]
}

for await (const event of platform.runs.stream(request)) {
  if (event.type === 'cli_tool_request') {
    const { runId, callId, toolName, args, deadline } = event
    console.log(`${toolName}(${JSON.stringify(args)}) is asked for, until ${deadline}`)
    const tool = tools[toolName]
    const result = tool ? { output: await tool() } : { output: 'There is no such tool', isError: true }
    await platform.runs.result(runId, callId, result)
  }
  if (event.type === 'final') console.log(event.content)
  if (event.type === 'error') throw new Error(event.message)
}
