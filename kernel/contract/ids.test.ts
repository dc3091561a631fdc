// process: own, because the clock of a process that moved ahead stays ahead for its IDs
import t from 'tap'
import { TypeID } from 'typeid-js'
import { newId, typeOfId } from './ids.ts'

t.test('identifiers are TypeIDs of UUIDv7s, in the order in which they were made', async (t) => {
  const before = Date.now()
  const ids = Array.from({ length: 20_000 }, () => newId('run'))
  t.same(ids.toSorted(), ids)
  t.equal(new Set(ids).size, ids.length)
  const bits = new Set<string>()
  for (const id of ids) {
    const uuid = TypeID.fromString(id).toUUID()
    bits.add(uuid.slice(19))
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid)) t.fail(uuid)
    const time = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
    if (time < before || time > Date.now() + 10) t.fail(`${id} is of ${new Date(time).toISOString()}`)
  }
  t.equal(bits.size, ids.length, 'what is left to chance differs')
  t.equal(typeOfId(ids[0] as string), 'run')
})

t.test('the type is that of the whole text', async (t) => {
  const [, suffix] = newId('tool_key').split(/_(?=[^_]*$)/)
  t.equal(typeOfId(`tool_key_${suffix}`), 'tool_key')
  for (const id of [`${suffix}`, `_${suffix}`, `Run_${suffix}`, `run_8${suffix?.slice(1)}`, `run_${suffix}0`])
    t.equal(typeOfId(id), undefined, id)
})
