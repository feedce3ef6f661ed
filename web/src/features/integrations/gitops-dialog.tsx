import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { useAccess } from '@/api/access.tsx'
import { messageOf } from '@/api/errors.ts'
import { Button } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/code/code-editor.tsx'
import type { SchemaObject } from '@/ui/code/json-schema.ts'
import { Dialog } from '@/ui/dialog.tsx'
import { duration, labels, spec, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { useLeaveGuard } from '@/ui/form/leave-guard.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import type { GitOpsChoice } from './choices.ts'
import { chartQuery } from './integrations.queries.ts'
import { type ChartName, type ChartValues, fluxManifest, helmCommands } from './manifests.ts'

const kubernetesName = /^[a-z\d]([-a-z\d]*[a-z\d])?$/
const named = {
  required: true,
  maxLength: 63,
  pattern: kubernetesName,
  patternMessage: 'Kubernetes takes lower-case letters, digits and - only',
}

const tabs = [
  { value: 'flux', label: 'Flux' },
  { value: 'helm', label: 'Helm CLI' },
] as const

/** Asks for the values of a chart and shows what installs it; nothing is saved here. */
export function GitOpsDialog({
  choice,
  onBack,
  onClose,
}: {
  choice: GitOpsChoice
  onBack: () => void
  onClose: () => void
}) {
  const isOurs = useAccess().capabilities.version !== ''
  const { data: chart, error, isFetching, refetch } = useQuery({ ...chartQuery(choice.chart), enabled: isOurs })
  const form = useForm<ChartValues>({
    mode: 'onChange',
    defaultValues: {
      id: choice.chart,
      name: choice.chart,
      namespace: 'mission-control',
      interval: '30m',
      labels: {},
      chartValues: {},
    },
  })
  const guard = useLeaveGuard(form.formState.isDirty)
  const schema = (chart?.schema ?? undefined) as SchemaObject | undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && guard.leave(onClose)}
      title={`Add ${choice.label}`}
      description={chart?.description}
      size="large"
      dismissable={false}
      footer={
        <>
          <Button onClick={() => guard.leave(onBack)}>Back</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <div className="grid gap-5 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <Note>You will need to have Kubernetes chart installed in flux to use this option.</Note>
            {error && !chart && (
              <Note
                action={
                  <Button size="sm" loading={isFetching} onClick={() => void refetch()}>
                    Try again
                  </Button>
                }
              >
                {messageOf(error)} The texts leave the version out, and the values are not checked.
              </Note>
            )}
            <FormFields
              columns={2}
              fields={[
                text('name', { label: 'Name', ...named }),
                text('namespace', { label: 'Namespace', ...named }),
                duration('interval', { label: 'Interval', required: true }),
                labels('labels', { label: 'Labels' }),
                spec('chartValues', { label: 'Values', schema, size: 'medium' }),
              ]}
            />
          </div>
          <Preview chart={chart ?? { name: chartName(choice.chart) }} />
        </div>
      </FormProvider>
      {guard.dialog}
    </Dialog>
  )
}

/** What a chart is called where the registry could not be asked. */
const chartName = (id: string) => (id === 'mission-control' ? id : `mission-control-${id}`)

function Preview({ chart }: { chart: ChartName }) {
  const [tab, setTab] = useState('flux')
  const values = useWatch<ChartValues>() as ChartValues
  // A text field that holds no map is refused by the form and left out here.
  const map = typeof values.labels === 'object' && values.labels !== null ? values.labels : {}
  const safe = { ...values, labels: map, chartValues: values.chartValues ?? {} }
  return (
    <Tabs aria-label="How to install it" value={tab} onChange={setTab} tabs={tabs} className="min-w-0">
      <TabPanel value="flux" className="pt-3">
        <CodeBlock text={fluxManifest(safe, chart)} />
      </TabPanel>
      <TabPanel value="helm" className="pt-3">
        <CodeBlock text={helmCommands(safe, chart)} />
      </TabPanel>
    </Tabs>
  )
}

function Note({ children, action }: { children: React.ReactNode; action?: React.ReactNode }) {
  return (
    <div role="note" className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-text">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0 flex-1 break-words">{children}</span>
      {action}
    </div>
  )
}
