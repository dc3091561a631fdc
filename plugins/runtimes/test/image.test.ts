// budget: 12 s, because a runtime is a program in a container
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { dockerDaemon, IMAGE, noDocker } from '../../../test/docker.ts'
import { deployed, of, referenceRuntime, say } from './testbed.ts'

const OTHER = 'localhost/other:latest'

t.test('an image is one that its provider takes', async (t) => {
  const { as } = await boot(t, 'runtimes', {
    env: { COMPUTERS_DOCKER_IMAGE: IMAGE, COMPUTERS_DOCKER_IMAGES: OTHER }
  })
  const ada = as('ada')
  const { id } = await ada.agent()
  const wrong: [object, RegExp][] = [
    [{ image: IMAGE }, /must be null.*\/provider that takes images \(docker, kubernetes\)/],
    [{ provider: 'bubblewrap', image: IMAGE }, /must be null.*\/command.*docker/],
    [{ provider: 'docker', image: 'postgres' }, /one of localhost\/computer:latest, localhost\/other:latest/]
  ]
  for (const [body, message] of wrong)
    t.match(
      await ada.put(of(id), { command: ['true'], ...body }),
      { status: 400, body: { error: { code: 'image_not_offered', param: '/image', message } } },
      JSON.stringify(body)
    )
  const { body } = await ada.put(of(id), { command: ['true'], provider: 'docker', image: OTHER })
  t.match(body.data, { provider: 'docker', image: OTHER, version: 1 })
  t.match(await ada.put(of(id), { provider: null }), { status: 400, body: { error: { param: '/image' } } })
  t.match((await ada.put(of(id), { provider: null, image: null })).body.data, { provider: null, image: null })
})

t.test(
  'a runtime of an image answers runs, from a container of that image',
  { skip: await noDocker() },
  async (t) => {
    const daemon = await dockerDaemon(t)
    await daemon.podman('tag', IMAGE, OTHER)
    const env = { DOCKER_HOST: daemon.host, COMPUTERS_DOCKER_IMAGE: IMAGE, COMPUTERS_DOCKER_IMAGES: OTHER }
    const ada = (await boot(t, 'runtimes', 'models', { env })).as('ada')
    const agent = await ada.agent()
    const computer = `/v1/agents/${agent.id}/computer`
    await ada.put(`${computer}/config`, { enabled: true, provider: 'docker', memoryMb: 512 })
    const files = [{ path: 'runtime.mjs', content: await referenceRuntime() }]
    t.match(await ada.post(`${computer}/files/write`, { files }), { status: 200 })
    const images = () => daemon.podman('ps', '--format', '{{.Image}}')
    t.equal(await images(), IMAGE)

    const command = ['node', 'runtime.mjs']
    const configured = await ada.put(of(agent.id), { command, provider: 'docker', image: OTHER })
    t.match(configured, { status: 200, body: { data: { image: OTHER } } })
    t.match(await deployed(ada, agent.id), { status: { observed: 'awake' } })
    t.equal(await images(), OTHER, 'its computer has become one of that image')
    t.match(await say(ada, agent.id, 'hello'), { status: 200, body: { data: { status: 'completed' } } })
    t.match((await ada.get(computer)).body.data, { provider: 'docker', image: OTHER, state: 'awake' })
  }
)
