// budget: 15 s, because hostile builds run in a real computer
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { building } from './testbed.ts'

const skip = await noComputers()
const { as, anyone, settled } = await boot(t, 'code-projects', 'computers', {
  env: { CODE_PROJECTS_BUILD_SECONDS: '20' }
})
const ada = as('ada')
const { make, ended, enable } = building(ada)
const { id: agentId } = await ada.agent()
const of = (rest = '', agent = agentId) => `/v1/agents/${agent}/projects${rest}`

t.test('a hostile build costs its own computer only', { skip }, async (t) => {
  const { id: agent } = await ada.agent()
  await enable(agent, { memoryMb: 256, storageMb: 32 })
  const fine = await make(agentId, { files: [{ path: 'index.html', content: 'fine' }] })
  const { previewUrl } = (await ada.post(of(`/${fine.id}/publish`))).body.data
  const hostile = async (buildCommand: string) => {
    const { id } = await make(agent, { files: [], buildCommand, outputFolder: 'dist' })
    const build = (await ada.post(of(`/${id}/publish`, agent), { wait: 0 })).body.data
    t.equal((await anyone.get(new URL(previewUrl).pathname)).text, 'fine', 'meanwhile previews are served')
    return ended(build)
  }
  t.match(
    await hostile(
      'mkdir dist; while :; do head -c 1000000 /dev/zero >> dist/$RANDOM.$(date +%N) || exit 7; done'
    ),
    {
      status: 'failed',
      reason: /storage_exceeded|build_failed|computer_lost/
    }
  )
  t.match(await hostile('f() { f | f & }; f; sleep 1; exit 1'), { status: 'failed' })
  await ada.post(`/v1/agents/${agent}/computer/restart`)
  t.match(await hostile('mkdir dist; cd dist; i=0; while [ $i -lt 6000 ]; do : > $i; i=$((i+1)); done'), {
    status: 'failed',
    reason: 'too_many_files'
  })
  t.match(await hostile('yes | head -c 3000000'), { status: 'failed', log: /^.{200000}/s })
  t.match(await hostile('env; cat /proc/1/environ | tr "\\0" "\\n"; exit 1'), {
    log: /^(?!.*(?:PLATFORM_SECRET|DATABASE_URL|PGPASSWORD))/s
  })
  await ada.delete(`/v1/agents/${agent}`)
  await settled()
})
