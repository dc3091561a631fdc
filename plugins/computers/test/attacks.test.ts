// budget: 15 s, because each attack is made in a real computer, and some take memory, disk and processors
// tier: whole
import { createServer } from 'node:net'
import { arch } from 'node:process'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { until } from '../../../test/packs/stage.ts'

const skip = await noComputers()
process.env.COMPUTERS_TEST_MARK = 'hush-hush'
t.teardown(() => {
  delete process.env.COMPUTERS_TEST_MARK
})
const { as, dataDir, url, connection } = await boot(t, 'computers', {
  env: { COMPUTERS_SILENCE_SECONDS: '3' }
})
const ada = as('ada')

async function computer(fields = {}) {
  const { id } = await ada.agent()
  const of = (path = '') => `/v1/agents/${id}/computer${path}`
  await ada.put(of('/config'), {
    enabled: true,
    memoryMb: 256,
    storageMb: 32,
    allowedHosts: ['*'],
    ...fields
  })
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
const isRoot = process.getuid?.() === 0

/** What the kernel answers to system calls, by perl, which every Debian has. */
const calls = (list: readonly (readonly (number | string)[])[]) =>
  out(
    `perl -e 'for (${list.map((args) => `[${args.join(',')}]`).join(',')}) { $! = 0; my $r = syscall($_->[0], $_->[1] // 0, $_->[2] // 0, $_->[3] // 0, $_->[4] // 0, $_->[5] // 0); print $r < 0 ? $!+0 : "done", " " }'`
  )

t.test(
  'mounts: nothing but the home and temporary files can be written, and nothing else is there',
  { skip },
  async (t) => {
    const mounts = await out("grep -v ' ro,' /proc/mounts | cut -d' ' -f2 | sort | tr '\\n' ' '")
    t.equal(
      mounts.trim(),
      '/dev/full /dev/null /dev/pts /dev/random /dev/shm /dev/tty /dev/urandom /dev/zero /home/agent /proc /tmp'
    )
    for (const path of ['/x', '/usr/x', '/etc/x', '/opt/computer/guest/x', '/run/x', '/dev/x', '/var/x'])
      t.match(await out(`touch ${path}`), /Read-only|denied/, path)
    t.match(
      await out('mount -t tmpfs x /tmp; mount --bind /tmp /usr; umount /usr'),
      /denied|permitted|must be/
    )
    t.match(
      await out(`ls ${dataDir} /root /var/lib /var/run/postgresql /sys /boot`),
      /^(.*(No such file|denied).*\n)+$/
    )
    t.match(await out('ls -A /etc/shadow /etc/ssh /etc/hostname /etc/resolv.conf'), /^(.*No such file.*\n)+$/)
  }
)

t.test(
  '/proc: no process of the machine is seen, and none of its settings is changed',
  { skip },
  async (t) => {
    t.match(await out('ls /proc | grep -E "^[0-9]+$" | sort -n | tail -1'), /^\d{1,4}\n$/)
    t.notMatch(
      await out('cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"'),
      /hush-hush|postgres|DATA_DIR/
    )
    t.match(
      await out(
        'echo 1 > /proc/sys/kernel/panic; echo c > /proc/sysrq-trigger; echo x > /proc/sys/vm/drop_caches'
      ),
      /Read-only|denied/
    )
    t.match(
      await out(
        'head -c 1 /proc/kcore; cat /proc/kmsg; head -c1 /proc/1/mem; ls /proc/1/root/; ls -l /proc/1/fd'
      ),
      /^(.*(denied|permitted|No such|Input).*\n)+/
    )
  }
)

t.test(
  'ptrace, namespaces, keys and other doors of the kernel are shut',
  { skip: skip || (arch !== 'x64' && 'numbers of x86-64') },
  async (t) => {
    const USER = 0x10000000
    const refused = [
      [101, 0],
      [101, 16, 1],
      [310, 1],
      [272, USER],
      [272, 0x20000],
      [56, USER + 17],
      [308, 3],
      [250, 0],
      [248, 0],
      [321, 0],
      [425, 1],
      [298, 0],
      [323, 0],
      [165, 0],
      [155, 0],
      [161, '"/tmp"'],
      [246, 0],
      [175, 0],
      [304, 0],
      [429, 0],
      [438, 0]
    ]
    t.equal((await calls(refused)).trim(), refused.map(() => 1).join(' '), 'EPERM')
    t.equal((await calls([[435, 0]])).trim(), '38', 'clone3 is not there, as its flags cannot be seen')
    const sockets = [
      [41, 17, 3, 0],
      [41, 40, 1, 0],
      [41, 16, 3, 12],
      [41, 38, 5, 0],
      [41, 2, 3, 1]
    ]
    t.equal(
      (await calls(sockets)).trim(),
      '97 97 97 97 1',
      'no packets, no host of a machine, no firewall, no raw ones'
    )
    t.match(await out('unshare -Ur true; unshare -n true'), /(not permitted[\s\S]*){2}/)
    t.match(
      await out('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status | tr -d "\\t\\n"'),
      /^(Cap\w+:0{16}){5}NoNewPrivs:1Seccomp:2$/
    )
    t.notMatch(
      await out('su -c id; sudo id; find / -xdev -perm -4000 -exec {} \\; 2>/dev/null | head -3; id'),
      /uid=0/
    )
  }
)

t.test('devices: there are none, and none can be made', { skip }, async (t) => {
  t.equal(
    await out('ls -d /dev/sd* /dev/vd* /dev/loop* /dev/kvm /dev/mem /dev/fuse /dev/kmsg 2>/dev/null'),
    ''
  )
  t.match(await out('mknod /tmp/x b 254 0; mknod ~/x c 1 1'), /(not permitted[\s\S]*){2}/)
})

t.test('environment and secrets of the platform are not there', { skip }, async (t) => {
  const names = (await out('env | cut -d= -f1 | sort | tr "\\n" " "')).trim()
  t.notMatch(names, /PLATFORM|DATABASE|KEY|SECRET|TOKEN|MARK/)
  t.notMatch(
    await out(
      'cat /proc/2/environ; ls -l /proc/2/fd; cat /proc/self/mountinfo | grep -v -E "/(home|etc|egress)"; find / -name "*.pem" -path "*private*" 2>/dev/null'
    ),
    /hush-hush|development-key/
  )
})

t.test(
  'sockets, database, loopback and metadata of the machine are out of reach, whatever is allowed',
  { skip },
  async (t) => {
    const abstract = createServer((socket) => socket.end('reached'))
    abstract.on('error', () => undefined)
    abstract.listen({ path: '\0computers-test' })
    t.teardown(() => abstract.close())
    const port = new URL(url).port
    const database = (connection as { port?: number }).port ?? 5432
    t.equal(await out('ls -A /run; ls -A /var /var/run /tmp 2>/dev/null | grep -c sock'), 'egress.sock\n0\n')
    const connect = (to: string) =>
      out(
        `node -e "require('net').connect(${to}).on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code)).on('data', (d) => console.log(String(d)))"`
      )
    for (const to of [
      port,
      String(database),
      '6379',
      "{ path: '\\\\0computers-test' }",
      "53, '169.254.169.254'"
    ])
      t.notMatch(await connect(to), /reached/, to)
    const hosts = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      '169.254.169.254',
      '[::1]',
      '[::ffff:169.254.169.254]',
      '0.0.0.0',
      '10.0.0.1',
      '2130706433',
      'metadata.google.internal'
    ]
    for (const host of hosts) {
      const said = await out(
        `curl -sS -m 5 --noproxy '' -o /dev/null -w '%{http_code} ' http://${host}/; curl -sS -m 5 -p --noproxy '' -o /dev/null -w '%{http_code}' http://${host.replace(/:\d+$/, '')}:80/`
      )
      t.match(said, /^(40[03]|502) .*(403|400|502|56)/s, host)
    }
  }
)

