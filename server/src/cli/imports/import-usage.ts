import { basename } from 'node:path'
import { csvLine } from '@counterfoil/contract/kit/csv'
import type { RejectedRow } from '../../imports/bad-row.ts'
import { BadUsage, importUsage, type UsageImport } from '../../imports/usage/import-usage.service.ts'
import { unusualUsageText } from '../../imports/unusual-usage.rules.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { command, type CommandIo, flag, pathOption, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { createTextFile, loginName } from '../terminal.ts'
import { undoText } from './import-undo.ts'
import { printRejected, printRounded } from './print-rejected.ts'

export const importUsageCommand = command({
  name: 'import usage',
  about: 'import usage records (CSV with a header or JSON lines, plain or gzip; - is standard input)',
  arguments: { file: 'input' },
  options: {
    reseller: requiredOption(textOption('name or id', 'the reseller whose customers they belong to')),
    skipBad: flag('import the good rows of a file with bad ones'),
    correct: flag('take rows that repeat a stored record with other values, in its place'),
    rejects: pathOption('file', 'write the bad rows there: line and reason, as CSV'),
  },
  run: async (deps, io, { file: path }, options) => {
    const rejects = options.rejects
    if (rejects === path) throw new OperatorError('The file of rejects would take the place of the file to import; name another.')
    const source = await io.openFile(path)
    const file = rejects === undefined ? null : await createTextFile(rejects)
    try {
      await file?.write('line,reason\n')
      const imported = await importUsage(deps, source, {
        reseller: options.reseller,
        origin: { file: basename(path), by: loginName() },
        skipBad: options.skipBad === true,
        correct: options.correct === true,
        // A transaction of its own: the loader's role has no access to the audit log.
        audit: (resellerId, detail) =>
          deps.store.transact({ role: 'counterfoil_system' }, (db) =>
            auditOperator(db, deps, 'usage.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
          ),
        progress: io.json ? () => undefined : io.out,
        ...(file === null ? {} : { reject: ({ line, reason }: RejectedRow) => file.write(`${csvLine([String(line), reason])}\n`) }),
      })
      if (io.json) io.out(JSON.stringify(imported))
      else printResult(io, imported)
      return 0
    } catch (error) {
      if (!(error instanceof BadUsage)) throw error
      printRejected(io, error.found.firstRejected, error.found.rejected)
      printOtherValues(io, error.found.repeatedWithOtherValues)
      io.err(`${error.message} --skip-bad imports the others.`)
      if (io.json) io.out(JSON.stringify({ error: error.message, ...error.found }))
      return 1
    } finally {
      await file?.close()
    }
  },
})

/** Prints for people what an import of usage did; rows that were not imported go to standard error. */
const printResult = (io: CommandIo, imported: UsageImport): void => {
  const { rows, rejected, repeated, seconds, rowsPerSecond, reseller } = imported
  printRejected(io, imported.firstRejected, imported.rejected)
  printOtherValues(io, imported.repeatedWithOtherValues)
  const corrected = imported.corrected > 0 ? `, ${numberText(imported.corrected)} corrected` : ''
  io.out(
    `${rowsText(rows)} read: ${numberText(imported.imported)} imported${corrected}, ${numberText(repeated)} repeated, ${numberText(rejected)} rejected.`,
  )
  printRounded(io, imported.rounded)
  const unusual = unusualUsageText(imported.unusual)
  if (unusual !== null) io.out(`Note: ${unusual}`)
  io.out(`Reseller ${reseller.name} (${reseller.id}). ${seconds.toFixed(1)} s, ${numberText(rowsPerSecond)} rows a second.`)
  if (imported.importId !== null) io.out(undoText(imported.importId))
}

/** Tells on standard error how many rows repeat a stored record with other values; nothing for zero. */
const printOtherValues = (io: CommandIo, count: number): void => {
  if (count > 0)
    io.err(
      `${rowsText(count)} ${count === 1 ? 'is' : 'are'} repeated with other values; --correct takes them in the place of the stored ones.`,
    )
}

const numberText = (value: number): string => value.toLocaleString('en')
const rowsText = (rows: number): string => `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`
