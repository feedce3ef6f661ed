/** The tree of a template, cut like Go's text/template/parse. */

export type Node =
  | { type: 'text'; text: string }
  | { type: 'action'; pipe: Pipe; offset: number }
  | { type: 'if' | 'with'; pipe: Pipe; body: Node[]; otherwise: Node[]; offset: number }
  | { type: 'range'; pipe: Pipe; body: Node[]; otherwise: Node[]; offset: number }
  | { type: 'template'; name: string; pipe: Pipe | null; offset: number }
  | { type: 'break' | 'continue'; offset: number }

export interface Pipe {
  /** Variables set by the pipeline; `range` may set two. */
  variables: string[]
  /** `=` sets variables that exist, `:=` makes new ones. */
  assigns: boolean
  commands: Command[]
  offset: number
}

export interface Command {
  args: Operand[]
  offset: number
}

export type Operand =
  | { type: 'dot' | 'nil'; offset: number }
  | { type: 'constant'; value: unknown; offset: number }
  | { type: 'field'; path: string[]; offset: number }
  | { type: 'variable'; name: string; path: string[]; offset: number }
  | { type: 'function'; name: string; offset: number }
  | { type: 'chain'; of: Operand; path: string[]; offset: number }
  | { type: 'pipe'; pipe: Pipe; offset: number }

export interface Template {
  source: string
  body: Node[]
  /** Bodies of define and block. */
  named: ReadonlyMap<string, Node[]>
}
