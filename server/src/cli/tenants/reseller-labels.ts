import { actAsReseller } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { BUILT_IN_REPORTS } from '../../areas/reports/built-in/built-in-reports.service.ts'
import { command, listOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { field, type Fields, parseFields } from './field-set.ts'
import { optional, text } from './fields.rules.ts'
import { requireReseller } from './require-tenant.ts'
import { readExtraLabels, reportSettings, saveReportSetting, saveExtraLabels } from './reseller-labels.queries.ts'
import { printRecord } from './print.ts'

/** The labels of the extra fields that transactions may have; a brand shows those whose flag is on. */
const EXTRA_LABELS: Fields = Object.fromEntries(
  [1, 2, 3, 4, 5].map((n) => [
    `extraField${n}`,
    field(`extra_field${n}`, 'text', `what extra field ${n} of transactions is called`, optional(text(60))),
  ]),
)

export const resellerLabelsCommand = command({
  name: 'reseller labels',
  about: 'name the extra fields of transactions; without a change, show their names',
  arguments: { reseller: 'text' },
  options: EXTRA_LABELS,
  run: async (deps, io, { reseller: resellerRef }, options) => {
    const changes = parseFields(EXTRA_LABELS, options)
    const labels = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id } = await requireReseller(db, resellerRef)
      await actAsReseller(db, id)
      if (Object.keys(changes).length === 0) return readExtraLabels(db, id)
      await saveExtraLabels(db, id, changes)
      const after = await readExtraLabels(db, id)
      await auditOperator(db, deps, 'reseller.changed', {
        resellerId: id,
        subject: `reseller ${id}`,
        detail: Object.keys(changes).join(' '),
        after,
      })
      return after
    })
    return printRecord(io, labels)
  },
})

export const resellerReportsCommand = command({
  name: 'reseller reports',
  about: 'say which reports the customers are offered; without a change, show it',
  arguments: { reseller: 'text' },
  options: {
    on: listOption('report', 'a report to offer, by its name'),
    off: listOption('report', 'a report to offer no more'),
  },
  run: async (deps, io, { reseller: resellerRef }, options) => {
    const changes = [true, false].flatMap((isOffered) =>
      ((isOffered ? options.on : options.off) ?? []).map((name) => ({ report: requireReport(name), isOffered })),
    )
    const duplicate = changes.find(({ report }, at) => changes.findIndex((other) => other.report.id === report.id) !== at)
    if (duplicate !== undefined) throw new OperatorError(`${duplicate.report.name} is named twice; say --on or --off once.`)
    const reports = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id } = await requireReseller(db, resellerRef)
      await actAsReseller(db, id)
      for (const { report, isOffered } of changes) await saveReportSetting(db, id, report.id, isOffered)
      const settings = await reportSettings(db, id)
      if (changes.length > 0) {
        const detail = changes.map(({ report, isOffered }) => `${report.name} ${isOffered ? 'on' : 'off'}`).join(', ')
        await auditOperator(db, deps, 'reseller.changed', { resellerId: id, subject: `reseller ${id}`, detail })
      }
      return Object.fromEntries(BUILT_IN_REPORTS.map(({ id: report, name }) => [name, settings.get(report) ?? true]))
    })
    return printRecord(io, reports)
  },
})

/** The built-in report with this name, ignoring case. @throws OperatorError when there is none */
const requireReport = (resellerRef: string): { id: number; name: string } => {
  const report = BUILT_IN_REPORTS.find(({ name }) => name.toLowerCase() === resellerRef.trim().toLowerCase())
  if (report === undefined)
    throw new OperatorError(`${quoteValue(resellerRef)} is no report; there are ${BUILT_IN_REPORTS.map(({ name }) => name).join(', ')}.`)
  return report
}
