import { Type } from 'typebox'

export const readMetrics = {
  tags: ['metrics'],
  summary: 'Get all metrics of this instance',
  description: 'In the text format of Prometheus.',
  response: { 200: { content: { 'text/plain': { schema: Type.String() } } } }
}
