import { lstat, readFile, readdir } from 'node:fs/promises'
import { join, matchesGlob, relative, resolve, sep } from 'node:path'
import type { Outcome } from '../kind.ts'

type Artifact = NonNullable<Outcome['artifacts']>[number]

const maxBytes = 10 * 1024 * 1024
const maxFiles = 100
