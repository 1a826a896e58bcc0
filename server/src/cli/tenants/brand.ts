import { BRAND_PICTURES } from '@counterfoil/contract/brands'
import { actAsReseller } from '../../db/act-as.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { parseIdOrName } from '../../imports/find-reseller.ts'
import { command, OF_RESELLER, listOption, type OptionsOf, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { FLAGS, parseFlags } from './brand-flags.rules.ts'
import { CLEARS, field, type Fields, parseFields } from './field-set.ts'
import { colour, domain, email, httpsAddress, optional, orDefault, phone, text } from './fields.rules.ts'
import { requireBrand, requireReseller } from './require-tenant.ts'
import { assertLegible } from './legibility.rules.ts'
import { type Printable, printList, printRecord } from './print.ts'
import {
  listBrands,
  brandPictures,
  readBrand,
  findBrandsByRef,
  insertBrand,
  readReseller,
  findServicesByRef,
  updateBrand,
} from './tenants.queries.ts'

const NAME = { name: field('name', 'text', 'what it is called', text(200)) }

const COLOURS: Fields = Object.fromEntries(
  [
    'surfaces: cards, panels and the header',
    'the primary colour: buttons and links',
    'text',
    'lines',
    'the page behind the surfaces',
    'fills: rows and tiles that stand out',
    'charts',
  ].map((about, at) => [`colour${at + 1}`, field(`colour${at + 1}`, '#rrggbb', about, colour)]),
)

/** The fields of a brand, without its flags and pictures. */
const BRAND_FIELDS = {
  domain: field('domain', 'host', 'the host under which it is reached; its users alone sign in there', optional(domain)),
  ...COLOURS,
  itemLabel: field(
    'end_service_item_display_name',
    'text',
    'what a service item is called: SIM card, Line …',
    orDefault('Service Item', text(60)),
  ),
  currencySymbol: field('currency_symbol', 'text', 'the sign before amounts', text(8)),
  helpEmail: field('help_email', 'address', 'where its customers write for help', optional(email)),
  helpPhone: field('help_phone', 'text', 'where they call', optional(phone)),
  helpHours: field('help_hours', 'text', 'when somebody answers: weekdays 9 to 5', optional(text(200))),
  termsUrl: field('terms_url', 'https://…', 'the page of its terms', optional(httpsAddress)),
  privacyUrl: field('privacy_url', 'https://…', 'the page that says how it treats personal data', optional(httpsAddress)),
}
const EDITABLE_FIELDS = { ...NAME, ...BRAND_FIELDS }
const SHOWN = {
  on: listOption('flags', 'what its customers see, with commas'),
  off: listOption('flags', 'what they do not see'),
}
const SERVICE = textOption('id or name', 'the one service that usage and service items are about')

interface BrandOptions {
  readonly reseller: string | undefined
}

export const brandAddCommand = command({
  name: 'brand add',
  about: 'make a brand',
  arguments: { name: 'text' },
  options: { ...BRAND_FIELDS, ...SHOWN, reseller: requiredOption(textOption('id or name', 'whose brand it is')), service: SERVICE },
  run: async (deps, io, { name: rawName }, options) => {
    const { name } = parseFields(NAME, { name: rawName })
    const columns = { ...parseFields(BRAND_FIELDS, options), ...flagColumns(options) }
    const brand = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const reseller = await requireReseller(db, options.reseller)
      if ((await findBrandsByRef(db, String(name), reseller.id)).length > 0)
        throw new OperatorError(`${reseller.name} has a brand named ${String(name)} already.`)
      const { currency_symbol: currencySymbol } = await readReseller(db, reseller.id)
      await actAsReseller(db, reseller.id)
      const service = await findServiceColumn(db, options.service)
      const id = await rejectTakenDomain(() =>
        insertBrand(db, { currency_symbol: currencySymbol, ...columns, ...service, reseller_id: reseller.id, name: String(name) }),
      )
      const row = await readBrand(db, id)
      assertLegible(row)
      await auditOperator(db, deps, 'brand.added', { resellerId: reseller.id, subject: `brand ${id}`, after: row })
      return row
    })
    const domainText = brand.domain === null ? '' : ` and answers at ${brand.domain}`
    return printRecord(io, toBrandJson(brand), `Brand ${brand.name} has the id ${brand.id}${domainText}.`)
  },
})

export const brandListCommand = command({
  name: 'brand list',
  about: 'list the brands',
  options: { reseller: OF_RESELLER },
  run: async (deps, io, _, options) => {
    const { reseller } = options
    const brands = await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
      listBrands(db, reseller === undefined ? undefined : (await requireReseller(db, reseller)).id),
    )
    return printList(io, 'brands', brands)
  },
})

