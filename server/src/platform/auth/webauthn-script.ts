import { open, type Route, route } from '../http/route.ts'
import { data } from './flows/handler.ts'

/**
 * Runs in the browser: what the buttons `webauthn_register_trigger` and `webauthn_login_trigger` call. It talks to the
 * key, puts its answer into the hidden field and sends the form. Written for browsers that know no JSON of WebAuthn.
 */
const source = `(() => {
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  const words = (buffer) => {
    let text = ''
    for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte)
    return btoa(text).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '')
  }
  const listed = (list) => (list || []).map((entry) => ({ ...entry, id: bytes(entry.id) }))
  const failed = (error) => {
    if (error.name === 'InvalidStateError') return new Error('This security key is registered already')
    if (error.name === 'NotAllowedError') return new Error('The security key was not used: cancelled, or too late')
    if (error.name === 'SecurityError')
      return new Error('Security keys need the name of this site: open it by its name, not by its IP address')
    return error
  }
  const send = (name, value) => {
    const field = document.querySelector('input[name="' + name + '"]')
    field.value = JSON.stringify(value)
    field.form.requestSubmit()
  }
  const outer = (credential, response) => ({
    id: credential.id,
    rawId: words(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment || undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response,
  })
  const supported = () => {
    if (!window.PublicKeyCredential) throw new Error('This browser knows no security keys, or the page is not secure')
  }
  window.oryWebAuthnRegistration = async (options) => {
    supported()
    const { publicKey } = options
    try {
      const credential = await navigator.credentials.create({
        publicKey: {
          ...publicKey,
          challenge: bytes(publicKey.challenge),
          user: { ...publicKey.user, id: bytes(publicKey.user.id) },
          excludeCredentials: listed(publicKey.excludeCredentials),
        },
      })
      const { response } = credential
      send('webauthn_register', outer(credential, {
        attestationObject: words(response.attestationObject),
        clientDataJSON: words(response.clientDataJSON),
        transports: response.getTransports ? response.getTransports() : [],
      }))
    } catch (error) {
      throw failed(error)
    }
  }
  window.oryWebAuthnLogin = async (options) => {
    supported()
    const { publicKey } = options
    try {
      const credential = await navigator.credentials.get({
        publicKey: {
          ...publicKey,
          challenge: bytes(publicKey.challenge),
          allowCredentials: listed(publicKey.allowCredentials),
        },
      })
      const { response } = credential
      send('webauthn_login', outer(credential, {
        authenticatorData: words(response.authenticatorData),
        clientDataJSON: words(response.clientDataJSON),
        signature: words(response.signature),
        userHandle: response.userHandle ? words(response.userHandle) : undefined,
      }))
    } catch (error) {
      throw failed(error)
    }
  }
})()
`

export const webauthnScript: Route = route({
  method: 'GET',
  path: '/.ory/.well-known/ory/webauthn.js',
  access: open,
  summary: 'The script behind the buttons of security keys',
  handle: data(({ reply }) => reply.type('text/javascript; charset=utf-8').send(source)),
})
