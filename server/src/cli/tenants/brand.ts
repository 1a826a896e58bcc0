import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { idOrName } from '../../imports/find-reseller.ts'
import { type Command, listOption, type Options, textOption } from '../command.ts'
import { noteOperator } from '../operator-audit.ts'
import { FLAGS, flagsNamed } from './brand-flags.rules.ts'
import { columnsOf, type Field, field } from './field-set.ts'
import { colour, domain, optional, text } from './fields.rules.ts'
import * as find from './find.ts'
import { refuseIllegible } from './legibility.rules.ts'
import { type Shown, tellList, tellRecord } from './print.ts'
import {
  allBrands,
  brandPictures,
  brandRow,
  brandsCalled,
  insertBrand,
  resellerRow,
  servicesCalled,
  updateBrand,
} from './tenants.queries.ts'

const NAME = field('name', 'name', 'text', 'what it is called', text(200))

const COLOURS = [
  'surfaces: cards, panels and the header',
  'the primary colour: buttons and links',
  'text',
  'lines',
  'the page behind the surfaces',
  'fills: rows and tiles that stand out',
  'charts',
].map((about, at) => field(`colour${at + 1}`, `colour${at + 1}`, '#rrggbb', about, colour))

/** What an operator may say of a brand, apart from its flags and pictures. */
export const BRAND_FIELDS: readonly Field[] = [
  field('domain', 'domain', 'host', 'the host under which it is reached; its users alone sign in there', optional(domain)),
  ...COLOURS,
  field('item-label', 'end_service_item_display_name', 'text', 'what a service item is called: SIM card, Line …', text(60)),
  field('currency-symbol', 'currency_symbol', 'text', 'the sign before amounts', text(8)),
]
export const BRAND_CHANGES: readonly Field[] = [NAME, ...BRAND_FIELDS]

/** `counterfoil brand add NAME --reseller R …` */
export const brandAddCommand: Command = async (deps, io, [typed = ''], options) => {
  const { name } = columnsOf([NAME], { name: typed })
  const given = { ...columnsOf(BRAND_FIELDS, options), ...flagColumns(options) }
  const made = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const owner = await find.reseller(db, textOption(options, 'reseller') ?? '')
    if ((await brandsCalled(db, String(name), owner.id)).length > 0)
      throw new OperatorError(`${owner.name} has a brand named ${String(name)} already.`)
    const { currency_symbol: symbol } = await resellerRow(db, owner.id)
    await actAsReseller(db, owner.id)
    const service = await serviceColumn(db, options)
    const id = await refusingTaken(() =>
      insertBrand(db, { currency_symbol: symbol, ...given, ...service, reseller_id: owner.id, name: String(name) }),
    )
    const row = await brandRow(db, id)
    refuseIllegible(row)
    await noteOperator(db, deps, 'brand.added', { resellerId: owner.id, subject: `brand ${id}`, after: row })
    return row
  })
  const where = made.domain === null ? '' : ` and answers at ${made.domain}`
  return tellRecord(io, shownBrand(made), `Brand ${made.name} has the id ${made.id}${where}.`)
}

/** `counterfoil brand list [--reseller R]` */
export const brandListCommand: Command = async (deps, io, _args, options) => {
  const wanted = textOption(options, 'reseller')
  const brands = await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
    allBrands(db, wanted === undefined ? undefined : (await find.reseller(db, wanted)).id),
  )
  return tellList(io, 'brands', brands)
}

/** `counterfoil brand show B` */
export const brandShowCommand: Command = async (deps, io, [wanted = ''], options) => {
  const shown = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id } = await found(db, wanted, options)
    const pictures = await brandPictures(db, id)
    const typeOf = (kind: string): string | null => pictures.find((picture) => picture.kind === kind)?.contentType ?? null
    return { ...shownBrand(await brandRow(db, id)), logo: typeOf('logo'), banner: typeOf('banner') }
  })
  return tellRecord(io, shown)
}

/** `counterfoil brand set B …`: changes what is named, and nothing else. */
export const brandSetCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = columnsOf(BRAND_CHANGES, options)
  const row = await changed(deps, wanted, options, async (db) => ({ ...to, ...(await serviceColumn(db, options)) }))
  return tellRecord(io, shownBrand(row), `Brand ${row.name} (${row.id}) is changed.`)
}

/** `counterfoil brand flags B [--on dashboard,usage] [--off reports]`: what its customers see; without a change, what they see now. */
export const brandFlagsCommand: Command = async (deps, io, [wanted = ''], options) => {
  const to = flagColumns(options)
  const row =
    Object.keys(to).length > 0
      ? await changed(deps, wanted, options, async () => to)
      : await deps.store.transact({ role: 'counterfoil_system' }, async (db) => brandRow(db, (await found(db, wanted, options)).id))
  return tellRecord(io, flagsOf(row))
}

const found = async (db: Db, wanted: string, options: Options): Promise<{ id: number; resellerId: number }> => {
  const owner = textOption(options, 'reseller')
  return find.brand(db, wanted, owner === undefined ? undefined : (await find.reseller(db, owner)).id)
}

type BrandChange = Parameters<typeof updateBrand>[2]
type BrandRow = Awaited<ReturnType<typeof brandRow>>

const changed = (
  deps: Parameters<Command>[0],
  wanted: string,
  options: Options,
  change: (db: Db) => Promise<BrandChange>,
): Promise<BrandRow> =>
  deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, resellerId } = await found(db, wanted, options)
    await actAsReseller(db, resellerId)
    const to = await change(db)
    if (Object.keys(to).length === 0) throw new OperatorError('Say what to change: counterfoil brand set --help lists it.')
    const before = await brandRow(db, id)
    await refusingTaken(() => updateBrand(db, id, to))
    const after = await brandRow(db, id)
    if (Object.keys(to).some((column) => column.startsWith('colour'))) refuseIllegible(after)
    await noteOperator(db, deps, 'brand.changed', { resellerId, subject: `brand ${id}`, detail: Object.keys(to).join(' '), before, after })
    return after
  })

/** The flags given as columns. @throws OperatorError for a word that is none */
const flagColumns = (options: Options): Record<string, boolean> => {
  const [on, off] = ['on', 'off'].map((name) => listOption(options, name) ?? [])
  return { ...flagsNamed('on', on ?? [], true), ...flagsNamed('off', off ?? [], false) }
}

const serviceColumn = async (db: Db, options: Options): Promise<{ end_service_id?: number | null }> => {
  const wanted = textOption(options, 'service')
  if (wanted === undefined) return {}
  if (wanted.trim() === '') return { end_service_id: null }
  const [one, other] = await servicesCalled(db, idOrName(wanted))
  if (one === undefined || other !== undefined)
    throw new OperatorError(`--service: this reseller has ${one === undefined ? 'no' : 'more than one'} service of that id or name.`)
  return { end_service_id: one.id }
}

const refusingTaken = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw new OperatorError('--domain: another brand of this installation is reached under this domain.', { cause: error })
  }
}

const flagsOf = (row: BrandRow): Shown => Object.fromEntries(Object.entries(FLAGS).map(([word, column]) => [word, row[column]]))

const shownBrand = (row: BrandRow): Shown => ({
  id: row.id,
  name: row.name,
  reseller: row.reseller_id,
  domain: row.domain,
  ...Object.fromEntries(COLOURS.map(({ name }) => [name, row[name as 'colour1']])),
  itemLabel: row.end_service_item_display_name,
  currencySymbol: row.currency_symbol,
  service: row.end_service_id,
  flags: Object.entries(FLAGS)
    .filter(([, column]) => row[column])
    .map(([word]) => word),
})
