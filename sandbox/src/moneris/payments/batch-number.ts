import type { StoredObject } from '../../store/object-store.ts'
import type { SandboxSession } from '../store/sandbox-session.ts'

interface Batch extends StoredObject {
  readonly number: number
}

/** The number of the store's open batch. */
export const currentBatch = (session: SandboxSession): number => session.find<Batch>('batch', 'batch')?.number ?? 1

/** Closes the open batch, so that its payments can no longer be voided. */
export const startNextBatch = (session: SandboxSession): void => {
  session.put<Batch>({ id: 'batch', object: 'batch', number: currentBatch(session) + 1 })
}
