import { type Day, isDay } from '@counterfoil/contract/kit/day'
import { COMMAND_LINE, INSTALLATION } from '../../audit/audit.ts'
import { type AuditQuestion, newestEntries } from '../../audit/audit.queries.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { shown } from '../../imports/bad-row.ts'
import { type Command, type Options, textOption } from '../command.ts'
import * as find from '../tenants/find.ts'
import { text, wholeId } from '../tenants/fields.rules.ts'

const USUAL = 100
const MOST = 10_000
const INSTALLATION_WORD = 'installation'

/** `counterfoil audit list`: the newest entries of the log that fit what is asked, newest first. */
export const auditListCommand: Command = async ({ store }, io, _, options) => {
  const limit = limitOf(options)
  const found = await store.transact(
    { role: 'counterfoil_system' },
    async (db) => newestEntries(db, await questionOf(db, options), limit + 1),
    'background',
  )
  const [entries, isCut] = [found.slice(0, limit), found.length > limit]
  if (io.json) {
    io.out(JSON.stringify({ entries, isCut }))
    return 0
  }
  for (const entry of entries) io.out(lineOf(entry))
  if (entries.length === 0) io.out('There are no such entries.')
  if (isCut) io.out(`There are older ones; --limit shows up to ${MOST.toLocaleString('en')}, --until goes on from a day.`)
  return 0
}

const limitOf = (options: Options): number => {
  const limit = wholeId('limit', textOption(options, 'limit') ?? String(USUAL))
  if (limit > MOST) throw new OperatorError(`--limit: at most ${MOST.toLocaleString('en')} entries are shown at once.`)
  return limit
}

const questionOf = async (db: Db, options: Options): Promise<AuditQuestion> => {
  const resellerId = await chainOf(db, textOption(options, 'reseller'))
  const customer = textOption(options, 'customer')
  const [who, action] = ['by', 'action'].map((name) => {
    const typed = textOption(options, name)
    return typed === undefined ? null : text(200)(name, typed)
  })
  return {
    resellerId,
    customerId: customer === undefined ? null : (await find.customer(db, customer, resellerId ?? undefined)).id,
    who: who ?? null,
    action: action ?? null,
    since: dayOption(options, 'since'),
    until: dayOption(options, 'until'),
  }
}

const chainOf = async (db: Db, wanted: string | undefined): Promise<number | null> => {
  if (wanted === undefined) return null
  return wanted.trim().toLowerCase() === INSTALLATION_WORD ? INSTALLATION : (await find.reseller(db, wanted)).id
}

const dayOption = (options: Options, name: string): Day | null => {
  const typed = textOption(options, name)?.trim()
  if (typed === undefined) return null
  if (!isDay(typed)) throw new OperatorError(`--${name}: ${shown(typed)} is not a day: write it as 2026-11-30.`)
  return typed
}

/** Names come from people: none of them may steer the terminal that it is shown on. */
const calm = (words: string): string => words.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')

const lineOf = (entry: Awaited<ReturnType<typeof newestEntries>>[number]): string => {
  const { at, resellerId, seq, action, actor, inNameOf, subject, customerId, source, detail } = entry
  const chain = resellerId === INSTALLATION ? INSTALLATION_WORD : `reseller ${resellerId}`
  const person = inNameOf === null ? actor.name : `${actor.name} in the name of ${inNameOf.name}`
  const facts = [
    `${at.toISOString()}  ${chain} #${seq}  ${action}  ${subject}`,
    ...(customerId === null || subject === `customer ${customerId}` ? [] : [`customer ${customerId}`]),
    `by ${actor.kind} ${person}`,
    source === COMMAND_LINE ? `at the ${COMMAND_LINE}` : `from ${source}`,
    ...(detail === null ? [] : [`(${detail})`]),
  ]
  return calm(facts.join('  '))
}
