import t from 'tap'
import { behaves } from './behaviour-testbed.ts'
import { outside, postgresqlServer, stage } from './testbed.ts'

const booted = await stage(t)
const { url } = await postgresqlServer(t)

await behaves(t, outside(booted, 'postgresql', url))