t.test('the home of another agent is not there, nor its processes', { skip }, async (t) => {
  const other = await computer()
  await other.exec('echo secret > diary; setsid sleep 300 & echo $! > pid')
  t.equal(await out('ls -A /home; ls -A ~ | grep diary; pgrep sleep'), 'agent\n')
  if (isRoot) t.not(await out('id -u'), await other.out('id -u'), 'they are different users')
  t.notMatch(await out('ls -la /proc/*/root/home/agent /proc/*/cwd/ 2>/dev/null'), /diary/)
})

t.test('a fork bomb costs its own computer only', { skip }, async (t) => {
  const bomb = await computer()
  const done = bomb.exec('b() { b | b & }; b; sleep 3', { timeLimit: 4 })
  t.equal(await out('echo fine'), 'fine\n')
  t.equal((await ada.get('/health')).status, 200)
  await done
  await ada.post(bomb.of('/restart'))
  t.equal(await bomb.out('pgrep -c sleep || echo none'), '0\nnone\n', 'it is over with a restart')
})

t.test('a memory hog is ended within its computer', { skip }, async (t) => {
  const hog = await computer()
  t.match(await hog.exec(`node -e "const all = []; for (;;) all.push(Buffer.alloc(8e6, 1))"`), {
    status: 'failed',
    reason: null
  })
  t.equal(await hog.out('echo fine'), 'fine\n', 'what listens to the platform is there still')
  t.match(await hog.out('for n in 1 2 3 4; do head -c 30M /dev/zero > /dev/shm/$n; done'), /No space/)
})

