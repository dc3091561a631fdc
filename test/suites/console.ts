import { sharingSuite } from '../suite.ts'

await sharingSuite('test/console/**/*.test.ts')
