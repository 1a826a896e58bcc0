import { type Day, isDay } from '@counterfoil/contract/kit/day'
import { COMMAND_LINE, INSTALLATION } from '../../audit/audit.ts'
import { type AuditFilter, findEntries } from '../../audit/audit.queries.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { command, type OptionsOf, textOption } from '../command.ts'
import { requireCustomer, requireReseller } from '../tenants/require-tenant.ts'
import { text, parseId } from '../tenants/fields.rules.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 10_000
const INSTALLATION_WORD = 'installation'

const OPTIONS = {
  reseller: textOption('name', 'of this reseller; "installation" for what is no reseller’s'),
  customer: textOption('id', 'about this customer'),
  by: textOption('name', 'done by, or in the name of, this person; a name or a user’s id'),
  action: textOption('action', 'such as user.disabled, or user for all that begins so'),
  since: textOption('YYYY-MM-DD', 'the first day, by UTC'),
  until: textOption('YYYY-MM-DD', 'the last day'),
  limit: textOption('count', 'so many at most, 100 without it'),
}
type AuditOptions = OptionsOf<typeof OPTIONS>

export const auditListCommand = command({
  name: 'audit list',
  about: 'the newest entries, newest first',
  options: OPTIONS,
  run: async ({ store }, io, _, options) => {
    const limit = parseLimit(options)
    const rows = await store.transact(
      { role: 'counterfoil_system' },
      async (db) => findEntries(db, await parseFilter(db, options), limit + 1),
      { pool: 'background' },
    )
    const [entries, isCut] = [rows.slice(0, limit), rows.length > limit]
    if (io.json) {
      io.out(JSON.stringify({ entries, isCut }))
      return 0
    }
    for (const entry of entries) io.out(entryLine(entry))
    if (entries.length === 0) io.out('There are no such entries.')
    if (isCut) io.out(`There are older ones; --limit shows up to ${MAX_LIMIT.toLocaleString('en')}, --until goes on from a day.`)
    return 0
  },
})

/** The number of entries to show, from --limit. @throws OperatorError for what is no whole number, or more than MAX_LIMIT */
const parseLimit = ({ limit: typed }: AuditOptions): number => {
  const limit = parseId('limit', typed ?? String(DEFAULT_LIMIT))
  if (limit > MAX_LIMIT) throw new OperatorError(`--limit: at most ${MAX_LIMIT.toLocaleString('en')} entries are shown at once.`)
  return limit
}

/** The filter that the options name; null where one is not given. @throws OperatorError for an unknown reseller or customer, or no day */
const parseFilter = async (db: Db, options: AuditOptions): Promise<AuditFilter> => {
  const resellerId = await findChainId(db, options.reseller)
  const customer = options.customer
  const [who, action] = (['by', 'action'] as const).map((name) => {
    const value = options[name]
    return value === undefined ? null : text(200)(name, value)
  })
  return {
    resellerId,
    customerId: customer === undefined ? null : (await requireCustomer(db, customer, resellerId ?? undefined)).id,
    who: who ?? null,
    action: action ?? null,
    since: parseDayOption(options, 'since'),
    until: parseDayOption(options, 'until'),
  }
}

/** The id of the reseller of --reseller; INSTALLATION for that word, null for every chain. @throws OperatorError when there is none */
const findChainId = async (db: Db, reseller: string | undefined): Promise<number | null> => {
  if (reseller === undefined) return null
  return reseller.trim().toLowerCase() === INSTALLATION_WORD ? INSTALLATION : (await requireReseller(db, reseller)).id
}

/** The day of --since or --until; null when it is not given. @throws OperatorError for no real day */
const parseDayOption = (options: AuditOptions, name: 'since' | 'until'): Day | null => {
  const text = options[name]?.trim()
  if (text === undefined) return null
  if (!isDay(text)) throw new OperatorError(`--${name}: ${quoteValue(text)} is not a day: write it as 2026-11-30.`)
  return text
}

/** Puts a replacement sign for each control character: names are user input and must not control the terminal. */
const toPrintable = (text: string): string => text.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')

/** One line about an entry, safe to print at a terminal. */
const entryLine = (entry: Awaited<ReturnType<typeof findEntries>>[number]): string => {
  const { at, resellerId, seq, action, actor, inNameOf, subject, customerId, source, detail } = entry
  const chain = resellerId === INSTALLATION ? INSTALLATION_WORD : `reseller ${resellerId}`
  const person = inNameOf === null ? actor.name : `${actor.name} in the name of ${inNameOf.name}`
  const parts = [
    `${at.toISOString()}  ${chain} #${seq}  ${action}  ${subject}`,
    ...(customerId === null || subject === `customer ${customerId}` ? [] : [`customer ${customerId}`]),
    `by ${actor.kind} ${person}`,
    source === COMMAND_LINE ? `at the ${COMMAND_LINE}` : `from ${source}`,
    ...(detail === null ? [] : [`(${detail})`]),
  ]
  return toPrintable(parts.join('  '))
}
