import type { FastifyRequest } from 'fastify'

/** Forms as they came, for those that are passed on: reading one loses repeated fields. */
export const forms = new WeakMap<FastifyRequest, string>()
