import { csvLine } from '@counterfoil/contract/kit/csv'
import type { RejectedRow } from '../../imports/bad-row.ts'
import { BadRecords, importRecords, type RecordsImport } from '../../imports/records/import-records.service.ts'
import type { ImportKind } from '../../imports/records/kind.rules.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type CommandIo, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { createTextFile } from '../terminal.ts'

const MAX_PRINTED_ROWS = 20

/** `counterfoil import <kind> FILE --reseller R [--dry-run] [--skip-bad] [--rejects FILE]`. `-` is standard input. */
export const importRecordsCommand =
  (kind: ImportKind): Command =>
  async (deps, io, [path], options) => {
    if (path === undefined) throw new OperatorError(`Name the file: counterfoil import ${kind.name} FILE --reseller R`)
    const rejects = textOption(options, 'rejects')
    if (rejects === path) throw new OperatorError('The file of rejects would take the place of the file to import; name another.')
    const source = await io.openFile(path)
    const file = rejects === undefined ? null : await createTextFile(rejects)
    try {
      await file?.write('line,reason\n')
      const imported = await importRecords(deps, kind, source, {
        reseller: textOption(options, 'reseller') ?? '',
        brand: textOption(options, 'brand'),
        files: textOption(options, 'files'),
        skipBad: options['skipBad'] === true,
        dryRun: options['dryRun'] === true,
        progress: io.json ? () => undefined : io.out,
        audit: (db, resellerId, detail) =>
          auditOperator(db, deps, 'records.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
        reject: async ({ line, reason }) => file?.write(`${csvLine([String(line), reason])}\n`),
      })
      if (io.json) io.out(JSON.stringify(imported))
      else printResult(io, imported)
      return 0
    } catch (error) {
      if (!(error instanceof BadRecords)) throw error
      printRejected(io, error.found.firstRejected, error.found.rejected)
      io.err(`${error.message} --skip-bad imports the others.`)
      if (io.json) io.out(JSON.stringify({ error: error.message, ...error.found }))
      return 1
    } finally {
      await file?.close()
    }
  }

const printResult = (io: CommandIo, imported: RecordsImport): void => {
  const { added, changed, unchanged, repeated, rejected, kept, rows, firstRejected, dryRun } = imported
  if (rejected > 0) {
    printRejected(io, firstRejected, rejected)
    io.err(`${countText(rejected, 'bad row')} skipped.`)
  }
  if (kept > 0)
    io.out(
      `Note: ${countText(kept, 'invoice')} that the file has as open ${kept === 1 ? 'is' : 'are'} paid or in collection here, and stay so.`,
    )
  const repeatedText = repeated > 0 ? `, ${countText(repeated, 'row')} repeated` : ''
  io.out(
    `${countText(rows, 'row')}: ${numberText(added, 'added')}, ${numberText(changed, 'changed')}, ${numberText(unchanged, 'as before')}${repeatedText}.`,
  )
  if (dryRun) io.out('This was a dry run: nothing was kept.')
}

const printRejected = (io: CommandIo, rejected: readonly RejectedRow[], total: number): void => {
  for (const { line, reason } of rejected.slice(0, MAX_PRINTED_ROWS)) io.err(`line ${line}: ${reason}`)
  if (total > MAX_PRINTED_ROWS) io.err(`and ${(total - MAX_PRINTED_ROWS).toLocaleString('en')} more`)
}

const numberText = (number: number, what: string): string => `${number.toLocaleString('en')} ${what}`
const countText = (number: number, thing: string): string => `${numberText(number, thing)}${number === 1 ? '' : 's'}`
