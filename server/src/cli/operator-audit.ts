import { type AuditAction, type AuditEntry, COMMAND_LINE, INSTALLATION, writeAudit } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/database.ts'
import { loginName } from './terminal.ts'

type OperatorAuditEntry = Pick<AuditEntry, 'subject'> &
  Partial<Pick<AuditEntry, 'resellerId' | 'customerId' | 'detail' | 'before' | 'after'>>

/** Writes the audit entry of an operator's action in the transaction of that action. Must be its last statement (audit/audit.ts). */
export const auditOperator = (
  db: Db,
  { keys, clock }: Pick<AppContext, 'keys' | 'clock'>,
  action: AuditAction,
  entry: OperatorAuditEntry,
): Promise<void> =>
  writeAudit(db, keys, clock(), {
    resellerId: INSTALLATION,
    ...entry,
    action,
    actor: { kind: 'operator', name: loginName() },
    source: COMMAND_LINE,
  })
