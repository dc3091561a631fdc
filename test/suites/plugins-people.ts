import { suite } from '../suite.ts'

await suite('plugins/{a2a,access,connections,identity,liaison,spaces}/**/*.test.ts')
