import { type ReactNode, useCallback, useRef, useState } from 'react'
import { bookkeeping, changedFields, EditConflict, type Versioned } from '@/api/edit-conflict.ts'
import { Age } from '@/ui/age.tsx'
import { Button } from '@/ui/button.tsx'
import { DiffView } from '@/ui/code/diff-view.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { writeSpec } from '@/ui/form/spec-text.ts'
import { Segmented } from '@/ui/segmented.tsx'

interface Options<Row extends Versioned> {
  /** What it is called, e.g. the name of the connection. */
  name: string
  /** Fields whose values are not shown, only that they changed. */
  secret?: readonly string[]
  /** Shows the form anew with what is stored now; what was entered is given up. */
  onReload: (current: Row) => unknown
}

type Choice = 'overwrite' | 'reload' | 'keep'

/**
 * Saving over what somebody else saved asks first. `save` runs the given call with the row to save over and says whether
 * it was saved; put `dialog` beside the form.
 */
export function useEditConflict<Row extends Versioned>(read: Row, options: Options<Row>) {
  const [conflict, setConflict] = useState<EditConflict<Row>>()
  const answer = useRef<(choice: Choice) => void>(undefined)
  const { onReload } = options

  const save = useCallback(
    async (call: (over: Row) => Promise<unknown>): Promise<boolean> => {
      let over = read
      for (;;) {
        try {
          await call(over)
          return true
        } catch (error) {
          if (!(error instanceof EditConflict)) throw error
          const found = error as EditConflict<Row>
          const choice = await new Promise<Choice>((resolve) => {
            answer.current = resolve
            setConflict(found)
          })
          setConflict(undefined)
          if (choice === 'reload') await onReload(found.current)
          if (choice !== 'overwrite') return false
          over = found.current
        }
      }
    },
    [read, onReload],
  )

  const dialog: ReactNode = conflict && (
    <EditConflictDialog
      conflict={conflict}
      name={options.name}
      secret={options.secret}
      onChoose={(choice) => answer.current?.(choice)}
    />
  )
  return { save, dialog }
}

const views = [
  { value: 'theirs', label: 'What they changed' },
  { value: 'yours', label: 'What yours would change' },
] as const

function EditConflictDialog({
  conflict,
  name,
  secret = [],
  onChoose,
}: {
  conflict: EditConflict
  name: string
  secret?: readonly string[]
  onChoose: (choice: Choice) => void
}) {
  const [view, setView] = useState<(typeof views)[number]['value']>('theirs')
  const { before, after } = differenceOf(conflict, view, secret)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onChoose('keep')}
      title={`Somebody else changed ${name}`}
      description={
        conflict.current.updated_at ? (
          <>
            Saved <Age value={conflict.current.updated_at} suffix=" ago" />, after you opened it.
          </>
        ) : (
          'Saved after you opened it.'
        )
      }
      size="small"
      dismissable={false}
      bodyClassName="flex h-80 flex-col gap-3"
      footer={
        <>
          <Button onClick={() => onChoose('keep')}>Keep editing</Button>
          <Button variant="danger" onClick={() => onChoose('overwrite')}>
            Overwrite theirs
          </Button>
          <Button variant="primary" onClick={() => onChoose('reload')}>
            Reload
          </Button>
        </>
      }
    >
      <Segmented aria-label="Difference" value={view} onChange={setView} options={views} className="self-start" />
      {before === after ? (
        <EmptyState title="Nothing that is shown differs">Values that are not shown may.</EmptyState>
      ) : (
        <DiffView before={before} after={after} label={views.find(({ value }) => value === view)!.label} />
      )}
    </Dialog>
  )
}

/** Both versions as text, only with fields that were to be saved. */
export function differenceOf(
  { read, current, values }: EditConflict,
  view: 'theirs' | 'yours',
  secret: readonly string[],
): { before: string; after: string } {
  const fields = Object.keys(values).filter((field) => !bookkeeping.includes(field))
  const [old, next]: [object, object] = view === 'theirs' ? [read, current] : [current, { ...current, ...values }]
  const changed = new Set(changedFields(old, next, fields))
  const text = (row: object, word: string) => {
    const shown = fields.flatMap((field) => {
      const value = (row as Record<string, unknown>)[field] ?? null
      if (!secret.includes(field)) return [[field, value] as const]
      return [[field, changed.has(field) ? `(${word} value, not shown)` : '(not shown)'] as const]
    })
    return writeSpec(Object.fromEntries(shown), 'yaml')
  }
  return { before: text(old, 'old'), after: text(next, 'new') }
}
