import { suite } from '../suite.ts'

await suite('plugins/{autonomy,jobs,tasks}/**/*.test.ts')
