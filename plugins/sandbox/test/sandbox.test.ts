import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Sandbox, SandboxCall, SandboxProgram } from '../contract.ts'
import { outcome, sandbox } from './testbed.ts'

const shared = sandbox(t)

t.test('a function gets its input and gives its result', async (t) => {
  const { go } = await shared
  const answer = await go('return { input, about: context.about }', {
    input: { a: [1] },
    about: { by: 'ada' }
  })
  t.match(answer, { data: { input: { a: [1] }, about: { by: 'ada' } } })
  t.match(answer.usage, { hostCalls: 0, sizeIn: 9, sizeOut: JSON.stringify(outcome(answer)).length })
  t.ok(answer.usage.wallMs > 0)
  t.equal(outcome(await go('return undefined')), null)
  t.match(await go('throw Object.assign(new TypeError("No such city"), { code: "city" })'), {
    error: { code: 'app_error', message: 'No such city', detail: { name: 'TypeError', code: 'city' } }
  })
  t.match(await go('', { fn: 'toString' }), { error: { code: 'not_a_function' } })
})

t.test('the start of a program is no part of what its calls may take', async (t) => {
  const text = 'export const functions = { go: (input) => (input === null ? 1 : new Promise(() => 0)) }'
  const call = (id: string, input: unknown, load: () => Promise<string>, limits = {}) => ({
    program: { id, group: 'default', culprit: id, load, limits },
    by: { project: 'default', owner: 'ada' },
    fn: 'go',
    input,
    host: async () => ({ data: null })
  })
  const { pool } = await shared
  const slow = async () => {
    await delay(1_100)
    return text
  }
  const limits = { wallMs: 1_000 }
  t.match((await pool.ask(call('slow', null, slow, limits))).answer, { data: 1 })
  const late = (await pool.ask(call('slow', 'late', slow, limits))).answer
  t.equal(outcome(late), 'time_exceeded: The call took more than 1000 ms')

  const { pool: hasty } = await sandbox(t, { wallMilliseconds: 300 })
  const { answer } = await hasty.ask(call('never', null, () => new Promise(() => undefined)))
  t.equal(
    outcome(answer),
    'time_exceeded: The call took more than 300 ms',
    'but of what the platform waits for'
  )
})

t.test('it asks its host, and sees what that answers', async (t) => {
  const { go } = await shared
  const asked: unknown[] = []
  const host: SandboxCall['host'] = async (method, params) => {
    asked.push([method, params])
    if (method === 'agents.remove') return { error: { code: 'not_granted', message: 'It may not' } }
    if (method === 'broken') throw new Error('/secret/path')
    return { data: { method } }
  }
  const body = `
    const seen = [await context.platform.agents.read({ id: 1 }), await context.storage.get('k')]
    for (const method of ['agents.remove', 'broken'])
      await context.call(method).catch(({ code, message }) => seen.push([code, message]))
    return seen`
  const answer = await go(body, { host })
  t.same(outcome(answer), [
    { method: 'agents.read' },
    { method: 'storage.get' },
    ['not_granted', 'It may not'],
    ['host_failed', 'The platform could not answer']
  ])
  t.same(asked, [
    ['agents.read', { id: 1 }],
    ['storage.get', 'k'],
    ['agents.remove', null],
    ['broken', null]
  ])
  t.equal(answer.usage.hostCalls, 4)
})

t.test('what its host refused is told as that, where the function lets it through', async (t) => {
  const { go } = await shared
  const long = `It may not ${'🙂'.repeat(1_000)}`
  const host: SandboxCall['host'] = async (method) =>
    method === 'well' ? { data: 1 } : { error: { code: method, message: long } }
  const detailOf = async (body: string) => {
    const answer = await go(body, { host })
    return 'error' in answer
      ? [answer.error.code, answer.error.detail?.code, answer.error.detail?.isOfHost]
      : answer
  }
  t.same(await detailOf('await context.platform.denied()'), ['app_error', 'denied', true])
  t.same(await detailOf('await context.call("broken")'), ['app_error', 'broken', true])
  const forged = 'Object.assign(new Error(error.message), { code: "denied" })'
  t.same(await detailOf(`const error = new Error("It may not"); throw ${forged}`), [
    'app_error',
    'denied',
    false
  ])
  const other = `try { await context.call('other') } catch (error) { throw ${forged} }`
  t.same(
    await detailOf(other),
    ['app_error', 'denied', false],
    'not a code that was answered with those words'
  )
  const words = "try { await context.call('denied') } catch (error) { error.message = 'Pay'; throw error }"
  t.same(await detailOf(words), ['app_error', 'denied', false], 'nor words of its own under that code')
  const kept = `globalThis.kept ??= await context.call('denied').catch((error) => error); throw kept`
  const [first, later] = [await detailOf(kept), await detailOf(kept)]
  t.same(
    [first, later].map((it) => (it as unknown[])[2]),
    [true, false],
    'nor what another call was answered'
  )
  const many = `const first = await context.call('e0').catch((error) => error)
    for (let n = 1; n < 40; n++) await context.call('e' + n).catch(() => {})
    throw first`
  t.same(await detailOf(many), ['app_error', 'e0', false], 'no more than the last are remembered')
})

