import { suite } from '../suite.ts'

await suite('plugins/workflows/**/*.test.ts')
