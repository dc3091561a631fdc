import { parentPort } from 'node:worker_threads'

/** What a worker of tests is asked: it does as it is told. */
export interface Order {
  readonly wait?: number
  readonly spin?: true
  readonly exit?: true
  /** Megabytes outside of V8's heap. */
  readonly take?: number
  readonly say?: unknown
  /** Reads a file, starts a process, writes a file: what happened. */
  readonly read?: string
  readonly run?: string
  readonly write?: string
  /** A port of 127.0.0.1: whether it can be reached. */
  readonly connect?: number
}

let count = 0
const held: Buffer[] = []

async function obey(order: Order): Promise<unknown> {
  const own = ++count
  if (order.wait !== undefined) await new Promise((resolve) => setTimeout(resolve, order.wait))
  while (order.spin);
  if (order.exit) process.exit(3)
  for (let taken = 0; taken < (order.take ?? 0); taken += 8) held.push(Buffer.alloc(8_388_608, 1))
  const { readFileSync, writeFileSync } = await import('node:fs')
  const { execFileSync } = await import('node:child_process')
  if (order.connect !== undefined) return reach(order.connect)
  try {
    if (order.read) return readFileSync(order.read, 'utf8').length
    if (order.run) return execFileSync(order.run).length
    if (order.write) return writeFileSync(order.write, 'it')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
  return { said: order.say, count: own, variables: Object.keys(process.env), pid: process.pid }
}

async function reach(port: number): Promise<string> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('reached'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
  })
}

if (parentPort) parentPort.on('message', async (order) => parentPort?.postMessage(await obey(order)))
else {
  process.on('message', async (order) => process.send?.(await obey(order as Order)))
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
