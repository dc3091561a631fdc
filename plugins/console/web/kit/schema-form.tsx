import {
  JsonInput,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput
} from '@mantine/core'

/** The part of JSON Schema by which fields are shown; what it does not know is entered as JSON. */
export interface FormSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly required?: readonly string[]
  readonly items?: FormSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly format?: string
  /** Shown, and not to be changed. */
  readonly readOnly?: boolean
  /** Never shown once it is set. */
  readonly secret?: boolean
}

type Values = Readonly<Record<string, unknown>>

/** Fields for the properties of an object's schema; a value that is emptied leaves the object. */
export function SchemaForm(props: {
  schema: FormSchema
  value: Values
  onChange: (value: Values) => void
  /** In a dialog: the first field has the focus. */
  isFocused?: boolean
}) {
  const { schema, value, onChange, isFocused } = props
  const set = (name: string, next: unknown) => {
    const { [name]: _, ...rest } = value
    onChange(next === undefined || next === '' ? rest : { ...rest, [name]: next })
  }
  return (
    <Stack gap="sm">
      {Object.entries(schema.properties ?? {}).map(([name, field], index) => (
        <SchemaField
          key={name}
          name={name}
          schema={field}
          isRequired={schema.required?.includes(name) ?? false}
          isFocused={index === 0 && isFocused === true}
          value={value[name]}
          onChange={(next) => set(name, next)}
        />
      ))}
    </Stack>
  )
}

interface FieldProps {
  readonly name: string
  readonly schema: FormSchema
  readonly isRequired: boolean
  readonly isFocused: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function SchemaField({ name, schema, isRequired, isFocused, value, onChange }: FieldProps) {
  const type = typeOf(schema)
  const shared = {
    label: schema.title ?? name,
    description: schema.description,
    required: isRequired,
    disabled: schema.readOnly,
    placeholder: exampleOf(schema),
    'data-autofocus': isFocused || undefined
  }
  if (schema.enum)
    return (
      <Select
        {...shared}
        clearable={!isRequired}
        data={schema.enum.map(String)}
        value={value === undefined ? null : String(value)}
        onChange={(next) => onChange(schema.enum?.find((it) => String(it) === next))}
      />
    )
  if (type === 'boolean')
    return (
      <Switch
        label={shared.label}
        description={shared.description}
        disabled={shared.disabled}
        checked={Boolean(value ?? schema.default)}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  if (type === 'number' || type === 'integer')
    return (
      <NumberInput
        {...shared}
        min={schema.minimum}
        max={schema.maximum}
        allowDecimal={type === 'number'}
        value={(value as number | undefined) ?? ''}
        onChange={(next) => onChange(next === '' ? undefined : Number(next))}
      />
    )
  if (type === 'array' && schema.items && typeOf(schema.items) === 'string')
    return <TagsInput {...shared} value={(value as string[] | undefined) ?? []} onChange={onChange} />
  if (type === 'string') {
    const text = { ...shared, maxLength: schema.maxLength, value: (value as string | undefined) ?? '' }
    if (schema.secret)
      return (
        <PasswordInput
          {...text}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    if ((schema.maxLength ?? 0) > 500)
      return (
        <Textarea
          {...text}
          autosize
          minRows={2}
          maxRows={12}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    return <TextInput {...text} onChange={(event) => onChange(event.currentTarget.value)} />
  }
  return <JsonField {...shared} value={value} onChange={onChange} />
}

/** What is entered counts once it is JSON. */
function JsonField({
  value,
  onChange,
  ...shared
}: Record<'label', string> & Pick<FieldProps, 'value' | 'onChange'>) {
  return (
    <JsonInput
      {...shared}
      autosize
      minRows={2}
      maxRows={16}
      formatOnBlur
      validationError="This is not JSON"
      defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
      onChange={(text) => {
        if (text.trim() === '') return onChange(undefined)
        try {
          onChange(JSON.parse(text))
        } catch {
          // Said below the field.
        }
      }}
    />
  )
}

const typeOf = ({ type }: FormSchema): string | undefined =>
  typeof type === 'string' ? type : type?.find((it) => it !== 'null')

function exampleOf({ examples, default: byDefault }: FormSchema): string | undefined {
  const example = byDefault ?? examples?.[0]
  if (example === undefined || typeof example === 'boolean') return undefined
  return typeof example === 'object' ? JSON.stringify(example) : String(example)
}
