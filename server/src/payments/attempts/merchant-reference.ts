import { randomInt } from 'node:crypto'
import type { ReferenceFormat } from '../providers/order.ts'

/**
 * Our reference of a new attempt, by which the provider knows it: random, in the provider's own form.
 * @param attemptId the reference where the provider takes a UUID
 */
export const createReference = (format: ReferenceFormat | undefined, attemptId: string): string =>
  format === undefined
    ? attemptId
    : Array.from({ length: format.length }, () => format.alphabet[randomInt(format.alphabet.length)]).join('')
