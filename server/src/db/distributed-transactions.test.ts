import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { clientFor, signInAs } from '../../test/support/http-client.ts'
import { runCommand } from '../../test/support/operator.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addUsage } from '../../test/support/usage.ts'
import { findMiscounts, loadAndCorrect } from '../../test/support/usage-counters.ts'
import { setDistributed } from '../../test/statements/sent-statements.ts'
import { mergeUsage } from '../usage-store/merge-usage.service.ts'
import type { DbRole } from './database.ts'

describe.skipIf(inject('testDatabase').kind !== 'postgres')('transactions as a distributed database needs them, on one server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-distributed-'))
  let context: TestContext
  let seeded: Awaited<ReturnType<typeof addUsage>>
  let call: ReturnType<typeof clientFor>

  beforeAll(async () => {
    setDistributed(true)
    context = await testContext({}, { speaks: { isDistributed: true } })
    seeded = await addUsage(context, 300)
    const app = await context.app()
    call = clientFor(app, await signInAs(app, seeded.person), seeded.customerId)
  })
  afterAll(async () => {
    setDistributed(false)
    await context.close()
    rmSync(folder, { recursive: true })
  })

  const ask = async (path: string) => {
    const answer = await call.get(`/v1/ec/usage${path}dateFrom=2026-06-01&dateTo=2026-12-31`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<Record<string, unknown>>()
  }

  test('[SCALE-01] pages, sums and names are answered', async () => {
    for (const sort of ['date', 'price', 'serviceItemName', 'recordType'])
      expect(await ask(`?sort=${sort}&`)).toMatchObject({ totalCount: 300 })
    expect(await ask('/summary?')).toMatchObject({ records: 300 })
    for (const path of ['usage/filters', 'record-types', 'services', 'service-items/usage']) {
      const answer = await call.get(`/v1/ec/${path}`)
      expect(answer.statusCode, `${path}: ${answer.body}`).toBe(200)
    }
  })

  test('[SCALE-01] loads, corrections, undos, merging and the archive count as they do elsewhere', async () => {
    const imports = await loadAndCorrect(context, seeded, folder)
    expect(await ask('/summary?')).toMatchObject({ records: 304 })
    for (const id of imports.toReversed())
      expect(await runCommand(context, 'import', 'undo', String(id), '--yes')).toMatchObject({ exit: 0 })
    await mergeUsage(context.store, new AbortController().signal)
    expect(await ask('/summary?')).toMatchObject({ records: 300 })
    const archived = await runCommand(context, 'usage', 'archive', '--before', '2026-07', '--out', folder, '--yes')
    expect(archived.exit, archived.err).toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(0)
    expect(await findMiscounts(context, seeded.resellerId)).toEqual([])
  })

  const customer = (id: number): DbRole => ({ role: 'counterfoil_app', customerId: id, resellerId: seeded.resellerId })
  const customersSeen = (as: DbRole, isFailing: boolean, pipelined: boolean) =>
    context.store.transact(
      as,
      async (db) => {
        const found = sql<{ id: number }>`select id from customer`.execute(db)
        const failed = isFailing ? sql`select 1 / 0`.execute(db) : Promise.resolve()
        const [{ rows }] = await Promise.all([found, failed])
        return rows.map(({ id }) => id)
      },
      { pipelined },
    )

  test('[SCALE-01] after a statement that failed the next transaction begins anew, with a tenant of its own', async () => {
    for (const pipelined of [true, false]) {
      await expect(customersSeen(customer(seeded.customerId), true, pipelined)).rejects.toThrow('division by zero')
      const seen = await Promise.all(
        [...Array(12).keys()].map((at) => customersSeen(customer(at % 2 === 0 ? seeded.customerId : 999_999), false, pipelined)),
      )
      expect(seen).toEqual([...Array(12).keys()].map((at) => (at % 2 === 0 ? [seeded.customerId] : [])))
    }
  })
})
