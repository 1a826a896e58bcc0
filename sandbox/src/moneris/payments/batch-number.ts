import type { StoredObject } from '../../kit/object-store.ts'
import type { MonerisSession } from '../store/moneris-session.ts'

interface Batch extends StoredObject {
  readonly number: number
}

/** The number of the store's open batch, counted from 1. */
export const currentBatch = (session: MonerisSession): number => session.find<Batch>('batch', 'batch')?.number ?? 1

/** Closes the store's open batch, so that its payments can no longer be voided, and opens the next one. */
export const startNextBatch = (session: MonerisSession): void => {
  session.put<Batch>({ id: 'batch', object: 'batch', number: currentBatch(session) + 1 })
}
