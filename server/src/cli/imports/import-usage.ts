import { basename } from 'node:path'
import { importUsage, type UsageImport } from '../../imports/usage/import-usage.service.ts'
import { unusualUsageText } from '../../imports/unusual-usage.rules.ts'
import { command, type CommandIo, flag, pathOption, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { loginName } from '../terminal.ts'
import { undoText } from './import-undo.ts'
import { printOtherValues, printRefusal, printRejected, printRounded, rowsText, withRejectsFile } from './rejected-rows.ts'

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
    const source = await io.openFile(path)
    try {
      const imported = await withRejectsFile(options.rejects, path, (reject) =>
        importUsage(deps, source, {
          reseller: options.reseller,
          origin: { file: basename(path), by: loginName() },
          skipBad: options.skipBad === true,
          correct: options.correct === true,
          progress: io.json ? () => undefined : io.out,
          audit: (db, resellerId, detail) =>
            auditOperator(db, deps, 'usage.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
          reject,
        }),
      )
      if (io.json) io.out(JSON.stringify(imported))
      else printResult(io, imported)
      return 0
    } catch (error) {
      return printRefusal(io, error, (found) => ({ ...found, imported: 0, corrected: 0, repeated: 0 }))
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

const numberText = (value: number): string => value.toLocaleString('en')
