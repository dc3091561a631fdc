import type { Model } from '../../models/contract.ts'

/** By which replies of that model are known. */
export const originOf = ({
  origin,
  modelProvider,
  modelId
}: Pick<Model, 'origin' | 'modelProvider' | 'modelId'>) => origin ?? `${modelProvider}/${modelId}`
