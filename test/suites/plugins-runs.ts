import { suite } from '../suite.ts'

await suite('plugins/runs/**/*.test.ts')
