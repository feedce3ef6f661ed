import { EditorView } from '@codemirror/view'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { FormProvider, useForm } from 'react-hook-form'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import { describe, expect, test, vi } from 'vitest'
import {
  choice,
  cpu,
  custom,
  defaultsOf,
  envVar,
  type FieldSpec,
  isManagedElsewhere,
  labels,
  list,
  map,
  memory,
  number,
  port,
  schedule,
  secret,
  section,
  spec,
  text,
} from './declare.ts'
import { labelOf } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { FormFields } from './form-fields.tsx'
import { FormPage } from './form-page.tsx'
import { schedules } from './schedules.ts'
import { readSpec, writeSpec } from './spec-text.ts'

const onSubmit = vi.fn()

function Form({ fields, values }: { fields: FieldSpec[]; values?: object }) {
  const form = useForm({ defaultValues: defaultsOf(fields, values) })
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit((v) => void onSubmit(v))}>
        <FormFields fields={fields} />
        <button type="submit">Save</button>
      </form>
    </FormProvider>
  )
}

/** Submits the form and gives what it would save; undefined when a field refused. */
async function submit() {
  onSubmit.mockClear()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await act(async () => void (await new Promise((done) => setTimeout(done, 0))))
  return onSubmit.mock.calls[0]?.[0] as Record<string, unknown> | undefined
}
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const alerts = () => screen.queryAllByRole('alert').map((a) => a.textContent)

