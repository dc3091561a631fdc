import { suite } from '../suite.ts'

await suite('plugins/{mcp,mcp-server}/**/*.test.ts')
