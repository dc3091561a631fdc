import { Provenance } from './provenance.tsx'

export default function SessionProvenance({ sessionId }: { sessionId: string }) {
  return <Provenance type="session" id={sessionId} />
}
