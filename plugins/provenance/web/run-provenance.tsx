import { Provenance } from './provenance.tsx'

export default function RunProvenance({ runId }: { runId: string }) {
  return <Provenance type="run" id={runId} />
}
