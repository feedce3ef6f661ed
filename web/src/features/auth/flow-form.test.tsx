import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aFlow, inputNode, label, passwordNodes } from './flow-fixture.ts'
import { FlowForm } from './flow-form.tsx'
import type { Flow, UiNode } from './flows.ts'

afterEach(() => vi.unstubAllGlobals())

function show(flow: Flow, props: Partial<Parameters<typeof FlowForm>[0]> = {}) {
  const submit = vi.fn()
  const view = render(<FlowForm flow={flow} pressed={null} submit={submit} messages {...props} />)
  return { submit, ...view }
}

const other = (node_type: UiNode['type'], attributes: Record<string, unknown>, more: Partial<UiNode> = {}): UiNode => ({
  type: node_type,
  group: 'totp',
  messages: [],
  meta: {},
  ...more,
  attributes: { node_type, ...attributes },
})

describe('flow form', () => {
  test('[AUTH-04] submits csrf_token, method, identifier and password', async () => {
    const { submit } = show(aFlow())
    await userEvent.type(screen.getByLabelText('E-mail'), 'ada@example.test')
    await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}')
    expect(submit).toHaveBeenCalledWith(
      { csrf_token: 'token-1', identifier: 'ada@example.test', password: 'secret', method: 'password' },
      'method=password',
    )
  })

  test('[SELF-19] a checkbox submits a boolean and hidden values pass through', async () => {
    const nodes = [
      ...passwordNodes,
      inputNode('hidden', { type: 'hidden', value: ' x=1 ' }),
      inputNode('agree', { type: 'checkbox' }, { meta: label('I agree') }),
      inputNode('news', { type: 'checkbox', value: true }, { meta: label('News') }),
    ]
    const { submit } = show(aFlow({}, nodes))
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'News' }))
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(submit.mock.calls[0]![0]).toMatchObject({ agree: true, news: false, hidden: ' x=1 ' })
  })

  test('Enter presses the button of the method it was typed in', async () => {
    const second: UiNode[] = [
      inputNode('csrf_token', { type: 'hidden', value: 't' }),
      inputNode('lookup_secret', {}, { group: 'lookup_secret', meta: label('Backup code') }),
      inputNode(
        'method',
        { type: 'submit', value: 'lookup_secret' },
        { group: 'lookup_secret', meta: label('Use code') },
      ),
      inputNode('totp_code', {}, { group: 'totp', meta: label('Authenticator code') }),
      inputNode('method', { type: 'submit', value: 'totp' }, { group: 'totp', meta: label('Use app') }),
    ]
    const { submit } = show(aFlow({}, second))
    await userEvent.type(screen.getByLabelText('Authenticator code'), '123456{Enter}')
    expect(submit).toHaveBeenCalledWith(
      { csrf_token: 't', lookup_secret: '', totp_code: '123456', method: 'totp' },
      'method=totp',
    )
  })

  test('[SELF-18] messages come from the flow, under their field, and nothing is checked here', async () => {
    const nodes = [
      inputNode(
        'email',
        { type: 'email', required: true },
        { meta: label('E-mail'), messages: [{ id: 4000001, text: 'is not an address', type: 'error' }] },
      ),
      inputNode('method', { type: 'submit', value: 'link' }, { meta: label('Send') }),
    ]
    const { submit } = show(aFlow({}, nodes, [{ id: 1, text: 'An email was sent', type: 'info' }]))
    const field = screen.getByLabelText('E-mail')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const message = screen.getByText('is not an address')
    expect(message.className).toContain('text-bad-text')
    expect(document.getElementById(field.getAttribute('aria-describedby')!)!.contains(message)).toBe(true)
    expect(screen.getByText('An email was sent').getAttribute('role')).toBe('status')
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(submit).toHaveBeenCalledTimes(1)
  })

  test('[SELF-17] while an answer is awaited the pressed button turns and nothing can be pressed', () => {
    show(aFlow(), { pressed: 'method=password' })
    const button = screen.getByRole('button', { name: 'Sign in' })
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(button).toHaveProperty('disabled', true)
  })

  test('[SELF-21] images, links, texts, buttons and inputs of any type are drawn', async () => {
    const called = vi.fn()
    vi.stubGlobal('startKey', called)
    show(
      aFlow({}, [
        other('img', { id: 'qr', src: '/qr.png', width: 256, height: 256 }, { meta: label('QR code') }),
        other('a', { id: 'link', href: '/elsewhere', title: { id: 1, text: 'Continue', type: 'info' } }),
        other(
          'text',
          { id: 'secret', text: { id: 1050006, text: 'ABCD EFGH', type: 'info' } },
          { meta: label('Secret') },
        ),
        inputNode('traits.age', { type: 'number', value: 4, disabled: true }, { meta: label('Age') }),
        inputNode(
          'key',
          { type: 'button', value: '', onclick: 'window.startKey({"a":1}, 2)' },
          { meta: label('Use key') },
        ),
      ]),
    )
    expect(screen.getByRole('img', { name: 'QR code' }).getAttribute('src')).toBe('/qr.png')
    expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/elsewhere')
    expect(screen.getByText('ABCD EFGH')).toBeTruthy()
    const age = screen.getByLabelText('Age')
    expect([age.getAttribute('type'), (age as HTMLInputElement).value, (age as HTMLInputElement).disabled]).toEqual([
      'number',
      '4',
      true,
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Use key' }))
    expect(called).toHaveBeenCalledWith({ a: 1 }, 2)
  })

  test('used recovery codes read Used', () => {
    const secrets = [
      { id: 1050009, text: 'abc-1', type: 'info' },
      { id: 1050014, text: '2024', type: 'info' },
    ]
    show(
      aFlow({}, [
        other('text', { id: 'codes', text: { id: 1050015, text: 'abc-1, used', type: 'info', context: { secrets } } }),
      ]),
    )
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['abc-1', 'Used'])
  })

  test('[SELF-22] a script node is put on the page with its attributes, once', () => {
    const attributes = {
      src: '/api/.ory/webauthn.js',
      async: true,
      crossorigin: 'anonymous',
      integrity: 'sha512-x',
      referrerpolicy: 'no-referrer',
      // Not a script type, or the test's browser would try to load it.
      type: 'text/plain',
    }
    const { unmount, rerender } = show(aFlow({}, [other('script', attributes)]))
    rerender(<FlowForm flow={aFlow({}, [other('script', { ...attributes })])} pressed={null} submit={vi.fn()} />)
    const scripts = document.querySelectorAll('script[src="/api/.ory/webauthn.js"]')
    expect(scripts).toHaveLength(1)
    for (const [name, value] of Object.entries(attributes)) {
      expect(scripts[0]!.getAttribute(name)).toBe(value === true ? '' : value)
    }
    unmount()
    expect(document.querySelector('script[src="/api/.ory/webauthn.js"]')).toBeNull()
  })

  test('sign-in through another site sends the name of the site, and the form arrives also when a script posts it', async () => {
    const nodes = [
      ...passwordNodes,
      inputNode('provider', { type: 'submit', value: 'github' }, { group: 'oidc', meta: label('GitHub') }),
    ]
    const { container, submit } = show(aFlow({}, nodes))
    await userEvent.click(screen.getByRole('button', { name: 'GitHub' }))
    expect(submit).toHaveBeenCalledWith(
      { csrf_token: 'token-1', identifier: '', password: '', provider: 'github' },
      'provider=github',
    )
    const form = container.querySelector('form')!
    expect([form.getAttribute('action'), form.getAttribute('method')]).toEqual([
      'http://localhost/api/.ory/self-service/login?flow=flow-1',
      'POST',
    ])
  })

  test('a form that a script sends, as the one of security keys does, presses no button', () => {
    const nodes = [
      inputNode('webauthn_register', { type: 'hidden', value: '' }, { group: 'webauthn' }),
      inputNode('webauthn_remove', { type: 'submit', value: 'k1' }, { group: 'webauthn', meta: label('Remove') }),
    ]
    const { container, submit } = show(aFlow({}, nodes))
    container.querySelector<HTMLInputElement>('input[name=webauthn_register]')!.value = '{}'
    container.querySelector('form')!.requestSubmit()
    expect(submit).toHaveBeenCalledWith({ webauthn_register: '{}' }, '')
  })

  describe('after the answer', () => {
    const refused = (messages: UiNode['messages']) =>
      aFlow({}, [...passwordNodes.slice(0, 2), { ...passwordNodes[2]!, messages }, ...passwordNodes.slice(3)])
    const submitted = async () => {
      const view = show(aFlow())
      await userEvent.type(screen.getByLabelText('E-mail'), 'ada@example.test')
      await userEvent.type(screen.getByLabelText('Password'), 'secret')
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
      const next = (flow: Flow, pressed: string | null = null) =>
        view.rerender(<FlowForm flow={flow} pressed={pressed} submit={view.submit} messages />)
      return { ...view, next }
    }

    test('the field that is wrong has the focus, with its text selected', async () => {
      const { next } = await submitted()
      next(aFlow(), 'method=password')
      next(refused([{ id: 4000005, text: 'too easy', type: 'error' }]))
      const field = screen.getByLabelText<HTMLInputElement>('Password')
      expect(document.activeElement).toBe(field)
      expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
      expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.test')
    })

    test('the same words are told again', async () => {
      const { next } = await submitted()
      const wrong = () => aFlow({}, passwordNodes, [{ id: 4000006, text: 'not right', type: 'error' as const }])
      next(wrong())
      const before = screen.getByText('not right')
      next(wrong())
      expect(screen.getByText('not right')).not.toBe(before)
    })

    test('a call that failed without an answer leaves what was typed', async () => {
      const flow = aFlow()
      const { submit, rerender } = show(flow)
      await userEvent.type(screen.getByLabelText('E-mail'), 'ada@example.test')
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
      for (const pressed of ['method=password', null])
        rerender(<FlowForm flow={flow} pressed={pressed} submit={submit} messages />)
      expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.test')
    })
  })

  test('a password can be looked at, and tells when caps lock is on', async () => {
    show(aFlow())
    const field = screen.getByLabelText<HTMLInputElement>('Password')
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(field.type).toBe('text')
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(field.type).toBe('password')
    const press = (on: boolean) => {
      const event = createEvent.keyUp(field, { key: 'A' })
      Object.defineProperty(event, 'getModifierState', { value: (name: string) => on && name === 'CapsLock' })
      fireEvent(field, event)
    }
    press(true)
    expect(screen.getByText('Caps Lock is on')).toBeTruthy()
    expect(field.getAttribute('aria-describedby')).toBe(screen.getByText('Caps Lock is on').id)
    press(false)
    expect(screen.queryByText('Caps Lock is on')).toBeNull()
  })

  test('password managers and keyboards of telephones are told what a field is for', () => {
    show(
      aFlow({}, [
        ...passwordNodes,
        inputNode('traits.name.first', {}, { meta: label('First name') }),
        inputNode('totp_code', {}, { meta: label('Code') }),
        inputNode('new', { type: 'password', autocomplete: 'new-password' }, { meta: label('New password') }),
      ]),
    )
    const completes = (name: string) => screen.getByLabelText(name).getAttribute('autocomplete')
    expect(['E-mail', 'Password', 'First name', 'Code', 'New password'].map(completes)).toEqual([
      'username',
      'current-password',
      'given-name',
      'one-time-code',
      'new-password',
    ])
    expect(screen.getByLabelText('Code').getAttribute('inputmode')).toBe('numeric')
  })

  test('new recovery codes are copied or saved in one go; hidden and used ones are not offered', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
    const codes = (...secrets: { id: number; text: string }[]) =>
      aFlow({}, [
        other('text', {
          id: 'codes',
          text: { id: 1050015, text: '', type: 'info', context: { secrets } },
        }),
      ])
    const { rerender } = show(codes({ id: 1050009, text: 'abc-1' }, { id: 1050009, text: 'abc-2' }))
    await userEvent.click(screen.getByRole('button', { name: 'Copy codes' }))
    expect(writeText).toHaveBeenCalledWith('abc-1\nabc-2')
    rerender(
      <FlowForm
        flow={codes({ id: 1050009, text: '••••-••••' }, { id: 1050014, text: '2024' })}
        pressed={null}
        submit={vi.fn()}
      />,
    )
    expect(screen.queryByRole('button', { name: 'Copy codes' })).toBeNull()
  })
})
