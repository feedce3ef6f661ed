import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { goText } from '../values/print.ts'
import { compareText, getKey, isMap, keysOf, type Value } from '../values/values.ts'
import { goTemplateError } from './error.ts'
import { isNamespace, memberOf } from './members.ts'
import type { Command, Node, Operand, Pipe, Template } from './syntax.ts'
import { truth } from './truth.ts'

/** Nothing at all: what a missing key gives. Printed as <no value>. */
const missing = undefined

export type TemplateFunction = (run: Run, ...args: Value[]) => Value

export interface Functions {
  get(name: string): TemplateFunction | undefined
}

class Break extends Error {}
class Continue extends Error {}

interface Variable {
  name: string
  value: Value
}

const deepestCalls = 1_000

class Executor {
  private out = ''
  private variables: Variable[]
  private calls = 0

  constructor(
    private readonly template: Template,
    private readonly root: Value,
    private readonly functions: Functions,
    private readonly run: Run,
  ) {
    this.variables = [{ name: '$', value: root }]
  }

  execute(): string {
    this.walk(this.template.body, this.root)
    return this.out
  }

  private fail(offset: number, error: unknown): never {
    if (!(error instanceof ValueError)) throw error
    throw goTemplateError(this.template.source, offset, error.message, 'evaluation')
  }

  private write(text: string): void {
    this.run.allowText(this.out.length + text.length)
    this.out += text
  }

  private walk(nodes: Node[], dot: Value): void {
    for (const node of nodes) {
      this.run.spend(1)
      switch (node.type) {
        case 'text':
          this.run.spendText(node.text.length)
          this.write(node.text)
          break
        case 'action': {
          const value = this.pipeline(node.pipe, dot)
          if (node.pipe.variables.length === 0) this.write(this.shown(value, node.offset))
          break
        }
        case 'if':
        case 'with':
          this.scoped(() => {
            const value = this.pipeline(node.pipe, dot)
            const holds = truth(value)
            this.walk(holds ? node.body : node.otherwise, node.type === 'with' && holds ? value : dot)
          })
          break
        case 'range':
          this.range(node, dot)
          break
        case 'template':
          this.include(node, dot)
          break
        case 'break':
          throw new Break()
        case 'continue':
          throw new Continue()
      }
    }
  }

  private shown(value: Value, offset: number): string {
    if (value === null || value === undefined) return '<no value>'
    if (isNamespace(value)) this.fail(offset, new ValueError('a namespace of functions cannot be printed'))
    this.run.spend(Array.isArray(value) ? value.length : 1)
    return goText(value)
  }

  private scoped(work: () => void): void {
    const held = this.variables.length
    work()
    this.variables.length = held
  }

  private range(node: Extract<Node, { type: 'range' }>, dot: Value): void {
    this.scoped(() => {
      const over = this.pipeline(node.pipe, dot, true)
      let some = false
      const { variables, assigns } = node.pipe
      const round = (key: Value, item: Value) => {
        some = true
        this.run.spend(1)
        const held = this.variables.length
        const set = (name: string, value: Value) =>
          assigns ? this.assign(name, value) : this.variables.push({ name, value })
        if (variables.length === 1) set(variables[0]!, item)
        else if (variables.length === 2) {
          set(variables[0]!, key)
          set(variables[1]!, item)
        }
        try {
          this.walk(node.body, item)
        } catch (error) {
          if (!(error instanceof Continue)) throw error
        }
        this.variables.length = held
      }
      try {
        this.rounds(over, variables.length === 2, round, node.offset)
      } catch (error) {
        if (!(error instanceof Break)) throw error
      }
      if (!some) this.walk(node.otherwise, dot)
    })
  }

  private rounds(over: Value, pairs: boolean, round: (key: Value, item: Value) => void, offset: number): void {
    if (over === null || over === undefined) return
    if (Array.isArray(over)) over.forEach((item, index) => round(index, item))
    else if (over instanceof Uint8Array) over.forEach((item, index) => round(index, item))
    else if (isMap(over)) {
      const keys = keysOf(over).sort((a, b) => compareText(goText(a), goText(b)))
      for (const key of keys) round(key, getKey(over, key))
    } else if (typeof over === 'bigint' || (typeof over === 'number' && Number.isInteger(over))) {
      if (pairs) this.fail(offset, new ValueError("can't use an integer to iterate over more than one variable"))
      for (let index = 0; index < Number(over); index++) round(index, index)
    } else this.fail(offset, new ValueError(`range can't iterate over ${goText(over)}`))
  }

  private include(node: Extract<Node, { type: 'template' }>, dot: Value): void {
    const body = this.template.named.get(node.name)
    if (!body) this.fail(node.offset, new ValueError(`template "${node.name}" not defined`))
    if (++this.calls > deepestCalls) this.fail(node.offset, new ValueError('templates call each other too deeply'))
    const value = node.pipe ? this.pipeline(node.pipe, dot) : missing
    const held = this.variables
    this.variables = [{ name: '$', value }]
    this.walk(body!, value)
    this.variables = held
    this.calls--
  }

