import { NumberInput, Textarea, TextInput } from '@mantine/core'

export interface LiaisonDraft {
  readonly name: string
  readonly purpose: string
  readonly mayTell: string
  readonly dailyMessages: number
  /** As a field for a local time has it; empty: it never ends. */
  readonly expiresAt: string
}
export const bodyOf = ({ mayTell, expiresAt, ...draft }: LiaisonDraft) => ({
  ...draft,
  mayTell: mayTell || null,
  expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString()
})
/** A moment as a field for a local time has it. */
export function localTime(at: string | null): string {
  if (at === null) return ''
  const moment = new Date(at)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface Props {
  readonly draft: LiaisonDraft
  readonly onChange: (changes: Partial<LiaisonDraft>) => void
}

/** What a liaison is told, and until when. */
export const LiaisonFields = ({ draft, onChange }: Props) => (
  <>
    <TextInput
      label="Name"
      value={draft.name}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      maxLength={200}
      required
    />
    <Textarea
      label="What it is there for"
      description="And what it may agree to."
      value={draft.purpose}
      onChange={({ currentTarget }) => onChange({ purpose: currentTarget.value })}
      maxLength={5_000}
      autosize
      minRows={2}
      maxRows={8}
      required
    />
    <Textarea
      label="What it may tell"
      description="All that it knows about whom it stands for. Do not write down what outsiders must not learn."
      value={draft.mayTell}
      onChange={({ currentTarget }) => onChange({ mayTell: currentTarget.value })}
      maxLength={50_000}
      autosize
      minRows={3}
      maxRows={14}
    />
    <NumberInput
      label="Messages a day"
      description="Of all outsiders together (UTC)."
      min={1}
      max={1_000_000}
      allowDecimal={false}
      value={draft.dailyMessages}
      onChange={(value) => onChange({ dailyMessages: Number(value) || 1 })}
    />
    <TextInput
      type="datetime-local"
      label="Until"
      description="Left empty: until you end it."
      value={draft.expiresAt}
      onChange={({ currentTarget }) => onChange({ expiresAt: currentTarget.value })}
    />
  </>
)
