import { type AuditAction, type AuditEntry, COMMAND_LINE, INSTALLATION, writeAudit } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/database.ts'
import { loginName } from './terminal.ts'

type Noted = Pick<AuditEntry, 'subject'> & Partial<Pick<AuditEntry, 'resellerId' | 'customerId' | 'detail' | 'before' | 'after'>>

/** Notes what an operator did, in the transaction in which it is done. To be called last in it (audit/audit.ts). */
export const noteOperator = (
  db: Db,
  { keys, clock }: Pick<AppContext, 'keys' | 'clock'>,
  action: AuditAction,
  noted: Noted,
): Promise<void> =>
  writeAudit(db, keys, clock(), {
    resellerId: INSTALLATION,
    ...noted,
    action,
    actor: { kind: 'operator', name: loginName() },
    source: COMMAND_LINE,
  })
