/** `$(password)`, `{{.password}}`: what stands for a value gives nothing away. */
const isPlace = (text: string): boolean => text === '' || /^(\$\([\w.]*\)|\{\{[^}]*\}\}|\*\*\*)$/.test(text)

/** Schemes whose user is a token, not a name. */
const tokenAsUser = /^(generic\+)?(https?|discord|slack|telegram)$/i

const tellingParameter =
  /[?&;](?:(?:access|auth|private|id|bot)[-_]?token|token|api[-_]?key|key|(?:client[-_]?)?secret|pass|passwd|password|pwd|sig|signature|x-amz-signature)=([^&#;\s]+)/gi

/** Addresses that are passwords themselves. */
const webhook =
  /\/\/(hooks\.slack\.com\/(services|workflows|triggers)\/|(\w+\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\/|api\.telegram\.org\/bot|[\w.-]+\.(office|webhook\.office)\.com\/webhook)/i

/** Whether an address holds a password or a token: before the host, as a parameter, or as a webhook's path. */
export function isSecretAddress(text: string): boolean {
  const found = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text)
  if (!found) return false
  const [, scheme, rest] = found as unknown as [string, string, string]
  if (hasPassword(scheme, rest) || webhook.test(text)) return true
  return [...text.matchAll(tellingParameter)].some(([, value]) => !isPlace(value!))
}

function hasPassword(scheme: string, rest: string): boolean {
  const end = rest.indexOf('@')
  if (end < 0) return false
  const [user, ...more] = rest.slice(0, end).split(':') as [string, ...string[]]
  const password = more.join(':')
  // An @ further on, behind the host and perhaps its port, belongs to the path.
  if (/[/?#]/.test(user) || /^\d{1,5}[/?#]/.test(password)) return false
  if (more.length > 0) return !isPlace(password)
  return tokenAsUser.test(scheme) && !isPlace(user)
}

/** Whether a connection string without a scheme holds a password: `user:password@host`, `host=db password=x`. */
export const holdsCredentials = (text: string): boolean =>
  /^[^\s/@:]*:(?!\/\/|\$\()[^@\s]+@/.test(text) || /(?:^|[;\s])(?:password|passwd|pwd)\s*=\s*(?!\$\()[^;\s]/i.test(text)
