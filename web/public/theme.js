// A chosen theme is set before the first paint. Without one the style sheet follows the operating system.
try {
  var theme = JSON.parse(localStorage.getItem('quarterdeck.theme') || 'null')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden; the operating system's choice stands then.
}
