import { useQuery } from '@tanstack/react-query'
import type { SignedIn } from 'agent-platform/console'
import { ownPersonQuery, projectQuery } from './queries.ts'

/** The names of a person and of the project that is worked in; who signed in by a key has none. */
export default function SignedInNames({ principalId, project, children }: SignedIn) {
  const isPerson = principalId.startsWith('person_')
  const person = useQuery({ ...ownPersonQuery, enabled: isPerson })
  const place = useQuery({ ...projectQuery(project), enabled: isPerson && project.startsWith('project_') })
  return children(person.data?.name ?? principalId, place.data?.name ?? project)
}
