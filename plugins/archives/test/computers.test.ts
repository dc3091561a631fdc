// budget: 15 s, because real computers are written, read and put to sleep
// tier: whole
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { noComputers } from '../../../test/computers.ts'
import { agentLine, at, bytesLine, contentOf, examined, exported, forge, imported, line } from './testbed.ts'

const skip = await noComputers()
const here = boot(t, 'archives', 'computers', 'provenance', 'packs')
const small = { enabled: true, memoryMb: 256, storageMb: 64 }
const of = (agentId: string, rest = '') => `/v1/agents/${agentId}/computer${rest}`
const withComputer = ['computer']
const large = randomBytes(5_000_000)

const home = line('home', { provider: 'bubblewrap' })
const file = (path: string, content = 'x', fields: object = {}) =>
  line('file', { path, mode: 0o644, size: content.length, ...fields }) + bytesLine(content)
const archive = (computer: string) => forge({ parts: { agents: agentLine(), computer } })
const refused = (code: string) => ({ status: 400, body: { error: { code, param: '/fileId' } } })

t.test('the files of a computer go along when they are asked for', { skip }, async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id: agentId } = await ada.agent()
  await ada.put(of(agentId, '/config'), small)
  await ada.post(of(agentId, '/files/write'), {
    files: [
      { path: 'notes.txt', content: 'Grüße' },
      { path: 'bin/run', content: '#!/bin/sh\necho ran\n', mode: 0o755 },
      { path: 'bin/secret', content: 'mine', mode: 0o600 },
      { path: 'empty', content: '' },
      { path: 'large', content: large.toString('base64'), encoding: 'base64' }
    ]
  })
  const links =
    'mkdir -p .browser empty-folder; echo c > .browser/Cookies; ln -s /etc/passwd out; ln -s bin in; ' +
    'ln -s .. bin/up; mkfifo pipe; echo x > closed; chmod 000 closed; touch "a\\\\b" Makefile makefile'
  await ada.post(of(agentId, '/exec'), { command: links })
  await ada.post(of(agentId, '/sleep'))

  const without = await exported(ada, agentId)
  t.match(without.record, { status: 'completed', leftOut: ['sessions', 'computer'] })
  t.match(without.record.needs, [{ pack: 'computers', type: 'files', name: 'computer' }])

  t.match(await a.as('eve').post(`/v1/agents/${agentId}/export`, { include: withComputer }), { status: 403 })
  const { record, bytes } = await exported(ada, agentId, withComputer)
  t.match(record, { status: 'completed', leftOut: ['sessions'], include: withComputer })
  t.match((await ada.get(of(agentId))).body.data, { state: 'awake' }, 'it was woken')
  const needs = record.needs.map(({ name, text }: { name: string; text: string }) => `${name}: ${text}`)
  t.match(needs.sort(), [
    /^bin\/up: A link/,
    /^closed: .*could not/,
    /^in: A link/,
    /^out: A link/,
    /^pipe: .*no file/
  ])
  const { text, records } = await contentOf(t.testdir(), bytes)
  t.notMatch(text, /root:x:0|Cookies/, 'neither what a link leads to nor the profile of the browser')
  t.same(
    records.computer?.filter(({ kind }) => kind === 'file').map(({ data }) => data.path),
    ['Makefile', 'a\\b', 'empty', 'large', 'makefile', 'notes.txt', 'bin/run', 'bin/secret']
  )

  const report = (await examined(ada, bytes)).body.data
  t.match(report.parts.at(-1), { pack: 'computer', what: 'the files of its computer', skipped: null })
  t.same(report.lacks, [])
  const done = await imported(ada, bytes)
  t.match(done, { status: 'completed' })
  t.match((await ada.get(of(done.agentId))).body.data, { state: 'off' }, 'it comes switched off')
  t.match(await ada.put(of(done.agentId, '/config'), { enabled: true }), { status: 200 })
  const read = async (path: string, query = '') =>
    (await ada.get(of(done.agentId, `/files/read?path=${encodeURIComponent(path)}${query}`))).body.data
  t.match(await read('notes.txt'), { content: 'Grüße', mode: 0o644 })
  t.match(await read('bin/secret'), { content: 'mine', mode: 0o600 })
  t.match(await read('empty'), { size: 0 })
  t.match(await read('a\\b'), { size: 0 })
  const { content, nextOffset } = await read('large', '&length=4194304&encoding=base64')
  const rest = await read('large', `&offset=${nextOffset}&length=4194304&encoding=base64`)
  const whole = Buffer.concat([Buffer.from(content, 'base64'), Buffer.from(rest.content, 'base64')])
  t.ok(whole.equals(large), 'also one that takes many pieces')
  t.match((await ada.post(of(done.agentId, '/exec'), { command: 'bin/run' })).body.data, { stdout: 'ran\n' })

  const active = await imported(ada, bytes, { activate: true })
  t.match((await ada.get(of(active.agentId))).body.data, { state: 'awake' }, 'or as it was')
  await ada.post(of(active.agentId, '/sleep'))
})

