import { suite } from '../suite.ts'

await suite('test/http/*.test.ts')
