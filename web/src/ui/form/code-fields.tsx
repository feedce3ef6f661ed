import { lazy, Suspense } from 'react'
import { CodeEditor, type CodeEditorProps, codeHeights, type CodeSize } from '../code/code-editor.tsx'
import { Skeleton } from '../skeleton.tsx'
import { FieldFrame, type FieldProps, labelOf, useField } from './field.tsx'

const SpecEditor = lazy(async () => ({ default: (await import('./spec-editor.tsx')).SpecEditor }))

export interface SpecFieldProps extends FieldProps, Pick<CodeEditorProps, 'schema'> {
  language?: 'yaml' | 'json'
  size?: CodeSize
}

/** An object of the form, edited as YAML or JSON. */
export function SpecField({ schema, language, size = 'large', ...props }: SpecFieldProps) {
  const field = useField(props)
  const { id, ...aria } = field.aria
  return (
    <FieldFrame field={field} props={props} asGroup>
      <Suspense fallback={<Skeleton className="w-full rounded-md" style={{ height: codeHeights[size] }} />}>
        <SpecEditor
          id={id}
          aria-label={props.label ?? labelOf(props.name)}
          aria-invalid={aria['aria-invalid']}
          aria-describedby={aria['aria-describedby']}
          value={field.value}
          onChange={field.onChange}
          schema={schema}
          language={language}
          size={size}
          readOnly={props.readOnly || props.disabled}
        />
      </Suspense>
    </FieldFrame>
  )
}

/** A text of the form, edited as code: scripts, templates, queries. */
export function CodeField({
  schema,
  language = 'text',
  size = 'small',
  ...props
}: FieldProps & Pick<CodeEditorProps, 'schema' | 'language'> & { size?: CodeSize }) {
  const field = useField(props)
  const { id, ...aria } = field.aria
  return (
    <FieldFrame field={field} props={props} asGroup>
      <CodeEditor
        id={id}
        aria-label={props.label ?? labelOf(props.name)}
        aria-invalid={aria['aria-invalid']}
        aria-describedby={aria['aria-describedby']}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={field.onChange}
        schema={schema}
        language={language}
        size={size}
        readOnly={props.readOnly || props.disabled}
        wrap={language === 'text'}
      />
    </FieldFrame>
  )
}
