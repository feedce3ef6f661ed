import { ValueError } from '../errors.ts'
import * as args from '../library/args.ts'
import type { Run } from '../run.ts'
import { Duration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { UrlValue, type Value } from '../values/values.ts'
import { utc, zoneNamed } from '../values/zone.ts'
import { namedLayouts } from '../values/layout.ts'

type Method = (run: Run, ...args: Value[]) => Value

/** `strings`, `math` …: what a namespace function gives; its members are functions. */
export class Namespace {
  constructor(
    readonly name: string,
    readonly members: ReadonlyMap<string, Method>,
  ) {}
}
export const isNamespace = (value: Value): boolean => value instanceof Namespace

type Members<T> = Record<string, (self: T, run: Run, ...args: Value[]) => Value>

const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const months = 'January February March April May June July August September October November December'.split(' ')
const { moment, duration, integer, text } = args

const momentMembers: Members<Moment> = {
  Format: (self, _, layout) => self.format(namedLayouts[text(layout)] ?? text(layout)),
  Add: (self, _, span) => self.add(duration(span)),
  AddDate: (self, _, years, month, days) => self.addDate(integer(years), integer(month), integer(days)),
  Sub: (self, _, other) => self.since(moment(other)),
  Unix: (self) => self.unix,
  UnixMilli: (self) => self.ms,
  UnixNano: (self) => self.nanos,
  UTC: (self) => self.in(utc),
  Local: (self) => self.in(zoneNamed('Local')),
  In: (self, _, zone) => self.in(zoneNamed(text(zone))),
  Year: (self) => self.fields().year,
  Month: (self) => months[self.fields().month - 1],
  Day: (self) => self.fields().day,
  Hour: (self) => self.fields().hour,
  Minute: (self) => self.fields().minute,
  Second: (self) => self.fields().second,
  Nanosecond: (self) => self.fields().nanosecond,
  Weekday: (self) => weekdays[self.fields().weekday],
  YearDay: (self) => self.fields().yearDay,
  Before: (self, _, other) => self.nanos < moment(other).nanos,
  After: (self, _, other) => self.nanos > moment(other).nanos,
  Equal: (self, _, other) => self.nanos === moment(other).nanos,
  IsZero: (self) => self.ms === -62_135_596_800_000,
  Truncate: (self, _, span) => cut(self, duration(span).nanos, false),
  Round: (self, _, span) => cut(self, duration(span).nanos, true),
  String: (self) => self.toString(),
}

function cut(at: Moment, step: bigint, round: boolean): Moment {
  if (step <= 0n) return at
  const rest = ((at.nanos % step) + step) % step
  return new Moment(at.nanos - rest + (round && rest * 2n >= step ? step : 0n), at.zone)
}

const durationMembers: Members<Duration> = {
  Hours: (self) => Number(self.nanos) / 3.6e12,
  Minutes: (self) => Number(self.nanos) / 6e10,
  Seconds: (self) => Number(self.nanos) / 1e9,
  Milliseconds: (self) => Number(self.nanos / 1_000_000n),
  Microseconds: (self) => Number(self.nanos / 1_000n),
  Nanoseconds: (self) => self.nanos,
  String: (self) => self.toString(),
  Abs: (self) => new Duration(self.nanos < 0n ? -self.nanos : self.nanos),
  Truncate: (self, _, span) => {
    const step = duration(span).nanos
    return step <= 0n ? self : new Duration(self.nanos - (self.nanos % step))
  },
  Round: (self, _, span) => {
    const step = duration(span).nanos
    if (step <= 0n) return self
    const half = self.nanos < 0n ? -step / 2n : step / 2n
    return new Duration(((self.nanos + half) / step) * step)
  },
}

const urlMembers: Members<UrlValue> = {
  Scheme: ({ url }) => url.protocol.replace(/:$/, ''),
  Host: ({ url }) => url.host,
  Hostname: ({ url }) => url.hostname.replace(/^\[|\]$/g, ''),
  Port: ({ url }) => url.port,
  Path: ({ url }) => decodePath(url.pathname),
  EscapedPath: ({ url }) => url.pathname,
  RawQuery: ({ url }) => url.search.replace(/^\?/, ''),
  Fragment: ({ url }) => url.hash.replace(/^#/, ''),
  Query: ({ url }) => {
    const query: Record<string, string[]> = {}
    for (const key of new Set(url.searchParams.keys()))
      if (key !== '__proto__') query[key] = url.searchParams.getAll(key)
    return query
  },
  User: ({ url }) => (url.username ? { Username: decodePath(url.username) } : null),
  String: ({ href }) => href,
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const bound = <T>(members: Members<T>, self: T, name: string): Method | undefined => {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  return member && ((run, ...given) => member(self, run, ...given))
}

/** What `.name` means on a value that has functions of its own; undefined for plain data. */
export function memberOf(value: Value, name: string): Method | undefined {
  if (value instanceof Namespace) {
    const member = value.members.get(name)
    return (
      member ??
      (() => {
        throw new ValueError(`there is no function ${value.name}.${name}`)
      })
    )
  }
  if (value instanceof Moment) return bound(momentMembers, value, name)
  if (value instanceof Date) return bound(momentMembers, Moment.fromMs(value.getTime()), name)
  if (value instanceof Duration) return bound(durationMembers, value, name)
  if (value instanceof UrlValue) return bound(urlMembers, value, name)
  return undefined
}
