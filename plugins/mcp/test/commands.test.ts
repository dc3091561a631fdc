import t from 'tap'
import { fill, parseCommands } from '../commands.ts'
import { toolNameOf } from '../naming.ts'

t.test('commands that a deployment allows', (t) => {
  t.equal(parseCommands(undefined).size, 0)
  const all = parseCommands(
    JSON.stringify({
      files: ['npx', '-y', 'server-files', '{/srv/[a-z]+}'],
      flags: { argv: ['run', '{-[vq]|[a-z]}'], env: ['TOKEN'], memoryMb: 256 },
      any: ['run', '{.*}']
    })
  )
  const files = all.get('files') as never
  t.same(fill(files, ['/srv/data']), ['npx', '-y', 'server-files', '/srv/data'])
  t.same(fill(files, ['/srv/data/../x']), { wrong: 0 })
  t.same(fill(files, ['/srv/data\n/x']), { wrong: 0 })
  t.same(fill(files, []), { wrong: 0 })
  t.same(fill(files, ['/srv/data', 'more']), { wrong: 1 })
  t.match(all.get('flags'), { env: ['TOKEN'], memoryMb: 256 })
  t.same(fill(all.get('any') as never, ['--config=/etc/passwd']), { wrong: 0 }, 'no option by a wide pattern')
  t.same(fill(all.get('flags') as never, ['-v']), ['run', '-v'], 'but by one that says so')

  for (const bad of ['[', '[]', '"x"', '{"a":[]}', '{"a b":["x"]}', '{"a":["{x}"]}', '{"a":["x","{(}"]}'])
    t.throws(() => parseCommands(bad), { message: /MCP_COMMANDS/ }, bad)
  t.throws(() => parseCommands('{"a":{"argv":["x"],"shell":true}}'), { message: /unknown field shell/ })
  t.throws(() => parseCommands('{"a":{"argv":["x"],"memoryMb":1}}'), { message: /memoryMb/ })
  t.end()
})

t.test('names of tools', (t) => {
  const server = { id: 'mcpserver_1', name: 'My server' }
  t.equal(toolNameOf(server, 'get_weather'), 'My_server__get_weather')
  const names = ['a b', 'a.b', 'a_b', 'ä', '日本', 'x'.repeat(100), 'x'.repeat(101)].map((it) =>
    toolNameOf(server, it)
  )
  t.equal(new Set(names).size, names.length, 'none twice')
  for (const name of names) t.match(name, /^[A-Za-z0-9_-]{1,64}$/)
  t.equal(toolNameOf(server, 'a b'), toolNameOf(server, 'a b'), 'stable')
  t.match(toolNameOf({ id: 'x', name: '日本' }, 'go'), 'server__go')
  t.end()
})
