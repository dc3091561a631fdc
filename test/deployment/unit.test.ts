// tier: whole
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { canEnter, serviceAccount } from '../../kernel/database/embedded/folder.ts'
import { root } from '../../kernel/deployment.ts'
import { createClient } from '../client.ts'
import { folderFor } from '../embedded.ts'
import { readCompose } from './compose.ts'
import { serve } from './container.ts'
import { account, volume } from './image.ts'
import { readUnit, unitPath } from './unit.ts'

const secretKey = Buffer.alloc(32, 7).toString('base64')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const start: readonly string[] = scripts.start.replace(/^exec /, '').split(' ')

const noAnalysis = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'needs systemd-analyze'

t.test('the systemd unit', async (t) => {
  const { Service = {}, Install = {} } = readUnit()
  const [exec = ''] = Service.ExecStart ?? []
  const installed = '/opt/agent-platform'
  t.same(
    exec.split(' '),
    [`${installed}/node_modules/node/bin/node`, ...start.slice(1)],
    'what npm start does'
  )
  t.same(Service.WorkingDirectory, [installed])
  t.match(Service, {
    EnvironmentFile: ['/etc/agent-platform/environment'],
    StateDirectory: ['agent-platform'],
    User: ['agent-platform'],
    Restart: ['always'],
    KillMode: ['mixed'],
    KillSignal: ['SIGTERM'],
    NoNewPrivileges: ['yes'],
    ProtectSystem: ['strict']
  })
  t.same(`${Service.TimeoutStopSec}s`, readCompose().services['platform-1']?.stop_grace_period)
  t.same(Install.WantedBy, ['multi-user.target'])
  t.notOk(Service.MemoryDenyWriteExecute, 'V8 could not compile')

  await t.test('as systemd sees it', { skip: noAnalysis }, async (t) => {
    const here = join(folderFor(t), 'agent-platform.service')
    writeFileSync(here, readFileSync(unitPath, 'utf8').replaceAll(installed, root))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', here], { encoding: 'utf8' })
    t.same([verified.status, verified.stderr], [0, ''])
    const exposed = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', here])
    t.equal(exposed.status, 0, 'exposed to little')
    writeFileSync(here, readFileSync(here, 'utf8').replace('KillMode=', 'KilMode='))
    const wrong = spawnSync('systemd-analyze', ['verify', '--man=no', here], { encoding: 'utf8' })
    t.match(wrong.stderr, /Unknown key.* 'KilMode'/, 'it would tell')
  })

  const shut =
    account !== undefined && !canEnter(serviceAccount(), root) && 'another user cannot read this checkout'
  await t.test('its command, with the embedded PostgreSQL', { skip: shut }, async (t) => {
    const DATA_DIR = join(await volume(t), 'agent-platform')
    if (!account) mkdirSync(DATA_DIR, { recursive: true })
    const command = exec.replace(installed, root).split(' ')
    const given = (Service.Environment ?? []).flatMap((line) =>
      line.split(' ').map((pair) => pair.split('='))
    )
    const env = { ...Object.fromEntries(given), DATA_DIR, PLATFORM_SECRET_KEY: secretKey, PORT: '0' }
    const it = await serve(t, { command, cwd: root, env })
    await it.ready
    t.match(await createClient(it.url, 'anyone').get('/health/ready'), { status: 200 })
    t.same(await it.stop(), [0, null])
    t.notOk(existsSync(join(DATA_DIR, 'postgres/postmaster.pid')), 'it stopped its PostgreSQL')
    t.notOk(it.output().includes(secretKey))
  })
})
