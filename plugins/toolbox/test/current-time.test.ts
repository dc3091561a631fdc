import t from 'tap'
import { createCurrentTime } from '../tools/current-time.ts'
import { calling } from './testbed.ts'

const tell = calling(createCurrentTime())

interface Told {
  readonly iso: string
  readonly utc: string
  readonly unix: number
  readonly offset: string
  readonly weekday: string
  readonly date: string
}

t.test('the time in a zone is the same moment everywhere', async (t) => {
  for (const timezone of ['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham']) {
    const before = Math.floor(Date.now() / 1_000)
    const { output, isError } = await tell({ timezone })
    const after = Date.now() / 1_000
    const { iso, utc, unix, offset, weekday, date } = output as Told
    t.notOk(isError)
    t.ok(unix >= before && unix <= after, 'it is now')
    t.equal(Date.parse(iso), unix * 1_000, timezone)
    t.equal(Math.floor(Date.parse(utc) / 1_000), unix)
    t.match(offset, /^[+-]\d\d:\d\d$/)
    t.ok(iso.startsWith(date) && iso.endsWith(offset))
    t.match(weekday, /day$/)
  }
  t.match((await tell({})).output, { timezone: 'UTC', offset: '+00:00' })
})

t.test('what is no time zone is said', async (t) => {
  for (const timezone of ['Europe/Atlantis', '+05:00', 'Rome', '../etc/passwd', '\0'])
    t.match(
      await tell({ timezone }),
      { isError: true, output: /There is no time zone/ },
      JSON.stringify(timezone)
    )
})
