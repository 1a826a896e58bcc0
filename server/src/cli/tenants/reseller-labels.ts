import { actAsReseller } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { shown } from '../../imports/bad-row.ts'
import { BUILT_IN_REPORTS } from '../../areas/reports/built-in-reports.service.ts'
import { type Command, listOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { columnsOf, type Field, field } from './field-set.ts'
import { optional, text } from './fields.rules.ts'
import * as find from './find.ts'
import { extraLabels, offeredReports, offerReport, putExtraLabels } from './reseller-labels.queries.ts'
import { tellRecord } from './print.ts'

/** The labels of the extra fields that transactions may have; a brand shows those whose flag is on. */
export const EXTRA_LABELS: readonly Field[] = [1, 2, 3, 4, 5].map((n) =>
  field(`extra-field${n}`, `extra_field${n}`, 'text', `what extra field ${n} of transactions is called`, optional(text(60))),
)

/** `counterfoil reseller labels R [--extra-field1 TEXT …]`: without a change, what they are now. */
export const resellerLabelsCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = columnsOf(EXTRA_LABELS, options)
  const labels = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id } = await find.reseller(db, wanted)
    await actAsReseller(db, id)
    if (Object.keys(to).length === 0) return extraLabels(db, id)
    await putExtraLabels(db, id, to)
    const after = await extraLabels(db, id)
    await noteOperator(db, deps, 'reseller.changed', {
      resellerId: id,
      subject: `reseller ${id}`,
      detail: Object.keys(to).join(' '),
      after,
    })
    return after
  })
  return tellRecord(io, labels)
}

/** `counterfoil reseller reports R [--on NAME] [--off NAME]`: which reports its customers are offered; without a change, what they are now. */
export const resellerReportsCommand: Command = async (deps, io, [wanted = ''], options) => {
  const changes = [true, false].flatMap((isOffered) =>
    (listOption(options, isOffered ? 'on' : 'off') ?? []).map((name) => ({ report: reportNamed(name), isOffered })),
  )
  const twice = changes.find(({ report }, at) => changes.findIndex((other) => other.report.id === report.id) !== at)
  if (twice !== undefined) throw new OperatorError(`${twice.report.name} is named twice; say --on or --off once.`)
  const offered = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id } = await find.reseller(db, wanted)
    await actAsReseller(db, id)
    for (const { report, isOffered } of changes) await offerReport(db, id, report.id, isOffered)
    const known = await offeredReports(db, id)
    if (changes.length > 0) {
      const detail = changes.map(({ report, isOffered }) => `${report.name} ${isOffered ? 'on' : 'off'}`).join(', ')
      await noteOperator(db, deps, 'reseller.changed', { resellerId: id, subject: `reseller ${id}`, detail })
    }
    return Object.fromEntries(BUILT_IN_REPORTS.map(({ id: report, name }) => [name, known.get(report) ?? true]))
  })
  return tellRecord(io, offered)
}

const reportNamed = (wanted: string): { id: number; name: string } => {
  const found = BUILT_IN_REPORTS.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase())
  if (found === undefined)
    throw new OperatorError(`${shown(wanted)} is no report; there are ${BUILT_IN_REPORTS.map(({ name }) => name).join(', ')}.`)
  return found
}
