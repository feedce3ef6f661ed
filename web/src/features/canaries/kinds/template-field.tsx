import { useState } from 'react'
import { CodeEditor } from '@/ui/code/code-editor.tsx'
import { custom, type FieldOptions } from '@/ui/form/declare.ts'
import { FieldFrame, type FieldProps, labelOf, useField } from '@/ui/form/field.tsx'
import { Select } from '@/ui/select.tsx'

const languages = [
  { value: 'expr', label: 'CEL' },
  { value: 'template', label: 'Go template' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'jsonPath', label: 'JSONPath' },
] as const
type Language = (typeof languages)[number]['value']
type Template = Partial<Record<Language, string>>

/** An expression of a spec: one text in one of four languages. */
export function TemplateField(props: FieldProps) {
  const field = useField(props)
  const value = (typeof field.value === 'object' && field.value !== null ? field.value : {}) as Template
  const written = languages.find(({ value: key }) => value[key])?.value
  const [chosen, setChosen] = useState<Language>('expr')
  const language = written ?? chosen
  const label = props.label ?? labelOf(props.name)
  const write = (to: Language, text: string) => {
    // Keys this field does not know stay; an empty text leaves nothing behind.
    const rest = Object.entries(value).filter(([key]) => !languages.some((each) => each.value === key))
    const next = text === '' ? rest : [...rest, [to, text]]
    field.onChange(next.length > 0 ? Object.fromEntries(next) : undefined)
  }
  return (
    <FieldFrame
      field={field}
      props={props}
      asGroup
      actions={
        <Select
          aria-label={`${label}: language`}
          className="h-6 w-auto border-transparent bg-transparent! px-1.5 text-xs text-muted"
          value={language}
          options={languages}
          disabled={props.readOnly}
          onChange={(next) => {
            setChosen(next)
            if (written) write(next, value[written] ?? '')
          }}
        />
      }
    >
      <CodeEditor
        id={field.aria.id}
        aria-label={label}
        aria-describedby={field.aria['aria-describedby']}
        value={value[language] ?? ''}
        onChange={(text) => write(language, text)}
        language="text"
        size="very-small"
        readOnly={props.readOnly}
        wrap
      />
    </FieldFrame>
  )
}

export const template = (name: string, options: FieldOptions = {}) =>
  custom(name, {
    wide: true,
    ...options,
    render: (field) => <TemplateField {...(field as FieldProps)} className="col-span-full" />,
  })
