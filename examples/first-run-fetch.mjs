// Runs an agent, and prints what it says while it says it: with fetch alone, on Node 20 or newer.
//   node examples/first-run-fetch.mjs [agent id] [question]
import { readFile } from 'node:fs/promises'

const url = process.env.PLATFORM_URL ?? 'http://127.0.0.1:3000'
const key = process.env.PLATFORM_API_KEY ?? (await developmentKey())
const agentId = process.argv[2] ?? (await idOf('welcome'))
const question = process.argv[3] ?? 'What can you help me with?'

const response = await call('/v1/agents/run/stream', {
  agentId,
  messages: [{ role: 'user', content: question }]
})

// Each event is a line `data: <JSON>` and an empty line after it; a piece may end anywhere in between.
let text = ''
for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
  const frames = (text + piece).split('\n\n')
  text = frames.pop()
  for (const frame of frames) show(JSON.parse(frame.slice('data: '.length)))
}

function show(event) {
  if (event.type === 'token' && event.phase === 'final_answer') process.stdout.write(event.content)
  if (event.type === 'final') console.log(`\n(${event.usage.outputTokens} tokens, ${event.runId})`)
  if (event.type === 'error') throw new Error(event.message)
}

async function call(path, body) {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) })
  })
  if (response.ok) return response
  const { error } = await response.json()
  throw new Error(`${response.status} ${error.type}: ${error.message}`)
}

/** `npm start` writes it into the folder of the platform's data. */
async function developmentKey() {
  const file = `${process.env.DATA_DIR ?? '.data'}/development-key`
  return (await readFile(file, 'utf8')).trim()
}

/** A list comes in pages; the last one has no cursor. */
async function idOf(name) {
  for (let cursor = ''; cursor !== null; ) {
    const { data, nextCursor } = await (await call(`/v1/agents?limit=100${cursor}`)).json()
    const found = data.find((agent) => agent.name === name)
    if (found) return found.id
    cursor = nextCursor && `&cursor=${encodeURIComponent(nextCursor)}`
  }
  throw new Error(`There is no agent ${name}: give the id of another one`)
}
