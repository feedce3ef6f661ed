/** Web, mail and addresses of this console; everything else, javascript: first of all, is no link. */
export function isSafeLink(address: string): boolean {
  // Browsers skip control characters and spaces inside a scheme, and read a backslash as a slash.
  const plain = address.replaceAll(/[\u0000-\u0020]/g, '').replaceAll('\\', '/')
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1]?.toLowerCase()
  return scheme ? ['http', 'https', 'mailto'].includes(scheme) : plain !== '' && !plain.startsWith('//')
}