describe('required and typed values', () => {
  test('[FORM-01] every kind of required field says "This field is required"', async () => {
    const required = { required: true }
    const fields = [
      text('a', required),
      number('b', required),
      choice('c', ['x'], required),
      schedule('d', required),
      memory('e', required),
      cpu('f', required),
      list('g', required),
      map('h', required),
      secret('i', required),
      labels('j', required),
    ]
    render(<Form fields={fields} />)
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(fields.map(() => 'This field is required'))
    expect(screen.getByLabelText(/^A/).getAttribute('aria-invalid')).toBe('true')
    type(/^A/, '   ')
    expect(await submit()).toBeUndefined()
    expect(alerts()).toHaveLength(fields.length)
  })

  test('[FORM-02] a number field: required, and must be a number', async () => {
    render(<Form fields={[number('limit', { required: true, min: 0 })]} />)
    await submit()
    expect(alerts()).toEqual(['This field is required'])
    type(/Limit/, 'ten')
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(['This field must be a number'])
    type(/Limit/, '-1')
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(['Must be at least 0'])
    type(/Limit/, '1.50')
    expect(screen.getByLabelText<HTMLInputElement>(/Limit/).value).toBe('1.50')
    expect(await submit()).toEqual({ limit: 1.5 })
  })

  test('[FORM-04] memory is a number with Mi, Gi or Ti; Mi unless chosen', async () => {
    render(<Form fields={[memory('memory')]} />)
    type(/Memory/, '512')
    expect(await submit()).toEqual({ memory: '512Mi' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Unit' }))
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(['Mi', 'Gi', 'Ti'])
    await userEvent.click(screen.getByRole('option', { name: 'Gi' }))
    expect(await submit()).toEqual({ memory: '512Gi' })
    type(/Memory/, 'lots')
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(['This field must be a number'])
  })

  test('[FORM-05] CPU is a number of millicores', async () => {
    render(<Form fields={[cpu('cpu', { max: 1000 })]} values={{ cpu: '250m' }} />)
    expect(screen.getByLabelText<HTMLInputElement>('CPU').value).toBe('250')
    type('CPU', '500')
    expect(await submit()).toEqual({ cpu: '500m' })
    type('CPU', '1001')
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(['Must be at most 1000m'])
  })

  test('text limits', async () => {
    render(
      <Form
        fields={[text('name', { minLength: 3, maxLength: 5, pattern: /^[a-z]+$/, patternMessage: 'Lower case only' })]}
      />,
    )
    for (const [value, problem] of [
      ['ab', 'Enter at least 3 characters'],
      ['abcdef', 'Enter at most 5 characters'],
      ['AB1', 'Lower case only'],
    ] as const) {
      type('Name', value)
      expect(await submit()).toBeUndefined()
      expect(alerts()).toEqual([problem])
    }
    type('Name', 'abc')
    expect(await submit()).toEqual({ name: 'abc' })
  })
})

describe('schedules', () => {
  test('[FORM-09] the default list, and short and medium lists from @every 30s to @weekly', () => {
    expect(schedules.default.map((o) => o.label)).toEqual([
      '30s',
      '1m',
      '15m',
      '5m',
      '30m',
      'hourly',
      '2h',
      '4h',
      '6h',
      '8h',
      'daily',
      'weekly',
    ])
    for (const each of [schedules.short, schedules.medium])
      expect([each[0]?.value, each.at(-1)?.value]).toEqual(['@every 30s', '@weekly'])
  })

  test('[FORM-10] generic resources have their fixed set', async () => {
    render(<Form fields={[schedule('schedule', { list: 'resource' })]} />)
    await userEvent.click(screen.getByRole('button', { name: /Schedule/ }))
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual([
      '@every 30s',
      '@every 1m',
      '@every 5m',
      '@every 30m',
      '@hourly',
      '@every 6h',
      '@daily',
      '@weekly',
    ])
    await userEvent.click(screen.getByRole('option', { name: '@every 5m' }))
    expect(await submit()).toEqual({ schedule: '@every 5m' })
  })

  test('a typed schedule is checked', async () => {
    render(<Form fields={[schedule('schedule')]} values={{ schedule: 'every tuesday' }} />)
    expect(await submit()).toBeUndefined()
    expect(alerts()).toHaveLength(1)
  })
})

describe('values that may be secret', () => {
  const source = async (label: string, name: string) => {
    await userEvent.click(screen.getByRole('combobox', { name: `${label}: source` }))
    await userEvent.click(screen.getByRole('option', { name }))
  }

  test('[FORM-11] a masked value or one of two references; stored references are read back', async () => {
    render(
      <Form
        fields={[secret('password'), secret('token'), secret('host')]}
        values={{ password: 'hunter2', token: 'secret://prod/api-token', host: 'configmap://settings/db.host' }}
      />,
    )
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('password')
    expect(screen.getByLabelText<HTMLInputElement>('Token: name').value).toBe('prod')
    expect(screen.getByLabelText<HTMLInputElement>('Token: key').value).toBe('api-token')
    expect(screen.getByLabelText<HTMLInputElement>('Host: name').value).toBe('settings')
    expect(screen.getByLabelText<HTMLInputElement>('Host: key').value).toBe('db.host')
    type('Token: key', 'other')
    expect(await submit()).toEqual({
      password: 'hunter2',
      token: 'secret://prod/other',
      host: 'configmap://settings/db.host',
    })
  })

  test('[FORM-12] switching the source clears what was entered', async () => {
    render(<Form fields={[secret('password')]} values={{ password: 'hunter2' }} />)
    await source('Password', 'Secret')
    expect(screen.getByLabelText<HTMLInputElement>('Password: name').value).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('Password: key').value).toBe('')
    type('Password: name', 'prod')
    type('Password: key', 'pw')
    await source('Password', 'Config map')
    expect(screen.getByLabelText<HTMLInputElement>('Password: name').value).toBe('')
    await source('Password', 'Value')
    expect(await submit()).toEqual({ password: '' })
  })

  test('[FORM-13] specs get value or valueFrom', async () => {
    render(
      <Form
        fields={[envVar('username', { plain: true }), envVar('password'), envVar('region')]}
        values={{ region: { valueFrom: { configMapKeyRef: { name: 'aws', key: 'region' } } } }}
      />,
    )
    type('Username', 'admin')
    await source('Password', 'Secret')
    type('Password: name', 'prod')
    type('Password: key', 'pw')
    expect(screen.getByLabelText<HTMLInputElement>('Region: name').value).toBe('aws')
    expect(await submit()).toEqual({
      username: { value: 'admin' },
      password: { valueFrom: { secretKeyRef: { name: 'prod', key: 'pw' } } },
      region: { valueFrom: { configMapKeyRef: { name: 'aws', key: 'region' } } },
    })
  })

  test('files and variables where they are offered, and wherever one is stored', async () => {
    render(
      <Form
        fields={[secret('password', { sources: ['static', 'env', 'file'] }), secret('token')]}
        values={{ password: '', token: 'helm://redis/auth.password' }}
      />,
    )
    expect(screen.getByLabelText<HTMLInputElement>('Token: name').value).toBe('redis')
    await source('Password', 'File')
    expect(screen.queryByLabelText('Password: key')).toBeNull()
    type('Password: name', '/run/secrets/db')
    expect(await submit()).toEqual({ password: 'file:///run/secrets/db', token: 'helm://redis/auth.password' })
  })

  test('a stored value is not shown: it is kept, or replaced', async () => {
    const field = secret('password', { hidden: '***', required: true })
    const first = render(<Form fields={[field]} values={{ password: '***' }} />)
    expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).not.toContain('*')
    expect(await submit()).toEqual({ password: '***' })
    await userEvent.click(screen.getByRole('button', { name: 'Replace Password' }))
    expect(await submit()).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Keep stored Password' }))
    expect(await submit()).toEqual({ password: '***' })
    await userEvent.click(screen.getByRole('button', { name: 'Replace Password' }))
    fireEvent.change(screen.getByLabelText(/^Password\*?$/), { target: { value: 'new' } })
    expect(await submit()).toEqual({ password: 'new' })
    first.unmount()
  })

  test.each([
    ['secret://prod/tls/key', 'A slash is not possible here'],
    ['env://not-a-name', 'A variable has letters, digits and _ only'],
    ['file://run/secret', 'The whole path is needed, from the first /'],
  ])('%s is no reference, and would be the value itself', async (password, words) => {
    render(
      <Form fields={[secret('password', { sources: ['static', 'secret', 'env', 'file'] })]} values={{ password }} />,
    )
    await submit()
    expect(await screen.findByText(words)).toBeDefined()
  })

  test('half a reference is refused', async () => {
    render(<Form fields={[secret('password')]} values={{ password: 'secret://prod/' }} />)
    expect(await submit()).toBeUndefined()
    expect(alerts()).toEqual(['This field is required'])
  })
})

