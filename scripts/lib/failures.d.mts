export function vitestFailures(report: object): string[]
export function playwrightFailures(report: object): string[]
export function checkFailure(name: string, output: string): string
export function failureLines(failures: readonly string[]): string
export function failuresIn(output: string): string[]
