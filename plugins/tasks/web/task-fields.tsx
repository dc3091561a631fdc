import { Group, JsonInput, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { AgentSelect, api, SearchSelect } from 'agent-platform/console'
import { useState } from 'react'
import { ScheduleFields } from './schedule-fields.tsx'
import type { FieldsProps, TaskDraft } from './task-draft.ts'

const modes = [
  { value: 'single', label: 'An agent' },
  { value: 'sequential', label: 'An agent, in the order of its session' },
  { value: 'workflow', label: 'A workflow' }
]

/** What is to be done, by whom, when, and how often it is tried. */
export function TaskFields({ draft, onChange }: FieldsProps) {
  const set = (changes: Partial<TaskDraft>) => onChange({ ...draft, ...changes })
  return (
    <Stack>
      <TextInput
        label="Title"
        description="What is to be done, in a line."
        value={draft.title}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        maxLength={200}
        required
        data-autofocus
      />
      <Textarea
        label="Description"
        description="What the agent is told below the title."
        value={draft.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={20_000}
      />
      <Select
        label="Done by"
        data={modes}
        value={draft.executionMode}
        onChange={(mode) => mode && set({ executionMode: mode as TaskDraft['executionMode'] })}
        allowDeselect={false}
      />
      <DoneBy draft={draft} onChange={onChange} />
      <ScheduleFields draft={draft} onChange={onChange} />
      <InputField value={draft.input} onChange={(input) => set({ input })} />
      <Group grow align="flex-start">
        <NumberInput
          label="Attempts"
          description="In all, when a run fails."
          min={1}
          max={20}
          allowDecimal={false}
          value={draft.attempts}
          onChange={(attempts) => set({ attempts: Number(attempts) || 1 })}
        />
        <NumberInput
          label="Seconds before the second"
          description="Doubled with each attempt."
          min={1}
          max={86_400}
          allowDecimal={false}
          disabled={draft.attempts < 2}
          value={draft.backoffSeconds}
          onChange={(seconds) => set({ backoffSeconds: Number(seconds) || 1 })}
        />
      </Group>
    </Stack>
  )
}

function DoneBy({ draft, onChange }: FieldsProps) {
  const { executionMode, agentId, sessionId, workflowId } = draft
  const isWorkflow = executionMode === 'workflow'
  if (isWorkflow)
    return (
      <SearchSelect
        label="Workflow"
        placeholder="Choose a workflow"
        what="workflows"
        find={async (query, signal) => {
          const { data } = await api.get('/v1/workflows', { params: { query }, signal })
          return data.map(({ id, name }) => ({ value: id, label: name }))
        }}
        read={async (id, signal) => {
          const query = { query: id, limit: 1 }
          return (await api.get('/v1/workflows', { params: { query }, signal })).data[0]?.name ?? id
        }}
        value={workflowId}
        onChange={(workflowId) => onChange({ ...draft, workflowId })}
        required
      />
    )
  const isInOrder = executionMode === 'sequential'
  return (
    <>
      <AgentSelect
        required
        value={agentId}
        onChange={(agentId) => onChange({ ...draft, agentId, sessionId: null })}
      />
      <SearchSelect
        label="Session"
        placeholder={isInOrder ? 'Choose a session' : 'A new one for each run'}
        description={
          isInOrder ? 'Tasks of one session run one after another.' : 'Runs may continue a session.'
        }
        what="sessions"
        of={agentId ?? undefined}
        find={async (query, signal) => {
          if (agentId === null) return []
          const params = { path: { agentId }, query }
          const { data } = await api.get('/v1/sessions/agent/{agentId}', { params, signal })
          return data.map(({ id, title }) => ({ value: id, label: title ?? id }))
        }}
        read={async (id, signal) =>
          (await api.get('/v1/sessions/{id}', { params: { path: { id } }, signal })).data.title ?? id
        }
        value={sessionId}
        onChange={(sessionId) => onChange({ ...draft, sessionId })}
        disabled={agentId === null}
        clearable={!isInOrder}
        required={isInOrder}
      />
    </>
  )
}

/** What is entered counts once it is a JSON object. */
function InputField({
  value,
  onChange
}: {
  value: TaskDraft['input']
  onChange: (value: TaskDraft['input']) => void
}) {
  const [text, setText] = useState(value ? JSON.stringify(value, null, 2) : '')
  return (
    <JsonInput
      label="Input"
      description="An object as JSON: of the workflow, or told to the agent."
      value={text}
      onChange={(text) => {
        setText(text)
        const input = objectOf(text)
        if (input !== undefined) onChange(input)
      }}
      error={objectOf(text) === undefined ? 'This is not a JSON object' : undefined}
      autosize
      minRows={2}
      maxRows={12}
    />
  )
}

/** Null for no text, undefined for what is no object. */
function objectOf(text: string): TaskDraft['input'] | undefined {
  if (text.trim() === '') return null
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
