import type { Paging as PageQuery } from 'agent-platform'
import { Closed, Page, Paging } from 'agent-platform'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { listModels } from './schemas.ts'
import type { ModelService } from './services/models.ts'

const Model = listModels.response[200].properties.data.items

export const listCapability = ({ modelService }: { modelService: ModelService }): Capability<PageQuery> => ({
  title: 'List models',
  description: 'The models that the project knows, and which of them it can use, in pages',
  risk: 'low',
  reaches: 'Reads which models there are',
  params: Closed(Paging),
  result: Page(
    Type.Pick(Model, ['id', 'modelProvider', 'modelId', 'name', 'modalities', 'configured', 'default'])
  ),
  idempotent: true,
  // As the route, which asks for no scope.
  scope: [],
  call: ({ project }, page) => modelService.list(project, page)
})
