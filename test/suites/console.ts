import { suite } from '../suite.ts'

await suite('test/console/**/*.test.ts')
