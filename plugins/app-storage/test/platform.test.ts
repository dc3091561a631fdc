import t from 'tap'
import { behaves } from './behaviour-testbed.ts'
import { stage } from './testbed.ts'

const { app, as } = await stage(t)

await behaves(t, (storage) => app(as('ada'), storage))