t.test('a computer that is off is not read, and one that never was is no matter', { skip }, async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id: agentId } = await ada.agent()
  const none = await exported(ada, agentId, withComputer)
  t.match(none.record, { status: 'completed', needs: [] })
  await ada.put(of(agentId, '/config'), { ...small, enabled: false })
  const off = await exported(ada, agentId, withComputer)
  t.match(off.record, {
    status: 'completed',
    needs: [{ pack: 'computer', name: 'computer', text: /was off/ }]
  })
  t.match(await imported(ada, off.bytes), { status: 'completed', report: { lacks: [] } })

  const scopes = ['agents:create', 'agents:read', 'agents:write', 'files:read', 'files:write']
  const narrow = at(a.url, a.as('ada', { scopes }))
  const less = await exported(narrow, agentId, withComputer)
  t.match(less.record, { status: 'completed', leftOut: ['sessions', 'computers', 'computer'] })
})

t.test('hostile homes are refused before anything is made', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const before = (await ada.get('/v1/agents?limit=100')).body.data.length
  const cases: [string, string, object][] = [
    ['above', home + file('../out'), refused('path_refused')],
    ['within', home + file('a/../../out'), refused('path_refused')],
    ['absolute', home + file('/etc/passwd'), refused('path_refused')],
    ['a folder', home + file('a/'), refused('path_refused')],
    ['the home', home + file('~/a'), refused('path_refused')],
    ['the browser', home + file('.browser/Default/Preferences'), refused('path_refused')],
    ['deep', home + file(`${'a/'.repeat(100)}b`), refused('path_refused')],
    ['a long path', home + file('a'.repeat(5_000)), refused('archive_invalid')],
    ['no home', file('a'), refused('archive_invalid')],
    ['two homes', home + home, refused('archive_invalid')],
    ['setuid', home + file('a', 'x', { mode: 0o4755 }), refused('archive_invalid')],
    ['fewer bytes', home + file('a', 'xy', { size: 3 }), refused('archive_invalid')],
    ['more bytes', home + file('a', 'xy', { size: 1 }), refused('archive_invalid')],
    ['no bytes', home + line('file', { path: 'a', mode: 0o644, size: 1 }), refused('archive_invalid')],
    [
      'a link',
      home + line('file', { path: 'a', mode: 0o644, size: 1, link: '/etc' }),
      refused('archive_invalid')
    ],
    ['no JSON', `${home}{"kind":"file"\n`, refused('archive_invalid')]
  ]
  for (const [what, computer, expected] of cases)
    t.match(await examined(ada, archive(computer)), expected, what)
  t.equal((await ada.get('/v1/agents?limit=100')).body.data.length, before)
})

t.test('a file in place of a folder takes all back', { skip }, async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const before = (await ada.get('/v1/agents?limit=100')).body.data.length
  const done = await imported(ada, archive(home + file('a') + file('a/b')), { acceptUnsigned: true })
  t.match(done, { status: 'failed', agentId: null })
  await a.settled()
  t.equal((await ada.get('/v1/agents?limit=100')).body.data.length, before)
})

t.test('where no such provider works, a report says that files are left out', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const elsewhere = archive(line('home', { provider: 'mainframe' }) + file('a'))
  t.match((await examined(ada, elsewhere)).body.data.lacks, [
    { pack: 'computer', type: 'files', name: 'mainframe', text: /1 files are left out: No provider/ }
  ])
  const done = await imported(ada, elsewhere, { acceptUnsigned: true })
  t.match(done, { status: 'completed', report: { lacks: [{ name: 'mainframe' }] } })
  t.match((await ada.get(of(done.agentId))).body.data, { state: 'off' })
})

t.test('the files of a computer have a limit in archives', { skip }, async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id: agentId } = await ada.agent()
  await ada.put(of(agentId, '/config'), small)
  await ada.post(of(agentId, '/files/write'), { files: [{ path: 'a', content: 'x'.repeat(1_500) }] })
  t.match(await a.admin.put('/v1/packs/computers', { settings: { archiveBytes: 1_000 } }), { status: 200 })
  const { record } = await exported(ada, agentId, withComputer)
  t.match(record, { status: 'failed', fileId: null, error: { code: 'home_too_large' } })
  const two = home + file('a', 'x'.repeat(600)) + file('b', 'x'.repeat(600))
  t.match(await examined(ada, archive(two)), { status: 413, body: { error: { code: 'home_too_large' } } })
  t.match(await examined(ada, archive(home + file('a', 'x'.repeat(1_000)))), { status: 200 })
})
