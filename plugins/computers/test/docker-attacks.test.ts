// budget: 15 s, because each attack is made in a real container, and some take memory, disk and processors
// tier: whole
import { createServer } from 'node:net'
import { arch } from 'node:process'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { dockerDaemon, IMAGE, noDocker } from '../../../test/docker.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = await noDocker()
process.env.COMPUTERS_TEST_MARK = 'hush-hush'
t.teardown(() => {
  delete process.env.COMPUTERS_TEST_MARK
})
const daemon = skip
  ? undefined
  : await dockerDaemon(t, ['VOLUME /data', 'ENV NODE_OPTIONS=--require=/nowhere'])
const { as, dataDir, url, connection } = await boot(t, 'computers', {
  env: {
    DOCKER_HOST: daemon?.host ?? 'unix:///nowhere',
    COMPUTERS_DOCKER_IMAGE: IMAGE,
    COMPUTERS_SILENCE_SECONDS: '3'
  }
})
const ada = as('ada')

async function computer(fields = {}) {
  const { id } = await ada.agent()
  const of = (path = '') => `/v1/agents/${id}/computer${path}`
  const size = { memoryMb: 256, storageMb: 32 }
  await ada.put(of('/config'), { enabled: true, provider: 'docker', ...size, allowedHosts: ['*'], ...fields })
  const exec = async (command: string, more = {}) =>
    (await ada.post(of('/exec'), { command, ...more })).body.data
  const out = async (command: string): Promise<string> => {
    const { stdout, stderr } = await exec(`{ ${command}\n} 2>&1`)
    return stdout + stderr
  }
  const state = async () => (await ada.get(of())).body.data
  return { exec, out, state, of }
}
const one = skip ? undefined : await computer()
const out = (command: string): Promise<string> => one?.out(command) ?? Promise.resolve('')

t.test('nothing but the home and temporary files can be written', { skip }, async (t) => {
  const places = '/x /usr/x /etc/x /etc/passwd /opt/computer/guest/x /run/x /dev/x /var/x /sys/x /home/x'
  for (const path of places.split(' ')) t.match(await out(`touch ${path}`), /Read-only|denied/, path)
  t.match(await out('echo x >~/x; echo y >/tmp/y; cat ~/x /tmp/y'), 'x\ny\n')
  t.match(await out('mount -t tmpfs x /tmp; mount --bind /tmp /usr; umount /usr'), /denied|permitted|must be/)
  t.match(await out(`ls ${dataDir} /root /var/lib /boot /var/run/docker.sock`), /^(.*No such file.*\n)+$/)
  t.match(await out('ls -A /run'), /egress\.sock/)
  t.equal(await out(`find / -xdev -name '*docker.sock' -o -xdev -name 'podman.sock' 2>/dev/null`), '')
})

t.test('what an image brings is no way around', { skip }, async (t) => {
  t.equal(
    await out('df /data >/dev/null 2>&1; grep " /data " /proc/mounts | cut -d" " -f1'),
    'tmpfs\n',
    'no disk'
  )
  t.equal((await daemon?.podman('volume', 'ls', '--quiet')) ?? '', '')
  t.equal(await out('printenv NODE_OPTIONS; node -p 1+1'), '\n2\n', 'options of its Node.js are not taken')
})

t.test('no capability, no new privileges, no other user', { skip }, async (t) => {
  t.match(
    await out('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status | tr -d "\\t\\n"'),
    /^(Cap\w+:0{16}){5}NoNewPrivs:1Seccomp:2$/
  )
  t.match(await out('id -u; id -g; id -G'), /^((?:19|20|21)\d{8}) ?\n\1\n\1\n$/)
  t.match(await out('mknod /tmp/device b 254 0; mknod ~/device c 1 1'), /(not permitted[\s\S]*){2}/)
  t.equal(
    await out('ls -d /dev/sd* /dev/vd* /dev/loop* /dev/kvm /dev/mem /dev/fuse /dev/kmsg 2>/dev/null'),
    ''
  )
  t.match(
    await out('echo 1 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger; head -c 1 /proc/kcore'),
    /^(.*(Read-only|denied|permitted|nonexistent|No such).*\n){3}$/
  )
})

t.test(
  'doors of the kernel are shut',
  { skip: skip || (arch !== 'x64' && 'numbers of x86-64') },
  async (t) => {
    const calls = (list: readonly (readonly (number | string)[])[]) =>
      out(
        `LC_ALL=C perl -e 'for (${list.map((args) => `[${args.join(',')}]`).join(',')}) { $! = 0; my $r = syscall($_->[0], $_->[1] // 0, $_->[2] // 0, $_->[3] // 0, $_->[4] // 0, $_->[5] // 0); print $r < 0 ? $!+0 : "done", " " }'`
      )
    const refused = [
      [272, 0x10000000],
      [272, 0x20000],
      [308, 3],
      [248, 0],
      [321, 0],
      [298, 0],
      [323, 0],
      [165, 0],
      [155, 0],
      [161, '"/tmp"'],
      [246, 0],
      [175, 0],
      [304, 0],
      [429, 0],
      [425, 1],
      [56, 0x10000011],
      [56, 0x20011],
      [101, 16, 1],
      [310, 1],
      [250, 0],
      [438, 0]
    ]
    t.equal((await calls(refused)).trim(), refused.map(() => 1).join(' '), 'EPERM')
    t.equal((await calls([[435, 0]])).trim(), '38', 'clone3 is not there, as its flags cannot be seen')
    const sockets = [
      [41, 17, 3, 0],
      [41, 40, 1, 0],
      [41, 16, 3, 12],
      [41, 38, 5, 0],
      [41, '(1<<32)+40', 1, 0],
      [41, 2, 3, 1],
      [41, 16, 3, 0]
    ]
    t.match(
      (await calls(sockets)).trim(),
      /^97 97 97 97 97 1 done$/,
      'no packets, no host of a machine, no firewall'
    )
    t.match(await out('unshare -Ur true; unshare -n true'), /(not permitted[\s\S]*){2}/)
  }
)

