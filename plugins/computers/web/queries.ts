import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Computer = Schemas['Computer']
export type ComputerConfig = Schemas['ComputerConfig']
export type ComputerFile = Schemas['ComputerFile']
export type PageView = Schemas['PageView']

export const params = (agentId: string) => ({ path: { agentId } })

export const computerQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['computer', agentId, 'state'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}/computer', { params: params(agentId), signal })).data,
    refetchInterval: 10_000
  })

export const configQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['computer', agentId, 'config'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}/computer/config', { params: params(agentId), signal })).data
  })

export const fileQuery = (agentId: string, path: string) =>
  queryOptions({
    queryKey: ['computer', agentId, 'files', path],
    queryFn: ({ signal }) => readFile(agentId, path, { signal }),
    retry: false
  })

export async function readFile(
  agentId: string,
  path: string,
  { signal, ...query }: { signal?: AbortSignal; offset?: number; length?: number; encoding?: 'base64' } = {}
): Promise<ComputerFile> {
  const given = { params: { ...params(agentId), query: { path, ...query } } }
  return (await api.get('/v1/agents/{agentId}/computer/files/read', { ...given, ...(signal && { signal }) }))
    .data
}

/** All of a file, in parts. */
export async function readWhole(agentId: string, path: string): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: ComputerFile = await readFile(agentId, path, { offset, length: PART, encoding: 'base64' })
    parts.push(bytesOfBase64(part.content ?? ''))
    offset = part.nextOffset
  }
  return new Blob(parts)
}
const PART = 4_194_304

export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

export const pathIn = (folder: string, name: string) => (folder === '.' ? name : `${folder}/${name}`)
