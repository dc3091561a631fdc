import t from 'tap'
import { checkCron, nextTime } from '../services/cron.ts'

const at = (cron: string, timezone: string, after: string) =>
  nextTime(cron, timezone, new Date(after)).toISOString().replace(':00.000Z', 'Z')

/** The next times of a series, one after the other. */
function series(cron: string, timezone: string, after: string, count: number): string[] {
  const times: string[] = []
  for (let last = after; times.length < count; times.push(last)) last = at(cron, timezone, last)
  return times
}

t.test('cron: names, white space, nicknames and numbers are equivalent', async (t) => {
  const same: Record<string, string[]> = {
    '0 9 * * 4': ['0 9 * * THU', '0 9 * * thu', '0\t9 * *  Thu', ' 0 9 * * 4\n', '0 9 ? * 4'],
    '0 9 * * 1-4': ['0 9 * * MON-THU', '0 9 * * mon-4', '0 9 * * 1,2,WED,thu'],
    '0 9 * * 0': ['0 9 * * 7', '0 9 * * SUN', '0 9 * * 7-7', '0 9 * * 0,7'],
    '0 9 * * 5,6,0': ['0 9 * * FRI-SUN', '0 9 * * 5-7', '0 9 * * fri-0'],
    '0 9 * * 1,3,5': ['0 9 * * MON-FRI/2', '0 9 * * mon/2'],
    '0 9 * * 4L': ['0 9 * * THUL', '0 9 * * thul'],
    '0 9 * * 4#2': ['0 9 * * THU#2'],
    '0 9 * 3-9/3 *': ['0 9 * MAR-SEP/3 *', '0 9 * mar,jun,SEP *'],
    '5,20,35,50 * * * *': ['5/15 * * * *', '5-59/15 * * * *'],
    '0 0 1 1 *': ['@yearly', '@annually', ' @Yearly '],
    '0 0 1 * *': ['@monthly'],
    '0 0 * * 0': ['@weekly'],
    '0 0 * * *': ['@daily', '@midnight', '@DAILY', '0 0 */1 * *', '0 0 * * 0-7'],
    '0 * * * *': ['@hourly', '0 0-23 * * *']
  }
  for (const [cron, others] of Object.entries(same)) {
    const expected = series(cron, 'UTC', '2027-01-01T00:00Z', 12)
    for (const other of others) t.same(series(other, 'UTC', '2027-01-01T00:00Z', 12), expected, other)
  }
})

t.test('cron: last and nth weekdays, and the last day of a month', async (t) => {
  const days = (cron: string, count: number) =>
    series(cron, 'UTC', '2027-01-01T12:00Z', count).map((it) => it.slice(0, 10))
  t.same(days('0 0 L * *', 3), ['2027-01-31', '2027-02-28', '2027-03-31'])
  t.same(days('0 0 15,L 2 *', 2), ['2027-02-15', '2027-02-28'])
  t.same(days('0 0 * * 5L', 2), ['2027-01-29', '2027-02-26'])
  t.same(days('0 0 * * MON#1,FRI#5', 3), ['2027-01-04', '2027-01-29', '2027-02-01'])
  t.same(days('0 0 13 * 5', 3), ['2027-01-08', '2027-01-13', '2027-01-15'], 'either of two restrictions')
  t.same(days('0 0 29 2 *', 2), ['2028-02-29', '2032-02-29'])
  t.same(days('0 0 ? 2 MON#5', 1), ['2044-02-29'], 'a Monday that is the 29th of February')
})

t.test('cron: an invalid expression is rejected with its field and the accepted values', async (t) => {
  const refused: Record<string, RegExp> = {
    '': /must have five fields/,
    '* * * *': /must have five fields/,
    '0 0 0 * * *': /six fields. Seconds and years are not accepted/,
    '60 * * * *': /"60" is not a valid minute \(0 to 59\)/,
    '0 24 * * *': /"24" is not a valid hour \(0 to 23\)/,
    '0 0 0 * *': /"0" is not a valid day of the month \(1 to 31\)/,
    '0 0 * 13 *': /"13" is not a valid month \(1 to 12 or JAN to DEC\)/,
    '0 0 * * 8': /"8" is not a valid day of the week \(0 to 7 or SUN to SAT\)/,
    '0 0 * * THURSDAY': /"THURSDAY" is not a valid day of the week/,
    '0 THU * * *': /"THU" is not a valid hour/,
    '0 22-2 * * *': /"22-2" is not a valid range for the hour: its start is after its end/,
    '0 0 * * SAT-MON': /its start is after its end/,
    '0 0 * * 1#6': /# must be followed by 1 to 5/,
    '0 0 * * L': /put a day before it/,
    '0 0 15W * *': /W \(the nearest weekday\) is not supported/,
    'H 9 * * *': /H \(a value by hash\) is not supported/,
    'H(0-5)/2 9 * * *': /H \(a value by hash\) is not supported/,
    '*/0 * * * *': /\/ must be followed by a number from 1/,
    '1,,2 * * * *': /"" is not a valid minute/,
    '-5 * * * *': /is not a valid minute/,
    '1-2-3 * * * *': /"1-2-3" is not a valid range/,
    '+5 * * * *': /is not a valid minute/,
    '1e1 * * * *': /is not a valid minute/,
    'constructor * * * *': /is not a valid minute/,
    '@reboot': /"@reboot" is not one of @yearly/,
    '@constructor': /is not one of/,
    '0 0 31 2 *': /never occurs/,
    [`${'0,'.repeat(100)}0 * * * *`]: /more than 200 characters/
  }
  for (const [cron, message] of Object.entries(refused))
    t.throws(() => checkCron(cron, 'UTC'), { kind: 'invalid', param: '/cron', message }, cron)
})

