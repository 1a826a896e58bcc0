import { type Account, agreementIdOf, recordTypeId } from './account.ts'
import type { UsageBatch } from './usage.queries.ts'

const BATCH_ROWS = 5000

/** A customer's usage records in batches of at most BATCH_ROWS, for insertUsage. Inserts nothing. */
export function* usageBatches(account: Account): Generator<UsageBatch> {
  const { records } = account.usage
  const texts = sharedTexts(account)
  const at = (index: number) => {
    const connection = account.connections[records.connection[index] ?? 0]
    if (connection === undefined) throw new RangeError('a usage record without a connection')
    return { connection, record: records.record[index] ?? 0, peer: records.peer[index] ?? -1 }
  }
  for (let start = 0; start < records.seconds.length; start += BATCH_ROWS) {
    const end = Math.min(start + BATCH_ROWS, records.seconds.length)
    const facts = Array.from({ length: end - start }, (_, offset) => at(start + offset))
    yield {
      resellerId: account.reseller.id,
      customerId: account.id,
      firstId: account.id * 1_000_000 + start + 1,
      seconds: records.seconds.slice(start, end),
      serviceItemIds: facts.map(({ connection }) => connection.id),
      agreementIds: facts.map(({ connection }) => agreementIdOf(account, connection.serviceNo)),
      recordTypeIds: facts.map(({ connection, record }) => recordTypeId(account.reseller.id, connection.serviceNo, record)),
      unitsMilli: records.unitsMilli.slice(start, end),
      priceMicros: records.priceMicros.slice(start, end),
      texts: texts.list,
      secondTexts: facts.map(({ connection }) => texts.place(connection.secondNumber)),
      thirdTexts: facts.map(({ connection, record, peer }) =>
        texts.place(account.reseller.services[connection.serviceNo]?.records[record]?.peers?.[peer]),
      ),
    }
  }
}

/** The distinct texts of the second and third identifications; places count from 1, and 0 is none. */
const sharedTexts = ({ connections, reseller }: Account) => {
  const places = new Map<string, number>()
  const peers = reseller.services.flatMap(({ records }) => records.flatMap(({ peers = [] }) => peers))
  for (const text of [...connections.map(({ secondNumber }) => secondNumber), ...peers])
    if (text !== null && !places.has(text)) places.set(text, places.size + 1)
  return { list: [...places.keys()], place: (text: string | null | undefined) => (text == null ? 0 : (places.get(text) ?? 0)) }
}
