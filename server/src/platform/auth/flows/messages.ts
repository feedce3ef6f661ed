import type { UiText } from '@quarterdeck/contract/identity'

/** Ids are those of Ory Kratos, which clients act on; the words are ours. */
const info = (id: number, text: string, context?: Record<string, unknown>): UiText => ({
  id,
  text,
  type: 'info',
  ...(context ? { context } : {}),
})
const error = (id: number, text: string, context?: Record<string, unknown>): UiText => ({
  ...info(id, text, context),
  type: 'error',
})
const success = (id: number, text: string): UiText => ({ ...info(id, text), type: 'success' })

export const labels = {
  signIn: info(1010022, 'Sign in'),
  password: info(1070001, 'Password'),
  field: (title: string) => info(1070002, title, { title }),
  save: info(1070003, 'Save'),
  submit: info(1070005, 'Submit'),
  email: info(1070007, 'E-mail'),
  resend: info(1070008, 'Send another code'),
  proceed: info(1070009, 'Continue'),
  recoveryCode: info(1070010, 'Recovery code'),
}

export const messages = {
  confirmItIsYou: info(1010003, 'Please confirm that it is you by entering your password.'),
  secondFactor: info(1010004, 'Please complete the second sign-in step.'),
  saved: success(1050001, 'Your changes have been saved.'),
  recovered: (minutes: number) =>
    info(
      1060001,
      `You are signed in. Set a password within the next ${minutes} minutes, or ask for a new link later.`,
      { privileged_session_expires_at_minutes: minutes },
    ),
  codeSent: info(1060003, 'If an account has this address, a mail with a recovery code is on its way.'),
  keptInFile: info(
    1050900,
    'Names and passwords of this server are kept in a file. Ask an administrator to change yours.',
  ),
  noMail: info(1060900, 'This server sends no mail. Ask an administrator for a link that lets you set a new password.'),
  invalid: (text: string) => error(4000001, text),
  missing: (property: string) => error(4000002, `Please fill in this field.`, { property }),
  malformed: (text: string) => error(4000004, text),
  weak: (text: string) => error(4000005, text),
  wrongCredentials: error(4000006, 'The address or the password is not right.'),
  taken: error(4000007, 'Another account has this address.'),
  tooShort: (min: number, actual: number) =>
    error(4000032, `The password needs at least ${min} characters; this one has ${actual}.`, {
      min_length: min,
      actual_length: actual,
    }),
  tooLong: (max: number, actual: number) =>
    error(4000033, `The password may have at most ${max} characters; this one has ${actual}.`, {
      max_length: max,
      actual_length: actual,
    }),
  textTooLong: (max: number, actual: number) =>
    error(4000017, `At most ${max} characters, please; these are ${actual}.`, {
      max_length: max,
      actual_length: actual,
    }),
  deactivated: error(4000001, 'This account is deactivated. An administrator can activate it again.'),
  noMethod: (id: number) => error(id, 'The form did not say how to continue. Please use one of its buttons.'),
  expired: (id: number) => error(id, 'This form was open for too long. Please try again.'),
  linkUsed: error(4060004, 'This link is no longer valid or has been used. Ask for a new one.'),
  wrongCode: error(4060006, 'The code is not right or has been used. Please try again.'),
  recoveryFailed: error(4060002, 'Too many wrong codes. Please start again.'),
}
