// Runs an agent, and prints what it says while it says it.
//   npm run -s example examples/first-run.ts [agent id] [question]
import { agentId, platform } from './platform.ts'

const question = process.argv[3] ?? 'What can you help me with?'

const stream = platform.runs.stream({ agentId, messages: [{ role: 'user', content: question }] })
for await (const event of stream) {
  if (event.type === 'token' && event.phase === 'final_answer') process.stdout.write(event.content)
  if (event.type === 'final') console.log(`\n(${event.usage.outputTokens} tokens, ${event.runId})`)
  if (event.type === 'error') throw new Error(event.message)
}
