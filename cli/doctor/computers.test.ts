// budget: 6 s, because a daemon of containers is started
import t from 'tap'
import { noComputers } from '../../test/computers.ts'
import { dockerDaemon, IMAGE, noDocker } from '../../test/docker.ts'
import { startCluster } from '../../test/kubernetes/cluster.ts'
import { look, targetOf } from './target-fixture.ts'

const bubblewrap = (await noComputers()) ? /bubblewrap (is not|does not)/ : /bubblewrap works/

t.test('a daemon that nobody named is not missed, one that was named is', async (t) => {
  t.match(await look(targetOf(t), 'computers'), { found: bubblewrap })
  const away = await look(targetOf(t, { DOCKER_HOST: 'unix:///nowhere/docker.sock' }), 'computers')
  t.match(away, {
    status: 'warning',
    found: /bubblewrap.*; no Docker daemon answers at \/nowhere\/docker.sock \(ENOENT\)/,
    advice: /podman system service.*DOCKER_HOST/
  })
  const remote = await look(targetOf(t, { DOCKER_HOST: 'tcp://hush@example.com:2376' }), 'computers')
  t.match(remote, { status: 'warning', found: /DOCKER_HOST names no socket of this machine/ })
  t.notMatch(JSON.stringify(remote), /hush/)
})

t.test('of one that answers it is told whether the image is there', { skip: await noDocker() }, async (t) => {
  const { host } = await dockerDaemon(t)
  const of = (image: string) =>
    look(targetOf(t, { DOCKER_HOST: host, COMPUTERS_DOCKER_IMAGE: image }), 'computers')
  t.match(await of(IMAGE), { status: 'ok', found: `Docker answers, and has ${IMAGE}` })
  t.match(await of('localhost/absent:1'), {
    status: 'warning',
    found: /has no image localhost\/absent:1/,
    advice: /docker pull localhost\/absent:1/
  })
})

t.test('of a cluster that was named it is told whether it answers', async (t) => {
  const { env, door } = await startCluster(t)
  t.match(await look(targetOf(t, env), 'computers'), { found: /the Kubernetes API answers at 127\.0\.0\.1/ })
  door.cut()
  const away = { status: 'warning', advice: /in-cluster, and apply deploy\/kubernetes-computers/ }
  t.match(await look(targetOf(t, env), 'computers'), {
    ...away,
    found: /no Kubernetes API answers.*ECONNRESET/
  })
  const nowhere = targetOf(t, { COMPUTERS_KUBERNETES: '/nowhere/kubeconfig' })
  t.match(await look(nowhere, 'computers'), { ...away, found: /COMPUTERS_KUBERNETES \(ENOENT\)/ })
})
