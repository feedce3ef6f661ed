import { autocompletion, type Completion, type CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { EditorView, hoverTooltip } from '@codemirror/view'
import { type CursorPlace, yamlPlace } from './cursor-path.ts'
import { jsonPlace } from './json-place.ts'
import { describe, propertiesAt, type Property, type SchemaObject, typesOf, valuesAt } from './json-schema.ts'
import { diagnose } from './diagnose.ts'
import type { CodeLanguage } from './language.ts'

// Beyond this size the document is still edited at full speed, but no longer read as a whole on every pause.
const tooLarge = 500_000

/** Completion, hints and checks for YAML and JSON, by a schema when there is one. */
export function schemaSupport(language: CodeLanguage, schema: SchemaObject | undefined): Extension {
  if (language === 'text') return []
  const placeAt = (view: { doc: { toString: () => string; length: number } }, offset: number) =>
    language === 'yaml' ? yamlPlace(view.doc.toString(), offset) : jsonPlace(view.doc.toString(), offset)
  return [
    linter(
      (view) =>
        view.state.doc.length > tooLarge ? [] : (diagnose(view.state.doc.toString(), schema) satisfies Diagnostic[]),
      { delay: 400 },
    ),
    schema
      ? [
          autocompletion({
            override: [
              (context) =>
                context.state.doc.length > tooLarge
                  ? null
                  : complete(placeAt(context.state, context.pos), schema, language),
            ],
            icons: false,
          }),
          hoverTooltip((view, offset) => {
            if (view.state.doc.length > tooLarge) return null
            const line = view.state.doc.lineAt(offset)
            const place = placeAt(view.state, line.to)
            const text = describe(
              schema,
              place.kind === 'key' ? [...place.path, place.typed.replace(/:.*$/, '').trim()] : place.path,
            )
            return text
              ? {
                  pos: line.from + (line.text.length - line.text.trimStart().length),
                  above: true,
                  create: () => ({ dom: textNode(text) }),
                }
              : null
          }),
        ]
      : autocompletion({ override: [], icons: false }),
    // Escape closes a list of suggestions, not the dialog around the editor.
    EditorView.domEventHandlers({
      keydown: (event, view) => {
        if (event.key === 'Escape' && view.dom.querySelector('.cm-tooltip-autocomplete, .cm-search'))
          event.stopPropagation()
      },
    }),
  ]
}

function textNode(text: string) {
  const dom = document.createElement('div')
  dom.textContent = text
  return dom
}

/** What can be written at a place. Exported for tests. */
export function suggestions(place: CursorPlace, schema: SchemaObject, language: CodeLanguage): Completion[] {
  if (place.kind === 'value') {
    return valuesAt(schema, place.path).map(({ value, description }) => ({
      label: typeof value === 'string' && language === 'yaml' ? yamlText(value) : JSON.stringify(value),
      detail: description,
    }))
  }
  if (place.kind === 'none') return []
  return propertiesAt(schema, place.path)
    .filter((property) => !place.siblings.has(property.name))
    .map((property) => ({
      label: property.name,
      detail: [typesOf(property.schema).join(' | '), property.isRequired && 'required'].filter(Boolean).join(', '),
      info: property.schema.description,
      boost: property.isRequired ? 2 : property.schema.deprecated ? -2 : 0,
      apply: language === 'yaml' ? yamlKey(property, place.indent) : `"${property.name}": `,
    }))
}

function yamlKey({ name, schema }: Property, indent: number) {
  const key = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name)
  const types = typesOf(schema)
  if (types.includes('object')) return `${key}:\n${' '.repeat(indent + 2)}`
  if (types.includes('array')) return `${key}:\n${' '.repeat(indent + 2)}- `
  return `${key}: `
}

/** A text as YAML needs it: quoted where it would be read as something else. */
function yamlText(text: string) {
  const isPlain = /^[A-Za-z_./][\w ./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

function complete(place: CursorPlace, schema: SchemaObject, language: CodeLanguage): CompletionResult | null {
  const options = suggestions(place, schema, language)
  if (options.length === 0) return null
  return { from: place.from, options, validFor: /^[\w@./ -]*$/ }
}
