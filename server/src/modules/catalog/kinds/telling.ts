/** Names of variables that end with what they hold; `TOKEN_URL` is an address. */
const secret =
  /(passw(or)?d|passphrase|secret|token|credentials?|api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key)$/i

export const isTelling = (name: string): boolean => secret.test(name)
export const blank = '***'
