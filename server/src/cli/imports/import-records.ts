import { csvLine } from '@counterfoil/contract/kit/csv'
import type { RejectedRow } from '../../imports/bad-row.ts'
import { BadRecords, importRecords, type RecordsImport } from '../../imports/records/import-records.service.ts'
import type { ImportKind } from '../../imports/records/kind.rules.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type Io, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { createTextFile } from '../terminal.ts'

const SHOWN_ROWS = 20

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
        note: (db, resellerId, detail) =>
          noteOperator(db, deps, 'records.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
        reject: async ({ line, reason }) => file?.write(`${csvLine([String(line), reason])}\n`),
      })
      if (io.json) io.out(JSON.stringify(imported))
      else tell(io, imported)
      return 0
    } catch (error) {
      if (!(error instanceof BadRecords)) throw error
      tellRejected(io, error.found.firstRejected, error.found.rejected)
      io.err(`${error.message} --skip-bad imports the others.`)
      if (io.json) io.out(JSON.stringify({ error: error.message, ...error.found }))
      return 1
    } finally {
      await file?.close()
    }
  }

const tell = (io: Io, imported: RecordsImport): void => {
  const { added, changed, unchanged, repeated, rejected, kept, rows, firstRejected, dryRun } = imported
  if (rejected > 0) {
    tellRejected(io, firstRejected, rejected)
    io.err(`${count(rejected, 'bad row')} skipped.`)
  }
  if (kept > 0)
    io.out(
      `Note: ${count(kept, 'invoice')} that the file has as open ${kept === 1 ? 'is' : 'are'} paid or in collection here, and stay so.`,
    )
  const again = repeated > 0 ? `, ${count(repeated, 'row')} repeated` : ''
  io.out(`${count(rows, 'row')}: ${words(added, 'added')}, ${words(changed, 'changed')}, ${words(unchanged, 'as before')}${again}.`)
  if (dryRun) io.out('This was a dry run: nothing was kept.')
}

const tellRejected = (io: Io, rejected: readonly RejectedRow[], all: number): void => {
  for (const { line, reason } of rejected.slice(0, SHOWN_ROWS)) io.err(`line ${line}: ${reason}`)
  if (all > SHOWN_ROWS) io.err(`and ${(all - SHOWN_ROWS).toLocaleString('en')} more`)
}

const words = (number: number, what: string): string => `${number.toLocaleString('en')} ${what}`
const count = (number: number, thing: string): string => `${words(number, thing)}${number === 1 ? '' : 's'}`
