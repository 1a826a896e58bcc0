import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInProduct } from '../support/command-line.ts'

/** A user with invoices that no other test uses. */
export interface Payer {
  readonly username: string
  readonly password: string
  /** The numbers of the invoices, all open. */
  readonly numbers: readonly string[]
}

const BRANDS = {
  2204: 'Nimbus Mobile Data',
  3001: 'Atlantic Voice',
  3002: 'Albion Telecom',
  3003: 'Rhein Datennetz',
  3004: 'Liberty Wireless',
  3005: 'Prairie IP',
  3006: 'Maple Cellular',
  3007: 'Southern Cross Data',
  3008: 'Mesa Networks',
  3009: 'Outback Connect',
} as const

/** A demo reseller that takes payments. */
export type ResellerId = keyof typeof BRANDS

/**
 * Creates a customer of a demo reseller with open invoices, and a user for it, by the command line.
 * @param amounts of the first invoices, each with its currency where that is not the reseller's: "20.00 EUR"; the others are of 110.00
 */
export const createPayer = async (
  dataDir: string,
  count: number,
  reseller: ResellerId = 2204,
  amounts: readonly string[] = [],
): Promise<Payer> => {
  const name = `p${Date.now().toString(36)}`
  const run = <T>(command: string, arg: string, options: Record<string, string | string[]> = {}): Promise<T> =>
    runInProduct<T>(dataDir, command, [arg], { ...options, reseller: String(reseller) })
  const brand = BRANDS[reseller]
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-payer-'))
  try {
    await run('customer add', `Payer ${name}`, { externalId: name, brand })
    const numbers = Array.from({ length: count }, (_, at) => `${name.toUpperCase()}-${String(at + 1).padStart(2, '0')}`)
    const [issued, due] = [dayFromNow(-20), dayFromNow(10)]
    const lines = numbers.map((number, at) => {
      const [amount = '', currency = ''] = (amounts[at] ?? '110.00').split(' ')
      return `${name},${number},${number},${amount},${amount},${amount},${currency},${issued},${due}`
    })
    const file = join(folder, 'invoices.csv')
    await writeFile(file, ['customer,externalId,number,netAmount,amount,amountDue,currency,dateInvoice,dateDue', ...lines, ''].join('\n'))
    await run('import invoices', file)
    const { password } = await run<{ password: string }>('user add', name, { name: 'Ada Payer', customer: [name], brand })
    return { username: name, password, numbers }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
