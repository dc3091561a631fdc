import { piecesOf } from './paths.ts'

/** Names operations, each differently: `GET /v1/goals/:goalId` is `getGoalsByGoalId`. */
export function createOperationIds(): (method: string, path: string) => string {
  const given = new Set<string>()
  return (method, path) => {
    const name = nameOf(method, path)
    let id = name
    for (let number = 2; given.has(id); number++) id = `${name}${number}`
    given.add(id)
    return id
  }
}

function nameOf(method: string, path: string): string {
  const words = piecesOf(path.replace(/^\/v1(?=\/)/, '')).map((piece) =>
    'text' in piece ? capitalised(piece.text) : `By${capitalised(piece.name === '*' ? 'path' : piece.name)}`
  )
  return method.toLowerCase() + words.join('')
}

const capitalised = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
