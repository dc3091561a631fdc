import { suite } from '../suite.ts'

await suite('test/packs/*.test.ts')
