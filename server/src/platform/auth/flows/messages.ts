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
  verificationCode: info(1070011, 'Verification code'),
  mailLink: info(1070900, 'Mail me a link instead'),
  verifyAddress: info(1070901, 'Verify this address'),
  signInWith: (provider: string) => info(1010002, `Sign in with ${provider}`, { provider }),
  authenticatorCode: info(1010006, 'Authentication code'),
  backupCode: info(1010007, 'Backup recovery code'),
  useKey: info(1010008, 'Use security key'),
  useAuthenticator: info(1010009, 'Use authenticator'),
  useBackupCode: info(1010010, 'Use backup recovery code'),
  signUp: info(1040001, 'Create account'),
  linkProvider: (provider: string) => info(1050002, `Link ${provider}`, { provider }),
  unlinkProvider: (provider: string) => info(1050003, `Unlink ${provider}`, { provider }),
  unlinkAuthenticator: info(1050004, 'Unlink authenticator app'),
  qrCode: info(1050005, 'QR code of the authenticator app'),
  revealCodes: info(1050007, 'Show backup recovery codes'),
  makeCodes: info(1050008, 'Generate new backup recovery codes'),
  backupCodes: info(1050010, 'These are your backup recovery codes. Keep them in a safe place.'),
  confirmCodes: info(1050011, 'Confirm backup recovery codes'),
  addKey: info(1050012, 'Add security key'),
  keyName: info(1050013, 'Name of the security key'),
  disableCodes: info(1050016, 'Disable backup recovery codes'),
  authenticatorKey: info(1050017, 'Cannot scan it? Type this key into the app:'),
  removeKey: (name: string, added: Date) =>
    info(1050018, `Remove security key "${name}"`, {
      display_name: name,
      added_at: added.toISOString(),
      added_at_unix: Math.floor(added.getTime() / 1000),
    }),
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
  authenticatorKey: (secret: string) => info(1050006, secret, { secret }),
  backupCode: (text: string) => info(1050009, text, { secret: text }),
  usedBackupCode: (at: string) => info(1050014, 'Used', { used_at: at }),
  backupCodes: (secrets: UiText[]) =>
    info(1050015, secrets.map(({ text }) => text).join(', '), {
      secrets,
      secrets_list: secrets.map(({ text }) => text),
    }),
  newPassword: (min: number) =>
    info(1050903, `At least ${min} characters. A few words in a row are easy to keep and hard to guess.`),
  onlyWayIn: info(1050904, 'This is your only way to sign in. Set a password before you unlink it.'),
  codesShownOnce: info(
    1050901,
    'Backup recovery codes are shown once, when they are made. Here is which of yours are still good.',
  ),
  confirmCodes: info(1050902, 'Write these codes down, then confirm. They replace the ones you have.'),
  linkSent: info(1060002, 'If an account has this address, a mail with a recovery link is on its way.'),
  verificationSent: info(1080003, 'If this address needs it, a mail with a verification code is on its way.'),
  verified: success(1080002, 'You have verified your address.'),
  confirmAddress: (email: string) => info(1080900, `Is ${email} your address? Then verify it.`, { email }),
  confirmRegistration: (email: string) =>
    info(1080901, `Somebody asked for an account for ${email} and chose its password. Verify it only if it was you.`, {
      email,
    }),
  verificationLinkUsed: error(4070001, 'This link is no longer valid or has been used. Ask for a new one.'),
  wrongAuthenticatorCode: error(4000008, 'The code is not right. Please try again.'),
  linkedElsewhere: error(4000007, 'This sign-in belongs to another account.'),
  usedAuthenticatorCode: error(4000008, 'This code was used already. Wait for the next one.'),
  backupCodeUsed: error(4000012, 'This backup recovery code was used already.'),
  wrongBackupCode: error(4000016, 'The backup recovery code is not right.'),
  wrongKey: error(4000015, 'The security key was not accepted. Please try again.'),
  wrongVerificationCode: error(4070006, 'The code is not right or has been used. Please try again.'),
  verificationFailed: error(4070001, 'Too many wrong codes. Please start again.'),
  providerDown: (label: string) => error(4000001, `${label} does not answer. Try again in a moment.`),
  providerRefused: (label: string) => error(4000001, `The sign-in at ${label} did not work. Please try again.`),
  addressNotProven: (label: string) =>
    error(4000001, `${label} did not confirm your address. Confirm it there, or sign in another way.`),
  linkFirst: (label: string) =>
    error(4000007, `There is an account with this address. Sign in to it and link ${label} in your profile.`),
  notInvited: error(4000001, 'Nobody invited this address. Ask an administrator to invite you.'),
  lastWayIn: error(4000001, 'This is your only way to sign in. Set a password first.'),
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
