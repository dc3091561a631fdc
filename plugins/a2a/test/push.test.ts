import type { Task } from '@a2a-js/sdk'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import {
  call,
  listener,
  local,
  message,
  order,
  published,
  saying,
  scripted,
  sdkClient,
  stage,
  text
} from './testbed.ts'

const { booted, ada, eve } = await stage(t, { env: { OUTGOING_ALLOW: '127.0.0.1' } })
const { knex } = booted.platform

const told = (received: readonly unknown[], most: number) =>
  until(
    async () => received.length,
    (length) => length >= most
  )

t.test('a client is told of its task, with its token and in its version', async (t) => {
  const agent = await published(ada, local)
  const { url, received } = await listener(t)
  const pushNotificationConfig = {
    url,
    token: 'tok-123',
    authentication: { schemes: ['Bearer'], credentials: 'cred-456' }
  }
  const { result } = await call(ada, agent, 'message/send', saying('Hello', {}, { pushNotificationConfig }))
  await told(received, 1)
  t.match(received[0], {
    headers: {
      'content-type': 'application/json',
      'x-a2a-notification-token': 'tok-123',
      authorization: 'Bearer cred-456'
    },
    body: {
      kind: 'task',
      id: result.id,
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'You said: Hello' }] }]
    }
  })
  const [row] = await knex('a2a.push_config').where({ taskId: result.id })
  t.notMatch(JSON.stringify(row), /tok-123|cred-456/, 'sealed at rest')
  const asked = await call(ada, agent, 'tasks/pushNotificationConfig/get', { id: result.id })
  t.match(asked.result, { taskId: result.id, pushNotificationConfig: { id: result.id, url } })
  t.notMatch(asked.text, /tok-123|cred-456/)

  const old = await listener(t)
  await call(ada, agent, 'tasks/send', {
    id: 'mine',
    message: { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    pushNotification: { url: old.url }
  })
  await told(old.received, 1)
  t.match(old.received[0]?.body, { id: 'mine', status: { state: 'completed' } })
})

t.test('what cannot be delivered is delivered later', async (t) => {
  const agent = await published(ada, local)
  const { url, received } = await listener(t, (nth) => (nth === 1 ? 503 : 200))
  const taskPushNotificationConfig = { url }
  const params = {
    message: { messageId: 'retry', role: 'ROLE_USER', parts: [{ text: 'Hi' }] },
    configuration: { taskPushNotificationConfig }
  }
  const { result } = await call(ada, agent, 'SendMessage', params)
  await told(received, 2)
  t.match(received[1], {
    headers: { 'content-type': 'application/a2a+json' },
    body: { task: { id: result.task.id, status: { state: 'TASK_STATE_COMPLETED' } } }
  })
})

t.test('a client that is gone is told no more', async (t) => {
  const agent = await published(ada, local)
  const { url } = await listener(t, () => 410)
  const { result } = await call(
    ada,
    agent,
    'message/send',
    saying('Hi', {}, { pushNotificationConfig: { url } })
  )
  const left = await until(
    () => knex('a2a.push_config').where({ taskId: result.id }),
    (rows) => rows.length === 0
  )
  t.same(left, [])
})

t.test('configurations are set, read, listed and deleted, by clients old and new', async (t) => {
  const agent = await published(ada, scripted('endless=1&delay=20'))
  const { url } = await listener(t)
  for (const version of ['1.0', '0.3']) {
    const client = await sdkClient(booted, ada, agent, version)
    const sent = {
      ...order(message([text('Go')])),
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: undefined,
        returnImmediately: true
      }
    }
    const { id: taskId } = (await client.sendMessage(sent)) as Task
    const config = { tenant: '', taskId, id: 'first', url, token: 'x', authentication: undefined }
    t.match(await client.createTaskPushNotificationConfig(config), { taskId, id: 'first', url }, version)
    await client.createTaskPushNotificationConfig({ ...config, id: 'second' })
    t.match(await client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'second' }), {
      id: 'second'
    })
    const { configs } = await client.listTaskPushNotificationConfig({
      tenant: '',
      taskId,
      pageSize: 0,
      pageToken: ''
    })
    t.same(
      configs.map(({ id }) => id),
      ['first', 'second']
    )
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: 'first' })
    await t.rejects(
      client.getTaskPushNotificationConfig({ tenant: '', taskId, id: 'first' }),
      /no such configuration/
    )
    for (let n = 0; n < 9; n++) await client.createTaskPushNotificationConfig({ ...config, id: `more-${n}` })
    await t.rejects(client.createTaskPushNotificationConfig({ ...config, id: 'eleventh' }), /10 addresses/)
    await client.cancelTask({ tenant: '', id: taskId } as never)
  }
})

t.test('addresses that may not be connected to are refused, and so is what no header may hold', async (t) => {
  const agent = await published(ada, local)
  const { id } = (await call(ada, agent, 'message/send', saying('Hi'))).result
  const set = (config: object) =>
    call(ada, agent, 'tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig: config })
  const url = 'https://example.com/told'
  for (const config of [
    { url: 'http://10.0.0.1/x' },
    { url: 'http://169.254.169.254/latest' },
    { url: 'http://[::1]/x' },
    { url: 'file:///etc/passwd' },
    { url: 'nowhere' },
    { url: 5 },
    {},
    { url: `https://example.com/${'x'.repeat(2_000)}` },
    { url, token: 'a\r\nx: y' },
    { url, token: 'x'.repeat(5_000) },
    { url, authentication: { schemes: ['Be arer'], credentials: 'x' } },
    { url, id: 'x'.repeat(300) }
  ])
    t.match((await set(config)).error, { code: -32602 }, JSON.stringify(config).slice(0, 70))
  const hers = await published(eve, local)
  t.match(
    (
      await call(eve, hers, 'tasks/pushNotificationConfig/set', {
        taskId: id,
        pushNotificationConfig: { url }
      })
    ).error,
    { code: -32001 }
  )
  t.same(await knex('a2a.push_config').where({ taskId: id }), [])
})
