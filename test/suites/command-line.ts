import { suite } from '../suite.ts'

await suite('{cli,process,test/cli}/**/*.test.ts')
