import { suite } from '../suite.ts'

await suite('test/apps/**/*.test.ts')
