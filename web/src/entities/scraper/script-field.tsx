import { useState } from 'react'
import { get, useFormContext } from 'react-hook-form'
import { CodeEditor } from '@/ui/code/code-editor.tsx'
import { custom, type FieldSpec } from '@/ui/form/declare.ts'
import { Select } from '@/ui/select.tsx'

const languages = [
  { value: 'expr', label: 'CEL' },
  { value: 'gotemplate', label: 'Go template' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'jsonpath', label: 'JSONPath' },
] as const
type Language = (typeof languages)[number]['value']

/** The script of a transform: one text in one of four languages, each under a key of its own beside other keys. */
function ScriptField({ name, readOnly }: { name: string; readOnly: boolean }) {
  const { watch, setValue } = useFormContext()
  const parent = name.slice(0, name.lastIndexOf('.'))
  const around = get(watch(), parent) as Partial<Record<Language, string>> | undefined
  const written = languages.find((language) => around?.[language.value])?.value
  const [chosen, setChosen] = useState<Language>('expr')
  const language = written ?? chosen
  const write = (to: Language, text: string) => {
    for (const { value } of languages)
      setValue(`${parent}.${value}`, value === to && text !== '' ? text : undefined, { shouldDirty: true })
  }
  return (
    <div role="group" aria-label="Script" className="col-span-full flex min-w-0 flex-col gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm font-medium">Script</span>
        <Select
          aria-label="Script: language"
          className="h-6 w-auto border-transparent bg-transparent! px-1.5 text-xs text-muted"
          value={language}
          options={languages}
          disabled={readOnly}
          onChange={(next) => {
            setChosen(next)
            if (written) write(next, around?.[written] ?? '')
          }}
        />
      </div>
      <CodeEditor
        aria-label="Script"
        value={around?.[language] ?? ''}
        onChange={(text) => write(language, text)}
        language="text"
        size="very-small"
        readOnly={readOnly}
        wrap
      />
      <p className="text-xs text-subtle">Gives a list; each element becomes an item</p>
    </div>
  )
}

export const script: FieldSpec = custom('transform.script', {
  wide: true,
  render: (field) => <ScriptField name={field.name} readOnly={field.readOnly === true} />,
})