t.test('cron: a repeated local time occurs once, and a skipped one is postponed', async (t) => {
  const expected: [timezone: string, cron: string, after: string, next: string[]][] = [
    // Half an hour: back on 2027-04-04 at 02:00, forward on 2027-10-03 at 02:00.
    ['Australia/Lord_Howe', '0 9 * * *', '2027-04-02T22:10Z', ['2027-04-03T22:30Z', '2027-04-04T22:30Z']],
    ['Australia/Lord_Howe', '45 1 * * *', '2027-04-03T06:00Z', ['2027-04-03T14:45Z', '2027-04-04T15:15Z']],
    ['Australia/Lord_Howe', '15 2 * * *', '2027-10-02T06:00Z', ['2027-10-02T15:45Z', '2027-10-03T15:15Z']],
    [
      'Australia/Lord_Howe',
      '*/20 2 * * *',
      '2027-10-02T06:00Z',
      ['2027-10-02T15:30Z', '2027-10-02T15:40Z', '2027-10-02T15:50Z']
    ],
    // An hour.
    ['Europe/Berlin', '30 2 * * *', '2027-03-27T20:00Z', ['2027-03-28T01:30Z', '2027-03-29T00:30Z']],
    [
      'Europe/Berlin',
      '*/20 2 * * *',
      '2027-03-27T20:00Z',
      ['2027-03-28T01:00Z', '2027-03-28T01:20Z', '2027-03-28T01:40Z']
    ],
    ['Europe/Berlin', '30 2 * * *', '2027-10-30T20:00Z', ['2027-10-31T00:30Z', '2027-11-01T01:30Z']],
    ['Europe/Berlin', '0 */2 * * *', '2027-10-30T23:00Z', ['2027-10-31T00:00Z', '2027-10-31T03:00Z']],
    // Midnight twice, and midnight skipped.
    ['America/Havana', '0 0 * * *', '2027-11-06T20:00Z', ['2027-11-07T04:00Z', '2027-11-08T05:00Z']],
    ['Africa/Cairo', '0 0 * * *', '2027-04-29T10:00Z', ['2027-04-29T22:00Z', '2027-04-30T21:00Z']],
    ['Asia/Beirut', '0 0 * * *', '2027-03-27T10:00Z', ['2027-03-27T22:00Z', '2027-03-28T21:00Z']],
    // Two hours.
    ['Antarctica/Troll', '30 2 * * *', '2027-10-31T00:29Z', ['2027-10-31T00:30Z', '2027-11-01T02:30Z']],
    // A whole day that never was, and half an hour of a change of the zone itself.
    ['Pacific/Apia', '0 9 * * *', '2011-12-29T18:00Z', ['2011-12-29T19:00Z', '2011-12-30T19:00Z']],
    ['Asia/Pyongyang', '0 9 * * *', '2018-05-04T02:00Z', ['2018-05-05T00:00Z', '2018-05-06T00:00Z']],
    // A zone of the past that no place has any more, and one that is an alias.
    ['US/Eastern', '30 2 * * *', '2027-03-13T12:00Z', ['2027-03-14T07:30Z', '2027-03-15T06:30Z']],
    ['Africa/Monrovia', '0 12 * * *', '1971-06-01T12:30Z', ['1971-06-01T12:44:30.000Z']]
  ]
  for (const [timezone, cron, after, next] of expected)
    t.same(series(cron, timezone, after, next.length), next, `${cron} in ${timezone}`)
})

t.test('cron: an hourly expression occurs in every elapsed hour', async (t) => {
  const hours = (timezone: string, cron: string, after: string, count: number) =>
    series(cron, timezone, after, count).map((it) => it.slice(11, 16))
  t.same(hours('Europe/Berlin', '0 * * * *', '2027-10-30T23:00Z', 4), ['00:00', '01:00', '02:00', '03:00'])
  t.same(hours('Europe/Berlin', '0 * * * *', '2027-03-28T00:00Z', 2), ['01:00', '02:00'])
  t.same(hours('Australia/Lord_Howe', '30 * * * *', '2027-04-03T14:00Z', 4), [
    '14:30',
    '15:00',
    '16:00',
    '17:00'
  ])
  t.same(hours('Australia/Lord_Howe', '* * * * *', '2027-04-03T14:58Z', 4), [
    '14:59',
    '15:00',
    '15:01',
    '15:02'
  ])
})

t.test('cron: every minute occurs exactly once when clocks go back', async (t) => {
  for (const [timezone, from] of [
    ['Australia/Lord_Howe', '2027-04-03T14:20Z'],
    ['Antarctica/Troll', '2027-10-30T23:50Z'],
    ['America/Havana', '2027-11-07T04:00Z']
  ] as const) {
    const first = Date.parse(from)
    const minutes = series('* * * * *', timezone, from, 150).map((it) => (Date.parse(it) - first) / 60_000)
    t.same(
      minutes,
      minutes.map((_, index) => index + 1),
      timezone
    )
  }
})
