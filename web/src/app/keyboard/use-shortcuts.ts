import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Nav } from '../nav.ts'
import { goTargets, isTyping } from './shortcuts.ts'

// How long after `g` a letter still counts.
const sequence = 1_200

interface Options {
  nav: Nav
  openPalette: () => void
  openHelp: () => void
}

/** The shortcuts of the whole console. Pages add their own where they are needed. */
export function useShortcuts(options: Options) {
  const navigate = useNavigate()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })

  useEffect(() => {
    let going = 0

    function onKeyDown(event: KeyboardEvent) {
      const { nav, openPalette, openHelp } = latest.current
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      const modified = event.metaKey || event.ctrlKey || event.altKey
      if (modified || event.defaultPrevented || isTyping(event.target) || isOverlayOpen()) return
      if (going > 0 && Date.now() - going < sequence) {
        going = 0
        const target = goTargets(nav).find((item) => item.key === event.key.toLowerCase())
        if (!target) return
        event.preventDefault()
        return void navigate(target.to)
      }
      if (event.key === 'g') going = Date.now()
      if (event.key === '?') {
        event.preventDefault()
        openHelp()
      }
      if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLElement>('#main [role=searchbox], #main input[type=search]')
        if (field) field.focus()
        else openPalette()
      }
    }

    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate])
}

const isOverlayOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null
