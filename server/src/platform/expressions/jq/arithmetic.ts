import type { Run } from '../run.ts'
import { put } from '../values/values.ts'
import { compare, isObject, JqError, withValue } from './data.ts'

const refuse = (what: string, left: unknown, right: unknown): never => {
  throw new JqError(`${withValue(left)} and ${withValue(right)} cannot be ${what}`)
}

export function add(left: unknown, right: unknown, run: Run): unknown {
  if (left === null) return right
  if (right === null) return left
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') {
    run.allowText(left.length + right.length)
    return left + right
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    run.spend((left.length + right.length) >>> 2)
    return [...left, ...right]
  }
  if (isObject(left) && isObject(right)) {
    run.spend(Object.keys(left).length + Object.keys(right).length)
    return { ...left, ...right }
  }
  return refuse('added', left, right)
}

function merge(left: unknown, right: unknown, run: Run): unknown {
  if (!isObject(left) || !isObject(right)) return right
  run.spend(Object.keys(right).length)
  const result = { ...left }
  for (const [key, value] of Object.entries(right))
    put(result, key, Object.hasOwn(left, key) ? merge(left[key], value, run) : value)
  return result
}

function multiply(left: unknown, right: unknown, run: Run): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left * right
  const [text, count] = typeof left === 'string' ? [left, right] : [right, left]
  if (typeof text === 'string' && typeof count === 'number') {
    if (count <= 0) return null
    const times = Math.max(1, Math.ceil(count < 1 ? 1 : count))
    run.allowText(text.length * times)
    return text.repeat(times)
  }
  if (isObject(left) && isObject(right)) return merge(left, right, run)
  return refuse('multiplied', left, right)
}

function divide(left: unknown, right: unknown, run: Run): unknown {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0) return refuse('divided because the divisor is zero', left, right)
    return left / right
  }
  if (typeof left === 'string' && typeof right === 'string') {
    run.spendText(left.length)
    return left === '' ? [] : left.split(right)
  }
  return refuse('divided', left, right)
}

function remainder(left: unknown, right: unknown): unknown {
  if (typeof left !== 'number' || typeof right !== 'number') return refuse('divided (remainder)', left, right)
  const [a, b] = [Math.trunc(left), Math.trunc(right)]
  if (b === 0) return refuse('divided (remainder) because the divisor is zero', left, right)
  return (a % Math.abs(b)) + 0
}

function subtract(left: unknown, right: unknown, run: Run): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (Array.isArray(left) && Array.isArray(right))
    return left.filter((item) => !right.some((other) => compare(item, other, run) === 0))
  return refuse('subtracted', left, right)
}

export function arithmetic(operator: string, left: unknown, right: unknown, run: Run): unknown {
  switch (operator) {
    case '+':
      return add(left, right, run)
    case '-':
      return subtract(left, right, run)
    case '*':
      return multiply(left, right, run)
    case '/':
      return divide(left, right, run)
    case '%':
      return remainder(left, right)
    case '==':
      return compare(left, right, run) === 0
    case '!=':
      return compare(left, right, run) !== 0
    case '<':
      return compare(left, right, run) < 0
    case '<=':
      return compare(left, right, run) <= 0
    case '>':
      return compare(left, right, run) > 0
    default:
      return compare(left, right, run) >= 0
  }
}
