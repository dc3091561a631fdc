import { suite } from '../suite.ts'

await suite('plugins/{channels,code-projects,computers,openai,runtimes}/**/*.test.ts')
