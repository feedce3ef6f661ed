/** Ends the title of every page. */
export const titleSuffix = ' | Quarterdeck'

/** The browser tab: what is open first, where it belongs after it. */
export const pageTitle = (crumbs: readonly string[]) => [...crumbs].reverse().filter(Boolean).join(' · ') + titleSuffix