export const brandShowCommand = command({
  name: 'brand show',
  about: 'show a brand, by id or name',
  arguments: { brand: 'text' },
  options: { reseller: OF_RESELLER },
  run: async (deps, io, { brand: brandRef }, options) => {
    const brand = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const { id } = await requireOptionBrand(db, brandRef, options)
      const pictures = await brandPictures(db, id)
      const typeOf = (kind: string): string | null => pictures.find((picture) => picture.kind === kind)?.contentType ?? null
      return { ...toBrandJson(await readBrand(db, id)), ...Object.fromEntries(BRAND_PICTURES.map((kind) => [kind, typeOf(kind)])) }
    })
    return printRecord(io, brand)
  },
})

export const brandSetCommand = command({
  name: 'brand set',
  about: 'change a brand, by id or name',
  arguments: { brand: 'text' },
  options: { ...EDITABLE_FIELDS, service: SERVICE, reseller: OF_RESELLER },
  note: CLEARS,
  run: async (deps, io, { brand: brandRef }, options) => {
    const changes = parseFields(EDITABLE_FIELDS, options)
    const row = await updateBrandByRef(deps, brandRef, options, async (db) => ({
      ...changes,
      ...(await findServiceColumn(db, options.service)),
    }))
    return printRecord(io, toBrandJson(row), `Brand ${row.name} (${row.id}) is changed.`)
  },
})

export const brandFlagsCommand = command({
  name: 'brand flags',
  about: 'say what the customers of a brand see; without a change, show it',
  arguments: { brand: 'text' },
  options: { ...SHOWN, reseller: OF_RESELLER },
  run: async (deps, io, { brand: brandRef }, options) => {
    const changes = flagColumns(options)
    const row =
      Object.keys(changes).length > 0
        ? await updateBrandByRef(deps, brandRef, options, async () => changes)
        : await deps.store.transact({ role: 'counterfoil_system' }, async (db) =>
            readBrand(db, (await requireOptionBrand(db, brandRef, options)).id),
          )
    return printRecord(io, flagsOf(row))
  },
})

/** The brand with this id or name, of the --reseller where one is named. @throws OperatorError when there is none, or several */
const requireOptionBrand = async (db: Db, brandRef: string, { reseller }: BrandOptions): Promise<{ id: number; resellerId: number }> => {
  return requireBrand(db, brandRef, reseller === undefined ? undefined : (await requireReseller(db, reseller)).id)
}

type BrandChange = Parameters<typeof updateBrand>[2]
type BrandRow = Awaited<ReturnType<typeof readBrand>>

/**
 * Changes a brand and writes the audit entry, in one transaction that commits.
 * @throws OperatorError when nothing is to change, the domain is taken, or new colours cannot be read together
 */
const updateBrandByRef = (
  deps: AppContext,
  brandRef: string,
  options: BrandOptions,
  readChanges: (db: Db) => Promise<BrandChange>,
): Promise<BrandRow> =>
  deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
    const { id, resellerId } = await requireOptionBrand(db, brandRef, options)
    await actAsReseller(db, resellerId)
    const changes = await readChanges(db)
    if (Object.keys(changes).length === 0) throw new OperatorError('Say what to change: counterfoil brand set --help lists it.')
    const before = await readBrand(db, id)
    await rejectTakenDomain(() => updateBrand(db, id, changes))
    const after = await readBrand(db, id)
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
const flagColumns = ({ on = [], off = [] }: OptionsOf<typeof SHOWN>): Record<string, boolean> => ({
  ...parseFlags('on', on, true),
  ...parseFlags('off', off, false),
})

/** The column that --service sets: none when it is not given, null for an empty text. @throws OperatorError unless one service matches */
const findServiceColumn = async (db: Db, service: string | undefined): Promise<{ end_service_id?: number | null }> => {
  if (service === undefined) return {}
  if (service.trim() === '') return { end_service_id: null }
  const [one, other] = await findServicesByRef(db, parseIdOrName(service))
  if (one === undefined || other !== undefined)
    throw new OperatorError(`--service: this reseller has ${one === undefined ? 'no' : 'more than one'} service of that id or name.`)
  return { end_service_id: one.id }
}

/** Runs the work. @throws OperatorError about --domain in place of a unique violation; other errors go on */
const rejectTakenDomain = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw new OperatorError('--domain: another brand of this installation is reached under this domain.', { cause: error })
  }
}

/** What a brand shows, true or false, by the words of the command line. */
const flagsOf = (row: BrandRow): Printable => Object.fromEntries(Object.entries(FLAGS).map(([word, column]) => [word, row[column]]))

/** The fields of a brand as commands print them, with the words of the flags that are on. */
const toBrandJson = (row: BrandRow): Printable => ({
  id: row.id,
  name: row.name,
  reseller: row.reseller_id,
  domain: row.domain,
  ...Object.fromEntries(Object.keys(COLOURS).map((name) => [name, row[name as 'colour1']])),
  itemLabel: row.end_service_item_display_name,
  currencySymbol: row.currency_symbol,
  service: row.end_service_id,
  helpEmail: row.help_email,
  helpPhone: row.help_phone,
  helpHours: row.help_hours,
  termsUrl: row.terms_url,
  privacyUrl: row.privacy_url,
  flags: Object.entries(FLAGS)
    .filter(([, column]) => row[column])
    .map(([word]) => word),
})
