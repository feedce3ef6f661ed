/** Characters that nobody sees: with them two names look alike and are not. */
const unseen = /[\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u
const most = 253

/** Why a text cannot be the name of something, as the end of a sentence that begins with what it names. */
export function nameFault(text: string): string | undefined {
  if (text.trim() === '') return 'cannot be empty'
  if (text.trim() !== text) return 'cannot begin or end with a space'
  if ([...text].length > most) return `has at most ${most} characters`
  if (/\p{Cc}/u.test(text)) return 'cannot hold control characters'
  return unseen.test(text) ? 'cannot hold characters that nobody sees' : undefined
}

/** One spelling of a letter with its accents, so that equal names are equal texts. */
export const oneSpelling = (name: string): string => name.normalize('NFC')
