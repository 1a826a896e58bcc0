import { Faults } from './faults.ts'
import { Ledger } from './ledger.ts'
import { Mailbox } from './mailbox.ts'
import { Settlements } from './settlements.ts'

/** Everything the sandbox remembers; each provider's stand-in books, misbehaves and settles through these. */
export interface Stores {
  readonly mailbox: Mailbox
  readonly ledger: Ledger
  readonly faults: Faults
  readonly settlements: Settlements
}

/** The stores of one sandbox; the ledger is read back from `dir`, the others begin empty. */
export const openStores = (dir: string): Stores => ({
  mailbox: new Mailbox(),
  ledger: new Ledger(dir),
  faults: new Faults(),
  settlements: new Settlements(),
})
