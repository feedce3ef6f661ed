import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { toast } from '@/ui/toast.tsx'

// A busy machine may take its time; what never appears still fails.
configure({ asyncUtilTimeout: 5000 })

// happy-dom lays nothing out; virtual lists ask for the size of their box and would render nothing in 0 pixels.
Object.defineProperties(HTMLElement.prototype, {
  offsetHeight: { configurable: true, get: () => 700 },
  offsetWidth: { configurable: true, get: () => 1000 },
  clientHeight: { configurable: true, get: () => 700 },
  clientWidth: { configurable: true, get: () => 1000 },
})

afterEach(() => {
  cleanup()
  toast.clear()
  localStorage.clear()
  sessionStorage.clear()
})