t.test('each of several calls at a time acts for its own caller', async (t) => {
  const { go } = await shared
  const body = `
    const who = await context.call('who')
    await new Promise((resolve) => setTimeout(resolve, input % 3))
    return [input, who, await context.call('who')]`
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => go(body, { input: n, host: async () => ({ data: `caller ${n}` }) }))
  )
  t.same(
    answers.map(outcome),
    answers.map((_, n) => [n, `caller ${n}`, `caller ${n}`])
  )
})

t.test('a caller that leaves ends its call; the program hears of it, and its context is dead', async (t) => {
  const { go } = await shared
  const leaving = new AbortController()
  const asked = Promise.withResolvers<AbortSignal>()
  const answer = go('await context.call("wait"); return 1', {
    signal: leaving.signal,
    host(_method, _params, signal) {
      asked.resolve(signal)
      return new Promise(() => undefined)
    }
  })
  const signal = await asked.promise
  leaving.abort()
  t.match(await answer, { error: { code: 'aborted' } })
  t.equal(signal.aborted, true)
  const late = `
    if (input) { globalThis.kept = context; return 1 }
    return globalThis.kept.call('x').catch(({ code }) => code)`
  t.equal(outcome(await go(late, { input: true })), 1)
  t.equal(outcome(await go(late, { input: false })), 'call_ended')
})

t.test('a text that is no program is told so', async (t) => {
  const { go } = await shared
  for (const [text, message] of [
    ['export const functions = {', /Unexpected/],
    ['export const other = {}', /exports no functions/],
    ['import fs from "node:fs"; export const functions = {}', /imports nothing/],
    ['export const functions = (() => { throw new Error("at the start") })()', /at the start/]
  ] as const) {
    const answer = await go(text)
    t.match(answer, { error: { code: 'invalid_program', message } })
    t.notMatch(JSON.stringify(answer), /node_modules|plugins|file:/)
  }
})

const program = (text: string): SandboxProgram => ({
  id: text,
  group: 'default',
  culprit: 'default/app',
  load: async () => text
})

t.test('calls go on while packs are reloaded, in the same processes', async (t) => {
  const { admin, platform } = await boot(t, 'packs', 'sandbox')
  const service = () => platform.server.current().packs.get('sandbox')?.deps.sandboxService as Sandbox
  const by = { project: 'default', owner: 'ada' }
  const app = program('export default { functions: { async go(n, { call }) { return call("x", n) } } }')
  t.same(await service().examine(app, by), { functions: ['go'] })
  const pids = service()
    .readings()
    .processes.map(({ pid }) => pid)

  const gate = Promise.withResolvers<void>()
  const host: SandboxCall['host'] = async (_method, params) => {
    await gate.promise
    return { data: params }
  }
  const calls = Array.from({ length: 100 }, (_, n) =>
    service().call({ program: app, by, fn: 'go', input: n, host })
  )
  const reloading = admin.post('/v1/packs/sandbox/reload')
  gate.resolve()
  t.match(await reloading, { status: 200 })
  const more = Array.from({ length: 100 }, (_, n) =>
    service().call({ program: app, by, fn: 'go', input: n, host })
  )
  for (const answers of [await Promise.all(calls), await Promise.all(more)])
    t.same(
      answers.map(outcome),
      answers.map((_, n) => n)
    )
  t.same(
    service()
      .readings()
      .processes.map(({ pid }) => pid),
    pids
  )
})
