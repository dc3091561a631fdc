import { randomUUID } from 'node:crypto'
import type { Thing } from './client.ts'

/** As an API server says that it cannot. */
export class Refused extends Error {
  readonly status: number
  readonly reason: string
  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}
type Listener = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Thing) => void

export const kinds: Readonly<Record<string, string>> = {
  nodes: 'Node',
  namespaces: 'Namespace',
  pods: 'Pod',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  serviceaccounts: 'ServiceAccount',
  networkpolicies: 'NetworkPolicy',
  storageclasses: 'StorageClass',
  roles: 'Role',
  rolebindings: 'RoleBinding'
}

/** Objects of one kind in one namespace, and who hears of them. */
export function createResource(resource: string) {
  const objects = new Map<string, Thing>()
  const listeners = new Set<Listener>()
  let version = 1
  const tell: Listener = (type, object) => {
    for (const listen of listeners) listen(type, structuredClone(object))
  }
  const find = (name: string): Thing => {
    const found = objects.get(name)
    if (!found) throw new Refused(404, 'NotFound', `${resource} "${name}" not found`)
    return found
  }
  function put(type: 'ADDED' | 'MODIFIED', object: Thing): Thing {
    object.metadata.resourceVersion = String(++version)
    objects.set(object.metadata.name, object)
    tell(type, object)
    return object
  }
  const drop = (object: Thing): Thing => {
    objects.delete(object.metadata.name)
    tell('DELETED', object)
    return object
  }

  return {
    find,
    all: () => [...objects.values()],
    create(given: Thing): Thing {
      const { name } = given.metadata
      if (objects.has(name)) throw new Refused(409, 'AlreadyExists', `${resource} "${name}" already exists`)
      const metadata = {
        ...given.metadata,
        uid: randomUUID(),
        creationTimestamp: new Date().toISOString().replace(/\.\d+/, '')
      }
      return put('ADDED', { ...given, metadata })
    },
    change(name: string, changes: Thing): Thing {
      return put('MODIFIED', merge(structuredClone(find(name)), changes))
    },
    /** A pod that a node has goes when the node says so. */
    remove(name: string, { preconditions, gracePeriodSeconds }: Thing = {}): Thing {
      const found = find(name)
      if (preconditions?.uid && preconditions.uid !== found.metadata.uid)
        throw new Refused(
          409,
          'Conflict',
          `Operation cannot be fulfilled on ${resource} "${name}": the UID in the precondition (${preconditions.uid}) does not match the UID in record (${found.metadata.uid}). The object might have been deleted and then recreated`
        )
      if (resource !== 'pods' || !found.spec.nodeName || gracePeriodSeconds === 0) return drop(found)
      if (found.metadata.deletionTimestamp) return found
      return put('MODIFIED', {
        ...found,
        metadata: { ...found.metadata, deletionTimestamp: new Date().toISOString() }
      })
    },
    listen(listener: Listener): () => void {
      for (const object of objects.values()) listener('ADDED', structuredClone(object))
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** As `application/merge-patch+json` has it. */
function merge(into: Thing, changes: Thing): Thing {
  for (const [name, value] of Object.entries(changes))
    if (value === null) delete into[name]
    else if (typeof value === 'object' && !Array.isArray(value)) into[name] = merge(into[name] ?? {}, value)
    else into[name] = value
  return into
}
