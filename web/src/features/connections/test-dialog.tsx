import { CircleCheck, CircleX, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { useTestConnection } from './connections.queries.ts'
import { goodOrNot, refusalText, type TestResult } from './test-result.ts'

/** Tries the stored connection and shows what came of it. */
export function TestConnection({ id, isDirty }: { id: string; isDirty: boolean }) {
  const [result, setResult] = useState<TestResult>()
  const test = useTestConnection()
  const run = () =>
    test.mutate(id, {
      onSuccess: (answer) => setResult(goodOrNot(answer)),
      onError: (error) => setResult(refusalText(error)),
    })
  return (
    <>
      <Button
        icon={PlugZap}
        loading={test.isPending}
        disabled={isDirty}
        title={isDirty ? 'Update first: what is tested is what is stored' : undefined}
        onClick={run}
      >
        Test
      </Button>
      <Dialog
        open={result !== undefined}
        onOpenChange={(open) => !open && setResult(undefined)}
        title="Test Connection Results"
        size="very-small"
        footer={<Button onClick={() => setResult(undefined)}>Close</Button>}
      >
        {result && <Outcome {...result} />}
      </Dialog>
    </>
  )
}

function Outcome({ isGood, text }: TestResult) {
  const Icon = isGood ? CircleCheck : CircleX
  const isLong = text.includes('\n')
  return (
    <div role="status" className="flex items-start gap-3">
      <Icon size={20} aria-hidden className={`mt-0.5 shrink-0 ${isGood ? 'text-ok' : 'text-bad'}`} />
      {isLong ? (
        <pre className="max-h-80 min-w-0 flex-1 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-words">
          {text}
        </pre>
      ) : (
        <p className="min-w-0 break-words">{text}</p>
      )}
    </div>
  )
}