  private assign(name: string, value: Value): void {
    const found = this.variables.findLast((variable) => variable.name === name)
    if (found) found.value = value
  }

  private pipeline(pipe: Pipe, dot: Value, forRange = false): Value {
    let value: Value = missing
    let given = false
    for (const command of pipe.commands) {
      value = this.command(command, dot, given ? [value] : [])
      given = true
    }
    if (forRange) return value
    for (const name of pipe.variables) {
      if (pipe.assigns) this.assign(name, value)
      else this.variables.push({ name, value })
    }
    return value
  }

  /** `final` is what the command before it in the pipeline gave. */
  private command(command: Command, dot: Value, final: Value[]): Value {
    this.run.spend(1)
    const [first, ...rest] = command.args
    const call = first!
    switch (call.type) {
      case 'function':
        return this.call(call.name, rest, dot, final, call.offset)
      case 'field':
        return this.member(dot, call.path, rest, dot, final, call.offset)
      case 'variable':
        return call.path.length === 0
          ? this.alone(call, rest, dot, final)
          : this.member(this.variable(call.name), call.path, rest, dot, final, call.offset)
      case 'chain':
        return this.member(this.operand(call.of, dot), call.path, rest, dot, final, call.offset)
      default:
        return this.alone(call, rest, dot, final)
    }
  }

  private alone(operand: Operand, rest: Operand[], dot: Value, final: Value[]): Value {
    if (operand.type === 'nil') this.fail(operand.offset, new ValueError('nil is not a command'))
    if (rest.length > 0 || final.length > 0)
      this.fail(operand.offset, new ValueError("can't give argument to non-function"))
    return this.operand(operand, dot)
  }

  private variable(name: string): Value {
    return this.variables.findLast((variable) => variable.name === name)?.value
  }

  private operand(operand: Operand, dot: Value): Value {
    this.run.spend(1)
    switch (operand.type) {
      case 'dot':
        return dot
      case 'nil':
        return null
      case 'constant':
        return operand.value
      case 'field':
        return this.member(dot, operand.path, [], dot, [], operand.offset)
      case 'variable':
        return this.member(this.variable(operand.name), operand.path, [], dot, [], operand.offset)
      case 'function':
        return this.call(operand.name, [], dot, [], operand.offset)
      case 'chain':
        return this.member(this.operand(operand.of, dot), operand.path, [], dot, [], operand.offset)
      case 'pipe':
        return this.pipeline(operand.pipe, dot)
    }
  }

  /** Follows fields; the last may be a method that takes the arguments. */
  private member(from: Value, path: string[], args: Operand[], dot: Value, final: Value[], offset: number): Value {
    let value = from
    try {
      path.forEach((name, index) => {
        this.run.spend(1)
        const isLast = index === path.length - 1
        const given = isLast ? [...args.map((arg) => this.operand(arg, dot)), ...final] : []
        value = this.field(value, name, given)
      })
      return value
    } catch (error) {
      return this.fail(offset, error)
    }
  }

  private field(value: Value, name: string, args: Value[]): Value {
    const method = memberOf(value, name)
    if (method) return method(this.run, ...args)
    if (isMap(value)) {
      if (args.length > 0) throw new ValueError(`${name} is not a method but has arguments`)
      return getKey(value, name)
    }
    // What lies below a missing key is missing too; below nil there is nothing to look into.
    if (value === undefined) return undefined
    if (value === null) throw new ValueError(`nil pointer evaluating interface {}.${name}`)
    throw new ValueError(`can't evaluate field ${name} in ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`)
  }

  private call(name: string, rest: Operand[], dot: Value, final: Value[], offset: number): Value {
    // and, or stop at the first argument that decides.
    if (name === 'and' || name === 'or') return this.shortCircuit(name, rest, dot, final, offset)
    const args = [...rest.map((arg) => this.operand(arg, dot)), ...final]
    const work = this.functions.get(name)
    if (!work) this.fail(offset, new ValueError(`function "${name}" not defined`))
    try {
      return work!(this.run, ...args)
    } catch (error) {
      return this.fail(
        offset,
        error instanceof ValueError ? new ValueError(`error calling ${name}: ${error.message}`) : error,
      )
    }
  }

  private shortCircuit(name: string, rest: Operand[], dot: Value, final: Value[], offset: number): Value {
    if (rest.length + final.length === 0)
      this.fail(offset, new ValueError(`wrong number of args for ${name}: want at least 1 got 0`))
    let value: Value
    for (const arg of rest) {
      value = this.operand(arg, dot)
      if (truth(value) === (name === 'or')) return value
    }
    return final.length > 0 ? final[0] : value
  }
}

export function execute(template: Template, root: Value, functions: Functions, run: Run): string {
  try {
    return new Executor(template, root, functions, run).execute()
  } catch (error) {
    if (error instanceof RangeError)
      throw goTemplateError(template.source, 0, 'the template is nested too deeply', 'limit')
    throw error
  }
}
