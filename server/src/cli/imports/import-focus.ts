import { basename } from 'node:path'
import { findParts } from '../../imports/focus/find-parts.ts'
import { type FocusImport, importFocus } from '../../imports/focus/import-focus.service.ts'
import { command, type CommandIo, flag, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { loginName } from '../terminal.ts'
import { undoText } from './import-undo.ts'
import { printRefusal, printRejected } from './rejected-rows.ts'

export const importFocusCommand = command({
  name: 'import focus',
  about: 'import a FOCUS billing export (1.0 to 1.3; CSV, also gzip or zstd, or Parquet): customers, services, usage and invoices',
  arguments: { file: 'path' },
  furtherArguments: ['files', 'path'],
  options: {
    reseller: requiredOption(textOption('name or id', 'the reseller that the customers belong to')),
    brand: requiredOption(textOption('name or id', 'the brand that the customers see')),
    username: textOption('name', 'the user who may act for all of them'),
    create: flag('make the reseller, the brand and the user where they are new'),
    skipBad: flag('import the good rows of a file with bad ones'),
    dryRun: flag('say what would come of it, and keep nothing'),
  },
  note: 'An export in several files is one import: name them all, their folder, or their manifest (JSON).',
  run: async (deps, io, { file }, options, further) => {
    const username = options.username
    const paths = await findParts([file, ...further])
    const parts = await Promise.all(paths.map(async (path) => ({ name: basename(path), ...(await io.openFile(path)) })))
    try {
      const imported = await importFocus(deps, parts, {
        reseller: options.reseller,
        brand: options.brand,
        origin: { file: exportName(file, paths), by: loginName() },
        create: options.create === true,
        skipBad: options.skipBad === true,
        dryRun: options.dryRun === true,
        ...(username === undefined ? {} : { username }),
        audit: (db, resellerId, detail) =>
          auditOperator(db, deps, 'focus.imported', { resellerId, subject: `reseller ${resellerId}`, detail }),
        ...(io.catchStop === undefined ? {} : { stopped: io.catchStop() }),
        progress: io.json ? () => undefined : io.out,
      })
      if (io.json) io.out(JSON.stringify(imported))
      else printResult(io, imported)
      return 0
    } catch (error) {
      return printRefusal(io, error, ({ firstRejected, rejected }) => ({ rejected: firstRejected, rejectedCount: rejected }))
    }
  },
})

/** The file name that the list of imports shows for an export; of several files, with their number. */
const exportName = (named: string, paths: readonly string[]): string =>
  `${basename(named)}${paths.length > 1 ? ` (${paths.length} files)` : ''}`

/** Prints for people what an import of a FOCUS export did; bad rows that were skipped go to standard error. */
const printResult = (io: CommandIo, imported: FocusImport): void => {
  if (imported.rejectedCount > 0) {
    printRejected(io, imported.rejected, imported.rejectedCount)
    io.err(`${countText(imported.rejectedCount, 'bad row')} skipped.`)
  }
  for (const note of imported.notes) io.out(`Note: ${note}`)
  io.out(`The file is FOCUS ${imported.version}.`)
  io.out(
    `${countText(imported.rows, 'row')}, ${newRowsText(imported)}; ${countText(imported.customers, 'customer')}, ${countText(imported.invoices, 'invoice')}.`,
  )
  for (const { currency, sum, invoiceSum } of imported.sums) {
    const billed = imported.rejectedCount > 0 ? 'the BilledCost of these rows' : "the file's BilledCost"
    const parts = imported.taxRows > 0 ? 'The usage and the taxes add' : 'The usage adds'
    io.out(`${parts} up to ${billed}${imported.sums.length > 1 ? ` in ${currency}` : ''}: ${sum}.`)
    io.out(`The invoices, their lines rounded, add up to ${invoiceSum} ${currency}.`)
  }
  io.out(`Reseller ${imported.reseller.name} (${imported.reseller.id}), brand ${imported.brand.name} (${imported.brand.id}).`)
  if (imported.username !== null) io.out(`Username: ${imported.username}`)
  if (imported.password !== undefined) io.out(`Password: ${imported.password} (shown this once)`)
  if (imported.importId !== null) io.out(undoText(imported.importId))
  if (imported.dryRun) io.out('This was a dry run: nothing was kept.')
}

/** Whether all, none or how many of the rows were new, for people. */
const newRowsText = ({ rows, newRows }: FocusImport): string => {
  if (newRows === rows) return 'all of them new'
  return newRows === 0 ? 'none of them new: nothing has changed' : `${newRows.toLocaleString('en')} of them new`
}

const countText = (number: number, thing: string): string => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`
