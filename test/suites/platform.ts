import { suite } from '../suite.ts'

await suite('test/{acting,client,durable,knowledge,model-server,money,runs}/*.test.ts')
