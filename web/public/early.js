// Runs while the code of the console is still on its way; a file, because the page allows no inline script.
{
  // A chosen theme is set before the first paint. Without one the style sheet follows the operating system.
  try {
    const theme = JSON.parse(localStorage.getItem('quarterdeck.theme') || 'null')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage can be forbidden; the operating system's choice stands then.
  }

  // Pages of signing in ask for themselves.
  const account =
    /^\/(login|recovery|registration|verification|profile-settings|auth-state-checker|organizations\/orgs-switched|error)(\/|$)/
  // The one large answer of a page, where its address is always the same.
  const data = { '/health': ['/api/canary/api/summary?fields=list'] }
  const begin = () => {
    const { pathname } = window.location
    if (account.test(pathname)) return
    // api/early.ts takes the answers.
    const early = (window.quarterdeckEarly = {})
    const ask = (address) => {
      const control = new AbortController()
      const answer = fetch(address, { headers: { Accept: 'application/json' }, signal: control.signal })
      // Whoever takes it hears of the failure; perhaps nobody does.
      answer.catch(() => {})
      early[address] = { answer, stop: () => control.abort() }
    }
    for (const address of [
      '/api/v1/capabilities',
      '/api/.ory/sessions/whoami',
      '/api/auth/whoami',
      '/api/properties',
      ...(data[pathname] || []),
    ])
      ask(address)
  }
  begin()
}
