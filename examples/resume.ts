// Leaves a stream in the middle, and goes on behind the last event that was received.
//   npm run -s example examples/resume.ts [agent id]
import { agentId, platform } from './platform.ts'

// Orders of the built-in model: thirty words, 20 ms apart. Any other model takes them for a wish.
const content = '/wait 20\n/repeat 30 tick'

const stream = platform.runs.stream({ agentId, messages: [{ role: 'user', content }] })
let seen = -1
let words = 0
for await (const event of stream) {
  seen = event.seq
  if (event.type === 'token') process.stdout.write(event.content)
  // Leaving the loop closes the connection. The run does not mind.
  if (event.type === 'token' && ++words === 5) break
}

console.log(`\n-- left after event ${seen}; the run goes on without us --`)

for await (const event of platform.runs.follow(stream.runId ?? '', { after: seen })) {
  if (event.seq !== seen + 1) throw new Error('An event is missing, or came twice')
  seen = event.seq
  if (event.type === 'token') process.stdout.write(event.content)
  if (event.type === 'final')
    console.log(`\n-- ended with event ${seen}: ${event.content.split(' ').length} words --`)
}
