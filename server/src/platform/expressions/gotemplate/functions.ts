import { hostFunctions } from '../cel/product.ts'
import { toHost, type Value } from '../values/values.ts'
import { builtins } from './builtins.ts'
import type { Functions, TemplateFunction } from './execute.ts'
import { messageFunctions, namespaces, shortNames } from './library.ts'
import { Namespace } from './members.ts'

/** Namespaces are functions without arguments whose result has the functions as members. */
function namespaceFunctions(): Record<string, TemplateFunction> {
  const result: Record<string, TemplateFunction> = {}
  for (const [name, group] of Object.entries(namespaces)) {
    const members = new Map(Object.entries(group))
    // Both spellings are found in documents: k8s.IsHealthy and k8s.isHealthy.
    for (const [member, work] of Object.entries(group)) {
      const lower = member.charAt(0).toLowerCase() + member.slice(1)
      if (!members.has(lower)) members.set(lower, work)
    }
    const namespace = new Namespace(name, members)
    result[name] = () => namespace
  }
  return result
}

function hostCalls(): Record<string, TemplateFunction> {
  const names = Object.keys(hostFunctions).filter((name) => !name.includes('.'))
  return Object.fromEntries(
    names.map((name): [string, TemplateFunction] => [
      name,
      (run, ...args: Value[]) =>
        run.host(
          name,
          args.map((arg) => toHost(arg)),
        ),
    ]),
  )
}

const all = new Map<string, TemplateFunction>(
  Object.entries({ ...builtins, ...namespaceFunctions(), ...shortNames, ...messageFunctions, ...hostCalls() }),
)
all.set('and', builtins.not!)
all.set('or', builtins.not!)

/** Everything a template of the product may call. */
export const productFunctions: Functions & { has(name: string): boolean; names(): string[] } = {
  get: (name) => all.get(name),
  has: (name) => all.has(name),
  names: () => [...all.keys()].sort(),
}

/** Only what Go itself offers; for tests against it. */
export const goFunctions: Functions & { has(name: string): boolean } = {
  get: (name) => (Object.hasOwn(builtins, name) ? builtins[name] : undefined),
  has: (name) => Object.hasOwn(builtins, name) || name === 'and' || name === 'or',
}
