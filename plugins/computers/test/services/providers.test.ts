import type { Kernel } from 'agent-platform'
import t from 'tap'
import { temporaryFolder } from '../../../../test/pack-folders.ts'
import type { Provider } from '../../provider/provider.ts'
import { createProviders } from '../../services/providers.ts'

t.test('a list of providers looks at each once a minute, whoever asks', async (t) => {
  let looks = 0
  const provider = (name: string, look: Provider['look']) => ({ value: { name, look } as Provider })
  const given = [
    provider('counted', async () => {
      looks++
      return { usable: true, warnings: [] }
    }),
    provider('broken', async () => {
      throw new Error('It fell over')
    })
  ]
  const settings = {
    silenceSeconds: 30,
    dockerHost: 'unix:///nowhere.sock',
    dockerImage: 'node:24',
    dockerImages: '',
    kubernetes: '',
    kubernetesImage: 'node:24',
    kubernetesImages: ''
  }
  const providers = createProviders({
    platform: { dataDir: await temporaryFolder(t) } as Kernel['platform'],
    points: { all: () => given } as unknown as Kernel['points'],
    settings: settings as never,
    computerStore: {} as never
  })
  const lists = await Promise.all([providers.list(), providers.list()])
  lists.push(await providers.list())
  t.equal(looks, 1)
  for (const list of lists) {
    t.same(
      list.map(({ provider }) => provider),
      ['bubblewrap', 'docker', 'kubernetes', 'counted', 'broken']
    )
    const found = Object.fromEntries(list.map((it) => [it.provider, it.configured]))
    t.match(found, { docker: false, kubernetes: false, counted: true, broken: false })
  }
})
