import { type Action, can, type Role } from '@quarterdeck/contract/permissions'
import {
  type FunctionRule,
  functions,
  hidden,
  type RelationRule,
  relations,
  type Write,
} from '@quarterdeck/contract/relations'
import { denied, noSuchRelation } from '../errors.ts'
import type { Column, Relation, Routine, SchemaCache } from '../schema/model.ts'
import { nearest } from './nearest.ts'

export interface AccessRules {
  relations: Record<string, RelationRule | typeof hidden>
  functions: Record<string, FunctionRule | typeof hidden>
}

export const contractRules: AccessRules = { relations, functions }

/** What holders of some roles may touch. Every name of a request passes through here before it becomes SQL. */
export class Access {
  /** Requests of people with the same roles may share a plan. */
  readonly key: string

  constructor(
    private readonly schema: SchemaCache,
    private readonly rules: AccessRules,
    private readonly roles: readonly Role[],
  ) {
    this.key = [...roles].sort().join(',')
  }

  ruleOf(name: string): RelationRule | undefined {
    const rule = Object.hasOwn(this.rules.relations, name) ? this.rules.relations[name] : undefined
    return rule === hidden ? undefined : rule
  }

  private may(rule: RelationRule, action: Action): boolean {
    const resource = rule[action]
    return resource !== undefined && can(this.roles, action, resource)
  }

  canRead(name: string): boolean {
    const rule = this.ruleOf(name)
    return rule !== undefined && this.schema.relations.has(name) && this.may(rule, 'read')
  }

  canWrite(name: string, write: Write): boolean {
    const rule = this.ruleOf(name)
    if (!rule || !this.schema.relations.has(name) || !this.may(rule, 'write')) return false
    return rule.writes === undefined || rule.writes.includes(write)
  }

  /** Whether anybody at all may write it this way; if not, the method is wrong and not the person. */
  isWritable(name: string, write: Write): boolean {
    const rule = this.ruleOf(name)
    return rule?.write !== undefined && (rule.writes === undefined || rule.writes.includes(write))
  }

  /** A relation that is served, whoever asks. Hidden ones answer like unknown ones. */
  served(name: string): Relation {
    const relation = this.ruleOf(name) ? this.schema.relations.get(name) : undefined
    if (relation) return relation
    const near = nearest(name, this.readable())
    throw noSuchRelation(name, near && `Perhaps you meant the table 'public.${near}'`)
  }

  readableRelation(name: string): Relation {
    const relation = this.served(name)
    if (!this.canRead(name)) throw denied('table', name)
    return relation
  }

  readable(): string[] {
    return [...this.schema.relations.keys()].filter((name) => this.canRead(name))
  }

  /** Values of this column are not for these roles: shown masked, refused in filters and orders. */
  isSecret(relation: string, column: Column): boolean {
    return (
      this.hides(relation, column.name) ||
      (column.origin !== undefined && this.hides(column.origin.relation, column.origin.column))
    )
  }

  /** Values of this column may be encrypted at rest. */
  isSealed(relation: string, { name, origin }: Column): boolean {
    const holds = (owner: string, column: string) => this.ruleOf(owner)?.secret?.includes(column) === true
    return holds(relation, name) || (origin !== undefined && holds(origin.relation, origin.column))
  }

  private hides(relation: string, column: string): boolean {
    const rule = this.ruleOf(relation)
    return rule?.secret !== undefined && rule.secret.includes(column) && !this.may(rule, 'write')
  }

  /** The column that must hold the person's own id in every row they see, if there is such a rule for them. */
  ownColumn(relation: string): string | undefined {
    const rule = this.ruleOf(relation)
    return rule?.own !== undefined && !this.may(rule, 'write') ? rule.own : undefined
  }

  functionRule(name: string): FunctionRule | undefined {
    const rule = Object.hasOwn(this.rules.functions, name) ? this.rules.functions[name] : undefined
    return rule === hidden ? undefined : rule
  }

  canCall(name: string): boolean {
    const rule = this.functionRule(name)
    return rule !== undefined && can(this.roles, rule.action, rule.resource)
  }

  callable(): Routine[] {
    return [...this.schema.routines.values()].flat().filter((routine) => this.canCall(routine.name))
  }
}
