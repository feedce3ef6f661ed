import { z } from 'zod'

/** What every failed call answers, data API and area routes alike. `error` repeats the message for older clients. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  hint: z.string().nullable(),
  error: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
