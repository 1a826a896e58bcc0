import { actAsReseller } from '../../db/act-as.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { parseIdOrName } from '../../imports/find-reseller.ts'
import { type Command, listOption, type Options, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { FLAGS, parseFlags } from './brand-flags.rules.ts'
import { parseFields, type Field, field } from './field-set.ts'
import { colour, domain, optional, text } from './fields.rules.ts'
import { requireBrand, requireReseller } from './require-tenant.ts'
import { assertLegible } from './legibility.rules.ts'
import { type Printable, printList, printRecord } from './print.ts'
import {
  listBrands,
  brandPictures,
  brandRow,
  findBrandsByRef,
  insertBrand,
  resellerRow,
  findServicesByRef,
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

/** The fields of a brand, without its flags and pictures. */
export const BRAND_FIELDS: readonly Field[] = [
  field('domain', 'domain', 'host', 'the host under which it is reached; its users alone sign in there', optional(domain)),
  ...COLOURS,
  field('item-label', 'end_service_item_display_name', 'text', 'what a service item is called: SIM card, Line …', text(60)),
  field('currency-symbol', 'currency_symbol', 'text', 'the sign before amounts', text(8)),
]
export const EDITABLE_BRAND_FIELDS: readonly Field[] = [NAME, ...BRAND_FIELDS]

/** `counterfoil brand add NAME --reseller R …` */
export const brandAddCommand: Command = async (deps, io, [rawName = ''], options) => {
  const { name } = parseFields([NAME], { name: rawName })
  const columns = { ...parseFields(BRAND_FIELDS, options), ...flagColumns(options) }
  const brand = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const reseller = await requireReseller(db, textOption(options, 'reseller') ?? '')
    if ((await findBrandsByRef(db, String(name), reseller.id)).length > 0)
      throw new OperatorError(`${reseller.name} has a brand named ${String(name)} already.`)
    const { currency_symbol: currencySymbol } = await resellerRow(db, reseller.id)
    await actAsReseller(db, reseller.id)
    const service = await findServiceColumn(db, options)
    const id = await rejectTakenDomain(() =>
      insertBrand(db, { currency_symbol: currencySymbol, ...columns, ...service, reseller_id: reseller.id, name: String(name) }),
    )
    const row = await brandRow(db, id)
    assertLegible(row)
    await auditOperator(db, deps, 'brand.added', { resellerId: reseller.id, subject: `brand ${id}`, after: row })
    return row
  })
  const domainText = brand.domain === null ? '' : ` and answers at ${brand.domain}`
  return printRecord(io, toBrandJson(brand), `Brand ${brand.name} has the id ${brand.id}${domainText}.`)
}

/** `counterfoil brand list [--reseller R]` */
export const brandListCommand: Command = async (deps, io, _args, options) => {
  const brandRef = textOption(options, 'reseller')
  const brands = await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
    listBrands(db, brandRef === undefined ? undefined : (await requireReseller(db, brandRef)).id),
  )
  return printList(io, 'brands', brands)
}

/** `counterfoil brand show B` */
export const brandShowCommand: Command = async (deps, io, [brandRef = ''], options) => {
  const brand = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id } = await requireOptionBrand(db, brandRef, options)
    const pictures = await brandPictures(db, id)
    const typeOf = (kind: string): string | null => pictures.find((picture) => picture.kind === kind)?.contentType ?? null
    return { ...toBrandJson(await brandRow(db, id)), logo: typeOf('logo'), banner: typeOf('banner') }
  })
  return printRecord(io, brand)
}

/** `counterfoil brand set B …`: changes the given fields. */
export const brandSetCommand: Command = async (deps, io, [brandRef = ''], options) => {
  const changes = parseFields(EDITABLE_BRAND_FIELDS, options)
  const row = await updateBrandByRef(deps, brandRef, options, async (db) => ({ ...changes, ...(await findServiceColumn(db, options)) }))
  return printRecord(io, toBrandJson(row), `Brand ${row.name} (${row.id}) is changed.`)
}

/** `counterfoil brand flags B [--on dashboard,usage] [--off reports]`: sets what its customers see, or prints it. */
export const brandFlagsCommand: Command = async (deps, io, [brandRef = ''], options) => {
  const changes = flagColumns(options)
  const row =
    Object.keys(changes).length > 0
      ? await updateBrandByRef(deps, brandRef, options, async () => changes)
      : await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
          brandRow(db, (await requireOptionBrand(db, brandRef, options)).id),
        )
  return printRecord(io, flagsOf(row))
}

const requireOptionBrand = async (db: Db, brandRef: string, options: Options): Promise<{ id: number; resellerId: number }> => {
  const reseller = textOption(options, 'reseller')
  return requireBrand(db, brandRef, reseller === undefined ? undefined : (await requireReseller(db, reseller)).id)
}

type BrandChange = Parameters<typeof updateBrand>[2]
type BrandRow = Awaited<ReturnType<typeof brandRow>>

const updateBrandByRef = (
  deps: Parameters<Command>[0],
  brandRef: string,
  options: Options,
  readChanges: (db: Db) => Promise<BrandChange>,
): Promise<BrandRow> =>
  deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, resellerId } = await requireOptionBrand(db, brandRef, options)
    await actAsReseller(db, resellerId)
    const changes = await readChanges(db)
    if (Object.keys(changes).length === 0) throw new OperatorError('Say what to change: counterfoil brand set --help lists it.')
    const before = await brandRow(db, id)
    await rejectTakenDomain(() => updateBrand(db, id, changes))
    const after = await brandRow(db, id)
    if (Object.keys(changes).some((column) => column.startsWith('colour'))) assertLegible(after)
    await auditOperator(db, deps, 'brand.changed', {
      resellerId,
      subject: `brand ${id}`,
      detail: Object.keys(changes).join(' '),
      before,
      after,
    })
    return after
  })

/** The columns that --on and --off set. @throws OperatorError for an unknown flag */
const flagColumns = (options: Options): Record<string, boolean> => {
  const [on, off] = ['on', 'off'].map((name) => listOption(options, name) ?? [])
  return { ...parseFlags('on', on ?? [], true), ...parseFlags('off', off ?? [], false) }
}

const findServiceColumn = async (db: Db, options: Options): Promise<{ end_service_id?: number | null }> => {
  const brandRef = textOption(options, 'service')
  if (brandRef === undefined) return {}
  if (brandRef.trim() === '') return { end_service_id: null }
  const [one, other] = await findServicesByRef(db, parseIdOrName(brandRef))
  if (one === undefined || other !== undefined)
    throw new OperatorError(`--service: this reseller has ${one === undefined ? 'no' : 'more than one'} service of that id or name.`)
  return { end_service_id: one.id }
}

const rejectTakenDomain = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw new OperatorError('--domain: another brand of this installation is reached under this domain.', { cause: error })
  }
}

const flagsOf = (row: BrandRow): Printable => Object.fromEntries(Object.entries(FLAGS).map(([word, column]) => [word, row[column]]))

const toBrandJson = (row: BrandRow): Printable => ({
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
