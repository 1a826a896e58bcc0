import { basename } from 'node:path'
import { importRecords } from '../../imports/records/import-records.service.ts'
import type { RecordsImport } from '../../imports/records/records-import.ts'
import { shapeOf } from '../../imports/records/kind-shape.rules.ts'
import type { ImportKind } from '../../imports/records/kind.rules.ts'
import { IMPORT_KINDS } from '../../imports/records/kinds.data.ts'
import { type Command, command, type CommandIo, flag, JSON_FLAG, pathOption, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { loginName } from '../terminal.ts'
import { undoText } from './import-undo.ts'
import { printRefusal, printRejected, printRounded, withRejectsFile } from './rejected-rows.ts'

const BRAND = { brand: textOption('name or id', 'the brand of those who are new, where the file names none') }
const PDF_FILES = { files: pathOption('folder', 'where the PDF files lie that the field file names') }

const listNames = (names: readonly string[]): string => names.join(', ') || 'none'

/** Makes the command `import <kind>`. Imports nothing itself. */
const importRecordsCommand = (kind: ImportKind): Command => {
  const { fields, required: needed } = shapeOf(kind)
  return command({
    name: `import ${kind.name}`,
    about: `import ${kind.name}: ${kind.about} (CSV with a header or JSON lines, plain or gzip; - is standard input)`,
    arguments: { file: 'input' },
    options: {
      reseller: requiredOption(textOption('name or id', 'the reseller that they belong to')),
      dryRun: flag('say what would come of it, and keep nothing'),
      skipBad: flag('import the good rows of a file with bad ones'),
      rejects: pathOption('file', 'write the bad rows there: line and reason, as CSV'),
      json: JSON_FLAG,
      ...(kind.refs.some(({ name }) => name === 'brand') ? BRAND : {}),
      ...(kind.table === 'invoice' ? PDF_FILES : {}),
    },
    note: `Fields that every row has: ${listNames([...needed])}\nFurther fields: ${listNames(fields.filter((name) => !needed.has(name)))}`,
    run: async (deps, io, { file: path }, options) => {
      const source = await io.openFile(path)
      try {
        const imported = await withRejectsFile(options.rejects, path, (reject) =>
          importRecords(deps, kind, source, {
            reseller: options.reseller,
            origin: { file: basename(path), by: loginName() },
            brand: options.brand,
            files: options.files,
            skipBad: options.skipBad === true,
            dryRun: options.dryRun === true,
            progress: io.json ? () => undefined : io.out,
            audit: (db, resellerId, detail) =>
              auditOperator(db, deps, 'records.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
            reject,
          }),
        )
        if (io.json) io.out(JSON.stringify(imported))
        else printResult(io, imported)
        return 0
      } catch (error) {
        return printRefusal(io, error, (found) => found)
      }
    },
  })
}

export const IMPORT_RECORDS_COMMANDS: readonly Command[] = IMPORT_KINDS.map(importRecordsCommand)

/** Prints for people what an import of records did; bad rows that were skipped go to standard error. */
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
  for (const note of imported.notes) io.out(`Note: ${note}`)
  const repeatedText = repeated > 0 ? `, ${countText(repeated, 'row')} repeated` : ''
  io.out(
    `${countText(rows, 'row')}: ${numberText(added, 'added')}, ${numberText(changed, 'changed')}, ${numberText(unchanged, 'as before')}${repeatedText}.`,
  )
  printRounded(io, imported.rounded)
  if (imported.importId !== null) io.out(undoText(imported.importId))
  if (dryRun) io.out('This was a dry run: nothing was kept.')
}

const numberText = (number: number, what: string): string => `${number.toLocaleString('en')} ${what}`
const countText = (number: number, thing: string): string => `${numberText(number, thing)}${number === 1 ? '' : 's'}`
