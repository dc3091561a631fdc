import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { dearTools } from '../../../plugins/mcp/test/dear-schemas-fixture.ts'
import { flood, floods } from '../../../plugins/mcp/test/floods-fixture.ts'
import { roughServer, stream } from '../../../plugins/mcp/test/rubbish-fixture.ts'
import { answer } from './answers.ts'

// Servers of strangers that mean harm: of models, of tools that flood, and of tools that nobody can compile.

const scope = { teardown() {} }
let address: object

answer({
  async start() {
    const models = new Worker(new URL('../../../plugins/models/test/hostile-fixture.ts', import.meta.url))
    const [modelUrl] = (await once(models, 'message')) as [string]
    const ways = Object.values(floods)
    let calls = 0
    const flooding = await roughServer(scope, {
      'tools/call': (reply) => flood(stream(reply), ways[calls++ % ways.length] as object)
    })
    const dear = await roughServer(scope, { 'tools/list': dearTools })
    address = { modelUrl, floodUrl: flooding.url, dearUrl: dear.url }
  },
  address: () => address
})
