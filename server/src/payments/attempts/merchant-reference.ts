import { randomInt } from 'node:crypto'
import type { ReferenceFormat } from '../providers/order.ts'

/**
 * A reference for a new attempt, by which the provider is to know it: random, in the provider's own form. Stored nowhere yet.
 * @param attemptId the reference where the provider takes a UUID
 */
export const createReference = (format: ReferenceFormat | undefined, attemptId: string): string =>
  format === undefined
    ? attemptId
    : Array.from({ length: format.length }, () => format.alphabet[randomInt(format.alphabet.length)]).join('')