t.test('a disk filler is stopped, and can delete afterwards', { skip }, async (t) => {
  const filler = await computer({ storageMb: 16 })
  t.match(
    await filler.exec('head -c 100M /dev/zero > one'),
    { status: 'failed' },
    'no file is larger than the disk'
  )
  t.match(
    await filler.exec('for n in 1 2 3 4 5 6 7 8; do head -c 4M /dev/zero > many$n; done; sleep 30', {
      timeLimit: 60
    }),
    { reason: 'storage_exceeded' }
  )
  const slept = await until(filler.state, ({ state }) => state === 'asleep')
  t.match(slept, { reason: 'storage_exceeded' })
  t.match(await filler.exec('echo x > more'), { signal: 'SIGXFSZ' }, 'it wakes, and writes nothing')
  t.match(await ada.post(filler.of('/files/write'), { files: [{ path: 'x', content: 'more' }] }), {
    status: 507
  })
  await filler.exec('rm -f one many*')
  await ada.post(filler.of('/restart'))
  t.equal(await filler.out('echo fine > x; cat x'), 'fine\n')
})

t.test('what is written behind its back counts as well', { skip }, async (t) => {
  const filler = await computer({ storageMb: 16 })
  await filler.exec(
    `setsid sh -c 'sleep 1; for n in 1 2 3 4 5 6; do head -c 4M /dev/zero > many$n; done; sleep 300' >/dev/null 2>&1 &`
  )
  const slept = await until(filler.state, ({ state }) => state === 'asleep')
  t.match(slept, { reason: 'storage_exceeded' }, 'by a program in the background')

  const hider = await computer({ storageMb: 16 })
  await hider.exec(
    `setsid sh -c 'for n in 4 5 6; do eval "exec $n>hidden$n"; head -c 8M /dev/zero >&$n; rm hidden$n; done; sleep 300' >/dev/null 2>&1 &`
  )
  t.match(await until(hider.state, ({ state }) => state === 'asleep'), { reason: 'storage_exceeded' })
  t.match(await hider.out('ls -A | grep hidden; du -s . | cut -f1'), /^\d{1,4}\n$/, 'in files without a name')
})

t.test('a burner gets no more of the processors than its computer has', { skip }, async (t) => {
  const burner = await computer({ vcpu: 0.2 })
  const script =
    'for n in 1 2 3 4; do (timeout 2 sh -c "while :; do :; done") & done; wait; cut -d" " -f16,17 /proc/self/stat; times'
  const { stdout, milliseconds } = await burner.exec(script)
  const used = [
    ...stdout
      .trim()
      .split('\n')
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g)
  ].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0)
  t.ok(used < 0.5 * (milliseconds / 1_000), `four loops took ${used} s of a processor in ${milliseconds} ms`)
  t.equal(await out('echo fine'), 'fine\n')
})

t.test('what takes the place of what listens has won its own computer', { skip }, async (t) => {
  const rogue = await computer()
  t.match(await rogue.exec('kill -9 2; sleep 5'), { status: 'failed', reason: 'computer_lost' })
  t.match(await rogue.out('echo again'), /again/, 'and it wakes once more')
})

t.test('one that is stopped from inside is ended', { skip }, async (t) => {
  const stopped = await computer()
  t.match(await stopped.exec('kill -STOP $PPID $(pgrep -o node); sleep 300', { timeLimit: 600 }), {
    status: 'failed',
    reason: 'computer_lost'
  })
  t.match(await stopped.out('echo again'), /again/)
})
