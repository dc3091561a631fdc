import type { Test } from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { packText } from '../../../test/pack-folders.ts'
import { until, workshop } from '../../../test/packs/stage.ts'

/** A tool that is called after a decision. */
const desk = packText(
  'desk',
  `contributes: { 'runs.tools': [{ make: () => ({ offer: async () => [{
    name: 'sign', parameters: { type: 'object' }, idempotent: true, approval: 'Signs',
    call: async () => ({ output: 'signed' })
  }] }) }] }`
)

export const base = '/v1/evaluations'

/** A platform with an agent of ada's that is evaluated, and what asks for that. */
export async function stage(t: Test) {
  const { folder, write } = await workshop(t)
  await write('desk', { 'pack.ts': desk })
  const booted = await boot(t, 'evaluations', 'credits', 'ui-plugins', 'sandbox', 'packs', 'desk', {
    folders: [folder],
    env: {
      RUN_MODEL_RETRIES: '0',
      SANDBOX_PROCESSES: '2',
      EVALUATIONS_MOST_DATASETS: '20',
      EVALUATIONS_MOST_ITEMS: '40',
      EVALUATIONS_MOST_RUNNING: '2'
    }
  })
  const [ada, eve] = [booted.as('ada'), booted.as('eve')]
  const local = { modelProvider: 'local' }
  const agent = await ada.agent(local)
  const make = async (client: Client, path: string, body: object) => {
    const reply = await client.post(`${base}${path}`, body)
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.data
  }
  const dataset = async (items: object[] = []) => {
    const { id } = await make(ada, '/datasets', { name: 'Answers' })
    if (items.length > 0) await make(ada, `/datasets/${id}/items`, { items })
    return id as string
  }
  const read = async (path: string, client = ada) => (await client.get(`${base}${path}`)).body.data
  const over = (id: string) =>
    until(
      () => read(`/experiments/${id}`),
      ({ status }) => status !== 'running'
    )
  const experiment = async (datasetId: string, scorers: object[], more: object = {}) => {
    const { id } = await make(ada, '/experiments', { datasetId, agentId: agent.id, scorers, ...more })
    return over(id)
  }
  return {
    ...booted,
    knex: booted.platform.knex,
    ada,
    eve,
    agent,
    local,
    make,
    dataset,
    read,
    over,
    experiment
  }
}

/** The events of a stream that has ended. */
export const eventsOf = (text: string) =>
  text.split('\n\n').flatMap((frame) => {
    const line = frame.split('\n').find((it) => it.startsWith('data: '))
    return line ? JSON.parse(line.slice(6)) : []
  })
