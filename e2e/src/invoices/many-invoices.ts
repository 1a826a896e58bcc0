import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importFocusFile } from '../support/command-line.ts'

const COLUMNS =
  'BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ServiceName'

/** The first day of the month that is `months` after January 2011, as YYYY-MM-DD. */
const monthStart = (months: number): string => new Date(Date.UTC(2011, months)).toISOString().slice(0, 10)

/** A FOCUS file of one customer with one charge in each month. The amounts differ. */
const focusFile = (account: string, months: number): string => {
  const rows = Array.from({ length: months }, (_, month) => {
    const [from, to] = [monthStart(month), monthStart(month + 1)]
    const cost = ((month * 7919) % 100_000) / 100 + 1
    return `${cost.toFixed(2)},${account},Paper Mill,EUR,${from}T00:00:00Z,${to}T00:00:00Z,Usage,${from}T00:00:00Z,Hosting`
  })
  return [COLUMNS, ...rows, ''].join('\n')
}

/** Imports a customer with one invoice a month into the running product, and returns a user who may see them. */
export const importManyInvoices = async (dataDir: string, months: number): Promise<{ username: string; password: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-focus-'))
  const name = `many-${Date.now()}`
  try {
    const file = join(folder, 'focus.csv')
    await writeFile(file, focusFile(name, months))
    return await importFocusFile(dataDir, file, name)
  } finally {
    await rm(folder, { recursive: true })
  }
}
