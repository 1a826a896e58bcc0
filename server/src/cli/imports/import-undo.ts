import { listImports } from '../../imports/undo/undo-import.queries.ts'
import { requireImport, undoImport } from '../../imports/undo/undo-import.service.ts'
import { command, flag, OF_RESELLER, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { parseId } from '../tenants/fields.rules.ts'
import { printList, printRecord } from '../tenants/print.ts'
import { findResellerId } from '../tenants/require-tenant.ts'

/** The sentence that names an import's id, and the command that takes the import back. */
export const undoText = (importId: number): string => `This is import ${importId}; import undo ${importId} takes it back.`

const DEFAULT_LIMIT = 100

export const importListCommand = command({
  name: 'import list',
  about: 'list imports that changed something, newest first',
  options: { limit: textOption('number', `how many at most (${DEFAULT_LIMIT})`), reseller: OF_RESELLER },
  run: async (deps, io, _, options) => {
    const limit = parseId('limit', options.limit ?? String(DEFAULT_LIMIT))
    const imports = await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
      listImports(db, await findResellerId(db, options.reseller), limit),
    )
    return printList(
      io,
      'imports',
      imports.map(({ id, kind, resellerId, file, by, rows, importedAt, undoneAt, usageRecords }) => ({
        id,
        kind,
        reseller: resellerId,
        file,
        by,
        rows,
        importedAt: importedAt.toISOString(),
        usageRecords,
        undoneAt: undoneAt?.toISOString() ?? null,
      })),
    )
  },
})

export const importUndoCommand = command({
  name: 'import undo',
  about: 'take an import back: what it added goes, what it changed is as before',
  arguments: { import: 'text' },
  options: { yes: flag('do it without being asked') },
  note: 'It is refused, with the reason, when something depends on it: a payment, a later change, a saved report.',
  resolve: ({ store }, { import: ref }) => requireImport(store, parseId('import', ref)),
  confirm: ({ import: id }) => `Undo import ${id}?`,
  run: async (deps, io, { import: ref }) => {
    const undone = await undoImport(deps, parseId('import', ref), (db, { id, resellerId, kind }) =>
      auditOperator(db, deps, 'import.undone', { resellerId, subject: `import ${id}`, detail: kind }),
    )
    const { id, kind, kept, usageRecords } = undone
    const usage = usageRecords > 0 ? ` ${usageRecords.toLocaleString('en')} usage records are gone.` : ''
    const rest = kept.length > 0 ? ` What something else uses stays: ${kept.join(', ')}.` : ''
    return printRecord(io, { ...undone }, `Import ${id} (${kind}) is undone.${usage}${rest}`)
  },
})
