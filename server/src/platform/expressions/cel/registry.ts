import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'

export type Implementation = (run: Run, ...args: never[]) => Value

/** The functions a CEL expression may call, by name and number of arguments. */
export class Registry {
  private readonly functions = new Map<string, Implementation>()
  private readonly methods = new Map<string, Implementation>()
  private readonly names = new Set<string>()

  constructor(private readonly parent?: Registry) {}

  /** `name(…)` or `namespace.name(…)`. */
  fn(name: string, arities: number | number[], implementation: Implementation): this {
    for (const arity of [arities].flat()) this.functions.set(`${name}/${arity}`, implementation)
    this.names.add(name)
    return this
  }

  /** `receiver.name(…)`; the arity counts what stands in the parentheses, the receiver comes first. */
  method(name: string, arities: number | number[], implementation: Implementation): this {
    for (const arity of [arities].flat()) this.methods.set(`${name}/${arity}`, implementation)
    this.names.add(`.${name}`)
    return this
  }

  findFunction(name: string, arity: number): Implementation | undefined {
    return this.functions.get(`${name}/${arity}`) ?? this.parent?.findFunction(name, arity)
  }

  findMethod(name: string, arity: number): Implementation | undefined {
    return this.methods.get(`${name}/${arity}`) ?? this.parent?.findMethod(name, arity)
  }

  /** Whether the name exists with any number of arguments. */
  knows(name: string): boolean {
    return this.names.has(name) || (this.parent?.knows(name) ?? false)
  }

  allNames(): string[] {
    return [...new Set([...this.names, ...(this.parent?.allNames() ?? [])])].sort()
  }
}
