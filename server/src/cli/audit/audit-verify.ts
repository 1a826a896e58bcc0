import { INSTALLATION } from '../../audit/audit.ts'
import { type AuditFault, verifyAudit } from '../../audit/verify-audit.ts'
import { command } from '../command.ts'

const FAULT_TEXTS: Readonly<Record<AuditFault['kind'], string>> = {
  changed: 'was changed',
  removed: 'is missing',
  inserted: 'was inserted',
}

/** Exit code 1 when an entry was changed, removed or inserted. */
export const auditVerifyCommand = command({
  name: 'audit verify',
  about: 'find entries that were changed, removed or inserted since they were written',
  run: async ({ store, keys }, io) => {
    const report = await verifyAudit(store, keys)
    const isWhole = report.faults.length === 0
    if (io.json) {
      io.out(JSON.stringify({ isWhole, ...report }))
      return isWhole ? 0 : 1
    }
    for (const { resellerId, entries, lastSeal, begunAnew } of report.chains) {
      io.out(
        `${chainName(resellerId)}: ${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}, the last sealed ${lastSeal}`,
      )
      if (begunAnew !== null)
        io.out(
          `  begun anew with entry ${begunAnew.seq} at ${begunAnew.at.toISOString()}, because the master key was replaced (${begunAnew.detail}); who lost it cannot prove the entries before.`,
        )
    }
    for (const { resellerId, seq, kind } of report.faults) io.err(`${chainName(resellerId)}: entry ${seq} ${FAULT_TEXTS[kind]}.`)
    if (report.isCut) io.err('There are more; only the first are told.')
    io.out(isWhole ? 'The audit log is whole.' : 'The audit log was tampered with.')
    return isWhole ? 0 : 1
  },
})

const chainName = (resellerId: number): string => (resellerId === INSTALLATION ? 'The installation' : `Reseller ${resellerId}`)
