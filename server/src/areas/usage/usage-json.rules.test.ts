import { usage } from '@counterfoil/contract/usage'
import fastify, { type FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USAGE_TEXTS } from '../../db/tables/usage-columns.data.ts'
import { itemJson, textJson, usagePageJson } from './usage-json.rules.ts'

let app: FastifyInstance
let page: object

/** Answers with a page as the serializer of its schema writes it. */
beforeAll(() => {
  app = fastify()
  app.get('/', { schema: { response: { 200: usage.list.response } } }, () => page)
})
afterAll(() => app.close())

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\0'))
const optionalText = fc.option(text)
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => toDecimal(digits, scale))

const toDecimal = (digits: bigint, scale: number): string => {
  const sign = digits < 0n ? '-' : ''
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  return scale === 0 ? `${sign}${padded}` : `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`
}

const record = fc.record({
  ms: fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) }),
  micros: fc.integer({ min: 0, max: 999 }),
  item: fc.option(fc.record({ name: optionalText, description: optionalText })),
  type: text,
  texts: fc.array(optionalText, { minLength: USAGE_TEXTS.length, maxLength: USAGE_TEXTS.length }),
  costCentre: optionalText,
  units: decimal,
  price: decimal,
})

/** An instant as PostgreSQL writes it: without the zeros at the end. */
const toPostgresText = (ms: number, micros: number): string => {
  const iso = new Date(ms).toISOString()
  const fraction = `${iso.slice(20, 23)}${String(micros).padStart(3, '0')}`.replace(/0+$/, '')
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`
}

test('[USG-05] a page made from text is byte for byte what the serializer of its schema writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 5 }), fc.nat(), async (records, totalCount) => {
      page = {
        totalCount,
        endUsageDetails: records.map(({ ms, item, type, texts, costCentre, units, price }) => ({
          date: new Date(ms).toISOString(),
          serviceItemName: item?.name ?? null,
          serviceItemDescription: item?.description ?? null,
          ...Object.fromEntries(USAGE_TEXTS.map(({ field }, nth) => [field, texts[nth]])),
          units: Number(units),
          price: Number(price),
          recordType: type,
          costCentre,
        })),
      }
      const names = {
        items: new Map(records.map(({ item }, at) => [`${at}`, itemJson(item?.name ?? null, item?.description ?? null)])),
        types: new Map(records.map(({ type }, at) => [`${at}`, textJson(type)])),
      }
      const rows = records.map(({ ms, micros, item, texts, costCentre, units, price }, at) => [
        toPostgresText(ms, micros),
        item === null ? null : `${at}`,
        `${at}`,
        costCentre,
        units,
        price,
        ...texts,
      ])
      const { payload } = await app.inject('/')
      expect(usagePageJson(rows, names, totalCount).text).toBe(payload)
    }),
    { numRuns: 300 },
  )
})