describe('objects', () => {
  test('spec text', () => {
    expect(readSpec('a: 1\nb: [2]')).toEqual({ a: 1, b: [2] })
    expect(readSpec('{"a": 1}')).toEqual({ a: 1 })
    for (const ignored of ['a: [1', '- a\n- b', 'just text', '42', '{"a": "']) expect(readSpec(ignored)).toBeUndefined()
    // Something that holds itself, and something that grows without end.
    expect(readSpec('a: &a\n  b: *a')).toBeUndefined()
    const bomb = [...Array(9).keys()].map((n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(',')}]`)
    expect(readSpec(['a0: &a0 [x]', ...bomb].join('\n'))).toBeUndefined()
    expect(readSpec('a: &a {b: 1}\nc: *a')).toEqual({ a: { b: 1 }, c: { b: 1 } })
    for (const empty of ['', '  \n', '# only a comment']) expect(readSpec(empty)).toEqual({})
    expect(writeSpec({ a: { b: 1 } }, 'yaml')).toBe('a:\n  b: 1\n')
    expect(writeSpec({}, 'yaml')).toBe('')
  })

  test('[FORM-06] spec editors read YAML or JSON, ignore the unreadable and non-objects; empty clears', async () => {
    render(<Form fields={[spec('spec')]} values={{ spec: { replicas: 3 } }} />)
    const view = EditorView.findFromDOM(await waitFor(() => screen.getByRole('textbox', { name: 'Spec' })))!
    const write = (insert: string) =>
      act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }))
    expect(view.state.doc.toString()).toBe('replicas: 3\n')
    for (const [typed, saved] of [
      ['a: 1', { a: 1 }],
      ['a: [1', { a: 1 }],
      ['- list', { a: 1 }],
      ['{"b": 2}', { b: 2 }],
      ['words', { b: 2 }],
      ['', {}],
    ] as const) {
      write(typed)
      expect([typed, (await submit())?.spec]).toEqual([typed, saved])
    }
  })

  test('a long text is read once nobody types, or when the editor is left', async () => {
    render(<Form fields={[spec('spec')]} values={{ spec: { a: 0 } }} />)
    const box = await waitFor(() => screen.getByRole('textbox', { name: 'Spec' }))
    const view = EditorView.findFromDOM(box)!
    const filler = `\nfiller: ${'x'.repeat(30_000)}`
    const write = (insert: string) =>
      act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } }))
    write(`a: 1${filler}`)
    expect((await submit())?.spec).toEqual({ a: 0 })
    await waitFor(async () => expect((await submit())?.spec).toMatchObject({ a: 1 }), { timeout: 3000 })
    write(`a: 2${filler}`)
    fireEvent.blur(box)
    expect((await submit())?.spec).toMatchObject({ a: 2 })
    write(`- a: 3${filler}`)
    fireEvent.blur(box)
    expect(await screen.findByText(/the last readable version is kept/)).toBeDefined()
  })

  test('[FORM-07] labels must be a JSON object', async () => {
    render(<Form fields={[labels('labels')]} values={{ labels: { team: 'core' } }} />)
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    for (const bad of ['["a"]', '"text"', '{broken', '5']) {
      type('Labels as JSON', bad)
      expect(await submit()).toBeUndefined()
      expect(alerts()).toEqual(['Labels must be a JSON object'])
    }
    type('Labels as JSON', '{"team": "data", "tier": "1"}')
    expect(await submit()).toEqual({ labels: { team: 'data', tier: '1' } })
    fireEvent.click(screen.getByRole('radio', { name: 'Pairs' }))
    expect(screen.getAllByLabelText<HTMLInputElement>('Label').map((i) => i.value)).toEqual(['team', 'tier'])
  })

  test('[FORM-08] spec and labels are read-only when something else than the console is the source', async () => {
    const managed = { readOnly: (v: { source?: string }) => isManagedElsewhere(v.source) }
    const fields = [labels('labels', managed), spec('spec', managed)]
    const { unmount } = render(
      <Form fields={fields} values={{ source: 'kubernetes/default', labels: { a: 'b' }, spec: { x: 1 } }} />,
    )
    expect(screen.getByLabelText<HTMLInputElement>('Label').readOnly).toBe(true)
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull()
    const editor = await waitFor(() => screen.getByRole('textbox', { name: 'Spec' }))
    expect(editor.getAttribute('aria-readonly')).toBe('true')
    unmount()
    render(<Form fields={fields} values={{ source: 'UI', labels: { a: 'b' }, spec: { x: 1 } }} />)
    expect(screen.getByLabelText<HTMLInputElement>('Label').readOnly).toBe(false)
    expect(
      (await waitFor(() => screen.getByRole('textbox', { name: 'Spec' }))).getAttribute('aria-readonly'),
    ).toBeNull()
  })

  test('maps and lists', async () => {
    render(<Form fields={[map('headers'), list('exclude')]} values={{ headers: { Accept: 'json' }, exclude: ['a'] }} />)
    fireEvent.click(screen.getAllByRole('button', { name: 'Add' })[0]!)
    fireEvent.change(screen.getAllByLabelText('Key')[1]!, { target: { value: 'X-Id' } })
    fireEvent.change(screen.getAllByLabelText('Value')[1]!, { target: { value: '7' } })
    fireEvent.click(screen.getAllByRole('button', { name: 'Add' })[1]!)
    type('Entry 2', 'b')
    expect(await submit()).toEqual({ headers: { Accept: 'json', 'X-Id': '7' }, exclude: ['a', 'b'] })
    fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[0]!)
    expect(await submit()).toEqual({ headers: { 'X-Id': '7' }, exclude: ['a', 'b'] })
  })
})

describe('declarations', () => {
  test('defaults, conditions, sections and own controls', async () => {
    const fields = [
      choice('kind', ['a', 'b'], { default: 'a' }),
      port('port', 22),
      section('Access', [
        text('auth.user', { default: 'root' }),
        text('auth.domain', { when: (v) => v.auth?.user === 'win' }),
      ]),
      custom('owner', { render: (f) => <button type="button">pick {f.name}</button> }),
    ]
    render(<Form fields={fields} values={{ port: 2222 }} />)
    expect(screen.getByRole('group', { name: 'Access' })).toBeDefined()
    expect(screen.getByText('pick owner')).toBeDefined()
    expect(screen.queryByLabelText('Domain')).toBeNull()
    type('User', 'win')
    expect(screen.getByLabelText('Domain')).toBeDefined()
    expect(await submit()).toMatchObject({ kind: 'a', port: 2222, auth: { user: 'win' } })
  })

  test('labels of paths', () => {
    expect(['maxSSLExpiry', 'spec.responseCodes', 'insecure_tls', 'url', 'thresholdMillis'].map(labelOf)).toEqual([
      'Max SSL expiry',
      'Response codes',
      'Insecure TLS',
      'URL',
      'Threshold millis',
    ])
  })
})

describe('shells', () => {
  function Shown({ save, onOpenChange }: { save: () => unknown; onOpenChange: (open: boolean) => void }) {
    const form = useForm({ defaultValues: { name: '' } })
    return (
      <FormDialog open onOpenChange={onOpenChange} title="Add agent" form={form} onSubmit={save}>
        <FormFields fields={[text('name')]} />
      </FormDialog>
    )
  }

  test('what the server refuses is shown in the dialog', async () => {
    render(<Shown save={() => Promise.reject(new Error('name is taken'))} onOpenChange={() => undefined} />)
    await submit()
    expect(await screen.findByText('name is taken')).toBeDefined()
  })

  test('unsaved input is asked about before it is lost', async () => {
    const onOpenChange = vi.fn()
    render(<Shown save={() => undefined} onOpenChange={onOpenChange} />)
    type('Name', 'eu')
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onOpenChange).not.toHaveBeenCalled()
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
  })

  test('a page asks before the user goes elsewhere with unsaved input', async () => {
    function Page() {
      const form = useForm({ defaultValues: { name: '' } })
      return (
        <FormPage form={form} onSubmit={() => undefined}>
          <Link to="/other">elsewhere</Link>
          <FormFields fields={[text('name')]} />
        </FormPage>
      )
    }
    const router = createMemoryRouter([
      { path: '/', element: <Page /> },
      { path: '/other', element: <p>other page</p> },
    ])
    render(<RouterProvider router={router} />)
    type('Name', 'x')
    fireEvent.click(screen.getByText('elsewhere'))
    expect(await screen.findByText('Discard changes?')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('other page')).toBeDefined()
  })
})
