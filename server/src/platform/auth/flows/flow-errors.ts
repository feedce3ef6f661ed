import type { UiText } from '@quarterdeck/contract/identity'
import type { FieldState } from './flow.ts'

const statusText: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

interface FlowErrorOptions {
  /** Where a browser without script should go; scripts get it as redirect_browser_to. */
  redirect?: string
  details?: Record<string, unknown>
  extra?: Record<string, unknown>
}

/** A refusal in the words of the identity API: `{error: {id, code, status, reason, message}}`. */
export class FlowError extends Error {
  constructor(
    readonly code: number,
    readonly id: string | undefined,
    readonly reason: string,
    readonly options: FlowErrorOptions = {},
  ) {
    super(reason)
    this.name = 'FlowError'
  }

  body() {
    const { redirect, details, extra } = this.options
    return {
      error: {
        ...(this.id ? { id: this.id } : {}),
        code: this.code,
        status: statusText[this.code] ?? 'Error',
        reason: this.reason,
        message: this.reason,
        ...(details ? { details } : {}),
      },
      ...(redirect ? { redirect_browser_to: redirect } : {}),
      ...extra,
    }
  }
}

export const flowNotFound = () => new FlowError(404, undefined, 'There is no such flow. Start a new one.')
export const sessionInactive = () =>
  new FlowError(401, 'session_inactive', 'You are not signed in, or your session has ended.')
export const alreadySignedIn = (redirect: string) =>
  new FlowError(
    400,
    'session_already_available',
    'You are signed in already. Ask with refresh=true to confirm that it is you.',
    { redirect },
  )
export const csrfViolation = () =>
  new FlowError(
    403,
    'security_csrf_violation',
    'This request does not come from the page that started it. Reload the page and try again; cookies must be allowed.',
  )
export const identityMismatch = () =>
  new FlowError(403, 'security_identity_mismatch', 'This form was started by another account. Start a new one.')
export const returnToForbidden = () =>
  new FlowError(400, 'self_service_flow_return_to_forbidden', 'The return_to address is not on this site.')
export const secondFactorRequired = (base: string, returnTo?: string) => {
  const back = returnTo ? `&return_to=${encodeURIComponent(returnTo)}` : ''
  return new FlowError(403, 'session_aal2_required', 'Show your second factor to go on.', {
    redirect: `${base}/self-service/login/browser?aal=aal2${back}`,
  })
}
export const refreshRequired = (redirect: string) =>
  new FlowError(
    403,
    'session_refresh_required',
    'You signed in a while ago. Confirm that it is you before you change this.',
    { redirect },
  )

/** What was sent does not do: the answer is the flow itself, with messages. */
export class FlowInvalid extends Error {
  constructor(
    readonly messages: UiText[],
    readonly fields: Record<string, FieldState> = {},
  ) {
    super('the form is not valid')
    this.name = 'FlowInvalid'
  }
}
