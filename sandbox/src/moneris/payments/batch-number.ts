import type { StoredObject } from '../../kit/object-store.ts'
import type { MonerisSession } from '../store/moneris-session.ts'

interface Batch extends StoredObject {
  readonly number: number
}

/** The number of the store's open batch. */
export const currentBatch = (session: MonerisSession): number => session.find<Batch>('batch', 'batch')?.number ?? 1

/** Closes the open batch, so that its payments can no longer be voided. */
export const startNextBatch = (session: MonerisSession): void => {
  session.put<Batch>({ id: 'batch', object: 'batch', number: currentBatch(session) + 1 })
}
