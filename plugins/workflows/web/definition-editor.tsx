import { Button, Grid, Group, Menu, Skeleton, Stack } from '@mantine/core'
import { api, DraftState, ErrorNotice, useAction, useAddress, useDraft } from 'agent-platform/console'
import type { Workflow } from 'agent-platform-client'
import { ApiError } from 'agent-platform-client'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Definition, Step } from './definition.ts'
import {
  changeStep,
  connect,
  freeId,
  insideOf,
  placedSteps,
  removeStep,
  stepAtPointer
} from './definition.ts'
import { StepList } from './step-list.tsx'
import { StepPanel } from './step-panel.tsx'
import { stepTypeOf, typeNames } from './step-types.ts'
import { ValueField } from './value-field.tsx'

const WorkflowGraph = lazy(() => import('./workflow-graph.tsx'))

/** The steps of a workflow: drawn, listed, and edited by a form. What is not saved is kept in the browser. */
export function DefinitionEditor({ workflow }: { workflow: Workflow }) {
  const address = useAddress()
  const draft = useDraft(
    `workflow ${workflow.id}`,
    workflow,
    ({ definition }: Workflow) =>
      ({ ...definition, inputSchema: definition.inputSchema, output: definition.output }) as Definition
  )
  const definition = draft.value
  const { steps } = definition
  const all = placedSteps(steps)
  const selected = all.find(({ step }) => step.id === address.search.get('step'))
  const select = (id: string | null) => address.change({ step: id })
  const change = (steps: readonly Step[]) => draft.change({ steps: [...steps] })

  const saving = useAction({
    run: (definition: Definition) =>
      api.put('/v1/workflows/{id}', {
        params: { path: { id: workflow.id } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: { definition }
      }),
    changes: [['workflows', workflow.id]],
    draft,
    done: 'The steps are saved as a new version',
    isQuiet: true
  })
  const { error } = saving
  const faulty = error instanceof ApiError && error.param ? stepAtPointer(steps, error.param) : undefined
  const { isChanged } = draft
  const id = selected?.step.id ?? null

  const add = (type: string) => {
    const step: Step = { id: freeId(steps, type), type, config: { ...stepTypeOf(type).begins } }
    const within = selected && (selected.step.type === 'parallel' || selected.step.type === 'forEach')
    if (within)
      change(
        changeStep(steps, selected.step.id, (container) => ({
          ...container,
          config: { ...container.config, steps: [...insideOf(container), step] }
        }))
      )
    else change([...steps, selected?.depth === 0 ? { ...step, dependsOn: [selected.step.id] } : step])
    select(step.id)
  }

  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="xs">
          <Menu shadow="md">
            <Menu.Target>
              <Button variant="default" size="sm" leftSection={<Plus size={16} aria-hidden />}>
                Add a step
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {typeNames.map((type) => {
                const { icon: Icon, label } = stepTypeOf(type)
                return (
                  <Menu.Item
                    key={type}
                    leftSection={<Icon size={16} aria-hidden />}
                    onClick={() => add(type)}
                  >
                    {label}
                  </Menu.Item>
                )
              })}
            </Menu.Dropdown>
          </Menu>
          {selected && (
            <Button variant="default" size="sm" onClick={() => select(null)}>
              Input and output
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button
            size="sm"
            disabled={!isChanged}
            loading={saving.isPending}
            onClick={() =>
              saving.mutate(definition, {
                onError: (error) => {
                  const at = error instanceof ApiError && error.param && stepAtPointer(steps, error.param)
                  if (at) select(at)
                }
              })
            }
          >
            Save steps
          </Button>
        </Group>
      </Group>
      {error && !faulty && !(error instanceof ApiError && error.status === 412) ? (
        <ErrorNotice error={error} />
      ) : null}
      {isChanged && !saving.isPending && <DraftState draft={draft} error={error} />}
      <Grid key={draft.key} gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <Suspense fallback={<Skeleton height={520} radius="md" />}>
              <WorkflowGraph
                steps={steps}
                selected={id}
                onSelect={select}
                onConnect={(from, to) => change(connect(steps, from, to))}
              />
            </Suspense>
            <StepList steps={steps} selected={id} onSelect={select} faulty={faulty} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          {selected ? (
            <StepPanel
              key={selected.step.id}
              step={selected.step}
              beside={selected.beside}
              fault={faulty === id ? error : undefined}
              onChange={(step) => change(changeStep(steps, step.id, () => step))}
              onRemove={() => {
                change(removeStep(steps, selected.step.id))
                select(null)
              }}
            />
          ) : (
            <Stack gap="sm">
              <ValueField
                label="Schema of the input"
                description="JSON Schema: what an execution is given."
                value={definition.inputSchema}
                onChange={(inputSchema) => draft.change({ inputSchema } as Partial<Definition>)}
              />
              <ValueField
                label="Output"
                description="With expressions. Left out: what the last steps give, by their ids."
                value={definition.output}
                onChange={(output) => draft.change({ output } as Partial<Definition>)}
              />
            </Stack>
          )}
        </Grid.Col>
      </Grid>
    </Stack>
  )
}
