import type { Capabilities } from '@quarterdeck/contract/capabilities'
import { useEffect } from 'react'
import { messageOf } from '@/api/errors.ts'
import type { FlagProperty, User } from '@/api/session.ts'

/** The property whose value is script of the operator's own. */
export const snippetProperty = 'flanksource.ui.snippets'

type Given = { user: User; organization: null }

/**
 * The script to run for the signed-in person, if any. Only the server's own file may hold it, and only where the operator
 * of the server allows it: whoever can write the database must not thereby run script for everybody.
 */
export function snippetOf(properties: readonly FlagProperty[], capabilities: Pick<Capabilities, 'snippets'>) {
  if (!capabilities.snippets) return undefined
  return properties.find(({ name, source, value }) => name === snippetProperty && source === 'local' && value !== '')
    ?.value
}

/** Runs an expression that yields a function, with who is signed in. A mistake in it must not take the console down. */
export function runSnippet(text: string, given: Given) {
  try {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- this is what the setting allows
    const made: unknown = new Function(`return (${text})`)()
    if (typeof made !== 'function') throw new Error('it does not yield a function')
    ;(made as (given: Given) => void)(given)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the operator who wrote it looks here
    console.error(`The property ${snippetProperty} failed: ${messageOf(error)}`)
  }
}

let ran: string | undefined

interface Props {
  properties: readonly FlagProperty[]
  capabilities: Capabilities
  user: User
}

/** Runs the operator's snippet once per visit; shows nothing itself. */
export function Snippet({ properties, capabilities, user }: Props) {
  const text = snippetOf(properties, capabilities)
  useEffect(() => {
    if (text === undefined || ran === text) return
    ran = text
    runSnippet(text, { user, organization: null })
  }, [text, user])
  return null
}