t.test('environment, sockets and database of the platform are not there', { skip }, async (t) => {
  t.notMatch(
    await out('env; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"'),
    /hush-hush|postgres|DATA_DIR|PLATFORM|SECRET|DATABASE|DOCKER/
  )
  t.match(await out('ls /proc | grep -E "^[0-9]+$" | sort -n | tail -1'), /^\d{1,4}\n$/)
  const abstract = createServer((socket) => socket.end('reached')).listen({ path: '\0docker-test' })
  t.teardown(() => abstract.close())
  const { port = 5432 } = connection as { port?: number }
  const connect = (to: string) =>
    out(
      `node -e "require('net').connect(${to}).on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code))"`
    )
  for (const to of [new URL(url).port, String(port), "{ path: '\\\\0docker-test' }", "53, '169.254.169.254'"])
    t.match(await connect(to), /^E[A-Z]+\n$/, to)
  const proxied = (target: string) =>
    out(
      `node -e "require('http').get({agent:false,host:'127.0.0.1',port:3128,path:'http://${target}/'},(r)=>console.log(r.resume().statusCode)).on('error',(e)=>console.log(e.code))"`
    )
  for (const target of [
    new URL(url).host,
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '10.0.0.1',
    '0.0.0.0'
  ])
    t.match(await proxied(target), /^(40[03]|502)\n$/, target)
})

t.test('the home of another agent is not there, nor its processes', { skip }, async (t) => {
  const other = await computer()
  await other.exec('echo secret > diary; setsid sleep 300 >/dev/null 2>&1 &')
  t.equal(await out('ls -A /home; ls -A ~ | grep diary; pgrep sleep'), 'agent\n')
  t.not(await out('id -u'), await other.out('id -u'), 'they are different users')
  await ada.post(other.of('/sleep'))
})

t.test('a fork bomb costs its own computer only', { skip }, async (t) => {
  const bomb = await computer()
  const done = bomb.exec('b() { b | b & }; b; sleep 2', { timeLimit: 3 })
  t.equal(await out('echo fine'), 'fine\n')
  t.equal((await ada.get('/health')).status, 200)
  await done
  await ada.post(bomb.of('/restart'))
  t.equal(await bomb.out('pgrep -c sleep || echo none'), '0\nnone\n', 'it is over with a restart')
  await ada.post(bomb.of('/sleep'))
})

t.test('a memory hog is ended within its computer', { skip }, async (t) => {
  const hog = await computer()
  t.match(await hog.exec(`node -e "const all = []; for (;;) all.push(Buffer.alloc(8e6, 1))"`), {
    status: 'failed',
    reason: null
  })
  t.equal(await hog.out('echo fine'), 'fine\n', 'what listens to the platform is there still')
  t.match(await hog.out('for n in 1 2 3 4; do head -c 30M /dev/zero > /dev/shm/$n; done'), /No space/)
  await ada.post(hog.of('/sleep'))
})

t.test('a disk filler is stopped, and can delete afterwards', { skip }, async (t) => {
  const filler = await computer({ storageMb: 16 })
  t.match(await filler.exec('head -c 100M /dev/zero > one'), { status: 'failed' })
  const script = 'for n in 1 2 3 4 5 6 7 8; do head -c 4M /dev/zero > many$n; done; sleep 30'
  t.match(await filler.exec(script, { timeLimit: 60 }), { reason: 'storage_exceeded' })
  await until(filler.state, ({ state }) => state === 'asleep')
  t.match(await filler.exec('echo x > more'), { signal: 'SIGXFSZ' }, 'it wakes, and writes nothing')
  await filler.exec('rm -f one many*')
  await ada.post(filler.of('/restart'))
  t.equal(await filler.out('echo fine > x; cat x'), 'fine\n')
  const hide = `for n in 4 5 6; do eval "exec $n>hidden$n"; head -c 8M /dev/zero >&$n; rm hidden$n; done; sleep 300`
  await filler.exec(`setsid sh -c '${hide}' >/dev/null 2>&1 &`)
  t.match(
    await until(filler.state, ({ state }) => state === 'asleep'),
    { reason: 'storage_exceeded' },
    'in files without a name, and behind its back'
  )
})

t.test('a burner gets no more of the processors than its computer has', { skip }, async (t) => {
  const burner = await computer({ vcpu: 0.2 })
  const script = 'for n in 1 2 3 4; do (timeout 2 sh -c "while :; do :; done") & done; wait; times'
  const { stdout, milliseconds } = await burner.exec(script)
  const [last] = stdout.trim().split('\n').slice(-1)
  const used = [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0
  )
  t.ok(used < 0.5 * (milliseconds / 1_000), `four loops took ${used} s of a processor in ${milliseconds} ms`)
  await ada.post(burner.of('/sleep'))
})

t.test('what takes the place of what listens, or stops it, has won its own computer', { skip }, async (t) => {
  const rogue = await computer()
  t.match(await rogue.exec(`kill -9 $PPID; sleep 5`), { status: 'failed', reason: 'computer_lost' })
  t.match(await rogue.exec('printf "\\377\\377\\377\\377nonsense" >/proc/$PPID/fd/1; sleep 5'), {
    status: 'failed',
    reason: 'computer_lost'
  })
  t.match(await rogue.exec(`kill -STOP $PPID; sleep 300`, { timeLimit: 600 }), {
    status: 'failed',
    reason: 'computer_lost'
  })
  t.match(await rogue.out('echo again'), /again/)
})
