import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { createDescendants } from '../connections/descendants.ts'
import { program } from './stdio-fixture.ts'
import { connect, direct, register, stage } from './testbed.ts'

interface Ran {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly pid: number
}

/** Whether a process runs; a zombie does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
async function goes(pid: number): Promise<void> {
  while (runs(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

t.test('where there is no control group, descendants are told by their parents', async (t) => {
  const { procs, note, kill } = await createDescendants('none/such', 'NONE=such')
  t.equal(procs, '')
  const idle = 'setInterval(() => {}, 1000)'
  const script = `console.log(require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(idle)}],
    { stdio: 'ignore', detached: true, env: {} }).pid); ${idle}`
  const parent = spawn(process.execPath, ['-e', script])
  const left = once(parent, 'exit')
  const [line] = await once(parent.stdout, 'data')
  const child = Number(line)
  await kill()
  t.ok(runs(child), 'nothing tells whose it is')
  await note(parent.pid as number)
  await kill()
  await Promise.all([goes(child), left])
})

t.test('servers by stdio', async (t) => {
  process.env.MCP_TEST_GIVEN = 'given'
  process.env.MCP_TEST_SECRET = 'not given'
  const local = { argv: [process.execPath, program, '{[a-z]+}'], env: ['MCP_TEST_GIVEN'], memoryMb: 720 }
  const booted = await stage(t, {
    env: {
      MCP_COMMANDS: JSON.stringify({ local, nothing: ['/nowhere/at/all'] }),
      MCP_CALL_SECONDS: '20',
      MCP_MESSAGE_BYTES: '262144'
    }
  })
  const ada = booted.as('ada')
  let n = 0
  const by = (mode: string) => ({
    name: `${mode} ${n++}`,
    transport: 'stdio',
    command: 'local',
    args: [mode]
  })
  const made = async (mode: string) => {
    const connected = await connect(ada, by(mode))
    return { ...connected, call: direct(booted, connected.tools) }
  }
  const outputOf = async (it: Promise<{ output: unknown }>) => (await it).output as Ran

  t.test('run in a clean place, and go with all they started', async (t) => {
    const { call, path } = await made('good')
    const { env, cwd, pid } = await outputOf(call('env'))
    // The test runner adds some of its own to whatever is started.
    const names = Object.keys(env).filter((it) => !/^(_TAPJS_|NODE_OPTIONS$|PWD$)/.test(it))
    t.same(names.sort(), ['HOME', 'MCP_TEST_GIVEN', 'PATH', 'TMPDIR'])
    t.match(env, { MCP_TEST_GIVEN: 'given', HOME: cwd, TMPDIR: cwd })
    t.not(cwd, process.cwd())
    t.ok(existsSync(cwd))
    const { pid: child } = await outputOf(call('spawn'))
    t.ok(runs(child))
    const { pid: detached } = await outputOf(call('detach'))
    t.ok(runs(detached))
    const { pid: bare } = await outputOf(call('bare'))
    t.ok(runs(bare))
    t.match(await ada.post(`${path}/disconnect`), { status: 200 })
    await Promise.all([goes(pid), goes(child), goes(detached), goes(bare)])
    while (existsSync(cwd)) await new Promise((resolve) => setTimeout(resolve, 20))
    t.notOk(runs(pid) || runs(child))
  })

  t.test('in a control group, where one may be made, cannot leave anything behind', async (t) => {
    const { call, path } = await made('good')
    const { pid } = await outputOf(call('env'))
    const group = /^0::(.+)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? ''
    if (!group.includes('agent-platform-mcp-')) return t.comment('none may be made here')
    const { pid: daemon } = await outputOf(call('daemon'))
    t.ok(runs(daemon))
    await ada.post(`${path}/disconnect`)
    await Promise.all([goes(pid), goes(daemon)])
    const mount = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/self/mounts', 'utf8'))?.[1]
    while (existsSync(`${mount}${group}`)) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  t.test('that do not want to go are ended', async (t) => {
    const { call, path } = await made('stubborn')
    const { pid } = await outputOf(call('env'))
    t.ok(runs(pid))
    await ada.delete(path)
    await goes(pid)
    t.notOk(runs(pid))
  })

  t.test('that leave when they are asked for the newer protocol are asked for the older one', async (t) => {
    const { path } = await made('strict')
    t.match((await ada.get(`${path}/status`)).body.data, {
      status: 'connected',
      protocolVersion: '2025-06-18',
      server: { name: 'strict' }
    })
  })

  t.test('may say what is no message', async (t) => {
    const { call } = await made('chatty')
    t.match(await call('env'), { output: { env: Object } })
  })

  t.test('that cannot be started are told', async (t) => {
    for (const fields of [by('dead'), { name: 'nothing', transport: 'stdio', command: 'nothing' }]) {
      const { id } = await register(ada, fields)
      t.match(await ada.post(`/v1/mcp/servers/${id}/connect`), { status: 502 })
      t.match((await ada.get(`/v1/mcp/servers/${id}`)).body.data, {
        status: 'error',
        statusReason: /closed|running/
      })
    }
  })

  t.test('that are bad cost their own calls', async (t) => {
    for (const bad of ['exit', 'line', 'lines', 'memory']) {
      const { call } = await made('good')
      const { pid } = await outputOf(call('env'))
      const failed = await call(bad).then(
        (it) => JSON.stringify(it),
        (error) => error.kind
      )
      t.equal(failed, 'upstream', bad)
      await goes(pid)
      t.match(await call('env'), { output: { env: Object } }, 'the next call starts it again')
    }
  })

  t.test('end with the platform', async (t) => {
    const { call } = await made('good')
    const { pid } = await outputOf(call('env'))
    await booted.close()
    t.notOk(runs(pid))
  })
})
