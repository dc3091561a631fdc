import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The program. */
export const program = import.meta.filename

/** A tool server by stdio that does what its first argument says; by hand, so that it may be as bad as it likes. */
function serve() {
  const [, , mode = 'good'] = process.argv
  const write = (message: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } })

  if (mode === 'stubborn') {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
    setInterval(() => {}, 1_000)
  }
  if (mode === 'dead') process.exit(3)
  if (mode === 'chatty') console.log('Welcome to the server!')

  const calls: Record<string, (args: object) => object | undefined | void> = {
    hi: () => ({ text: 'hi' }),
    flood: (message) => {
      const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
      const chunk = line.repeat(Math.ceil(65_536 / line.length))
      for (let size = 0; size < 14_000_000; size += chunk.length) process.stdout.write(chunk)
    },
    env: () => ({ env: process.env, cwd: process.cwd(), pid: process.pid }),
    spawn: () => ({
      pid: spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).pid
    }),
    // In a session of its own, and so in no group of ours.
    detach: () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        stdio: 'ignore',
        detached: true
      })
      child.unref()
      return { pid: child.pid }
    },
    // With nothing of the environment that it was given.
    bare: () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        stdio: 'ignore',
        detached: true,
        env: {}
      })
      child.unref()
      return { pid: child.pid }
    },
    // The same, and its parent is gone.
    daemon: () => {
      const script = `setsid sh -c 'sleep 600 > /dev/null 2>&1 & echo $!'`
      const { PATH } = process.env
      const { stdout } = spawnSync('/bin/sh', ['-c', script], { env: { PATH }, encoding: 'utf8' })
      return { pid: Number(stdout) }
    },
    memory: () => {
      const all: Buffer[] = []
      for (;;) all.push(Buffer.alloc(10_000_000, 1))
    },
    line: () => {
      const more = () => {
        while (process.stdout.write('x'.repeat(65_536)));
        process.stdout.once('drain', more)
      }
      more()
    },
    lines: () => {
      const more = () => {
        while (process.stdout.write('rubbish\n'.repeat(8_192)));
        process.stdout.once('drain', more)
      }
      more()
    },
    exit: () => process.exit(1)
  }

  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    // As servers of some libraries do with whatever comes before `initialize`.
    if (method === 'server/discover' && mode === 'strict') process.exit(1)
    if (method === 'initialize')
      return write({
        id,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: mode, version: '1' }
        }
      })
    if (method === 'tools/list') return write({ id, result: { tools: Object.keys(calls).map(tool) } })
    if (method === 'tools/call') {
      const structuredContent = calls[params.name]?.(params.arguments)
      if (structuredContent) write({ id, result: { content: [], structuredContent } })
      return
    }
    write({ id, error: { code: -32601, message: 'no such method' } })
  })
}

if (process.argv[1] === program) serve()
