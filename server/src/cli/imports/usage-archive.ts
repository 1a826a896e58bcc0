import { firstOfMonth, isDay } from '@counterfoil/contract/kit/day'
import { archiveMonths, type ArchivedMonth, findOldMonths } from '../../imports/usage/usage-archive.service.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, flag, pathOption, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'

export const usageArchiveCommand = command({
  name: 'usage archive',
  about: 'remove old months of usage, written to files first where a folder is named; without --yes, say which',
  options: {
    before: requiredOption(textOption('YYYY-MM', 'the first month that stays')),
    out: pathOption('folder', 'write each month there first, as CSV that import usage reads'),
    yes: flag('do it'),
  },
  run: async (deps, io, _, options) => {
    const { store, clock } = deps
    const { before: month, out, yes } = options
    const before = `${month}-01`
    if (!isDay(before)) throw new OperatorError('--before must be a month, such as 2024-01; it is the first that stays.')
    if (before > firstOfMonth(clock().toISOString().slice(0, 10)))
      throw new OperatorError('--before lies in the future: the current month and what comes after it always stay.')
    const folder = out ?? null
    const printMonth = ({ month: name, records, files }: ArchivedMonth): void => {
      if (io.json) return
      io.out(
        `${name}: ${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'}${files.map((file) => `\n  ${file}`).join('')}`,
      )
    }
    const auditAndPrint = async (old: ArchivedMonth): Promise<void> => {
      const detail = `${old.records} records, ${old.files.length} files`
      await store.transact({ role: 'counterfoil_system' }, (db) =>
        auditOperator(db, deps, 'usage.archived', { subject: `month ${old.month}`, detail }),
      )
      printMonth(old)
    }
    const isConfirmed = yes === true
    const months = isConfirmed
      ? await archiveMonths(store, { before, folder }, auditAndPrint)
      : await findOldMonths(store, { before, folder })
    if (io.json) io.out(JSON.stringify({ before: month, removed: isConfirmed, months }))
    else if (months.length === 0) io.out(`There is no usage before ${month}.`)
    else if (isConfirmed) io.out(`${months.length === 1 ? 'One month was' : `${months.length} months were`} removed.`)
    else {
      for (const old of months) printMonth(old)
      io.out(
        `Nothing was changed. --yes removes ${months.length === 1 ? 'this month' : 'these months'} for all resellers${folder === null ? ', and writes no file' : ''}.`,
      )
    }
    return 0
  },
})
