import type { Store } from '../../db/database.ts'
import { unreadableFonts, useFontsFolder } from '../../documents/pdf/canvas/fonts.ts'
import { unprintableNames } from '../../documents/unprintable-names.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { badFinding, type Finding, goodFinding, warningFinding } from './finding.ts'
import { listBrandNames, listLegalNames, nextPrintedCustomers } from './printed-names.queries.ts'

/** One finding: whether the fonts have all letters of the names that documents print. A FONTS_DIR that cannot be used is bad. */
export const printedNameFindings = async (store: Store, fontsDir: string | null): Promise<Finding[]> => {
  try {
    useFontsFolder(fontsDir)
    const unreadable = fontsDir === null ? [] : unreadableFonts(fontsDir)
    if (unreadable.length > 0)
      return [
        badFinding(
          'fonts',
          `In the folder of FONTS_DIR ${unreadable.join(', ')} cannot be read as a font.`,
          'Put a whole font there, or remove it.',
        ),
      ]
    return await examineNames(store)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [badFinding('fonts', error.message, 'Mend that setting; docs/settings.md describes it.')]
  }
}

/** Reads all names of resellers, brands and customers, page by page, and warns of those with letters that no font has. */
const examineNames = async (store: Store): Promise<Finding[]> => {
  const resellers = await store.transact({ role: 'counterfoil_system' }, listLegalNames)
  const [tenants, customers] = [unprintableNames(), unprintableNames()]
  for (const { id, name } of resellers) {
    const as = { role: 'counterfoil_reseller', resellerId: id } as const
    for (const printed of [name, ...(await store.transact(as, listBrandNames))]) tenants.note(printed)
    let page = await store.transact(as, (db) => nextPrintedCustomers(db, 0))
    while (page.length > 0) {
      for (const customer of page) customers.note(customer.name)
      const last = page.at(-1)?.id ?? 0
      page = await store.transact(as, (db) => nextPrintedCustomers(db, last))
    }
  }
  const texts = [toText('Resellers and brands', tenants.text()), toText('Customers', customers.text())].flat()
  if (texts.length === 0) return [goodFinding('fonts', 'Documents can show the names of all resellers, brands and customers.')]
  return [
    warningFinding(
      'fonts',
      texts.join('\n'),
      'Name a folder with fonts that have these letters in FONTS_DIR; docs/operating.md names some.',
    ),
  ]
}

/** A list of one text, `whose: text`; an empty list for null. */
const toText = (whose: string, text: string | null): readonly string[] => (text === null ? [] : [`${whose}: ${text}`])
