import t from 'tap'
import { readForm } from './forms.ts'

const TYPE = 'multipart/form-data; boundary=x'
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const read = (body: string, parts = 3, type = TYPE) => readForm(type, Buffer.from(body), parts)

t.test('a form is its fields', async (t) => {
  const form = await read(`${part('a', '1')}${part('b', 'two -- lines\r\n--')}${part('a', '3')}--x--\r\n`)
  t.same(
    [...form],
    [
      ['a', '1'],
      ['b', 'two -- lines\r\n--'],
      ['a', '3']
    ]
  )
  const quoted = await read(`${part('a', '1')}--x--\r\n`, 1, 'Multipart/Form-Data; Boundary="x"')
  t.equal(quoted.get('a'), '1')
})

t.test('what no browser sends is refused before it is parsed', async (t) => {
  const refuses = (body: string, message: RegExp, parts?: number) =>
    t.rejects(read(body, parts), { kind: 'invalid', message })
  await refuses('nothing of the kind', /not the form/)
  await refuses(`${part('a', '1').repeat(4)}--x--\r\n`, /too many parts/)
  await refuses('--x\r\n'.repeat(1_000_000), /headers without an end|too many parts/)
  await refuses(`--x\r\nA: ${'a'.repeat(9_000)}\r\n\r\n1\r\n--x--\r\n`, /headers without an end/)
})
