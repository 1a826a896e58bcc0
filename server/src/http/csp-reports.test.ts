import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../test/support/test-app.ts'

let context: TestContext
let app: FastifyInstance

beforeAll(async () => {
  context = await testContext()
  app = await context.app()
})
afterAll(() => context.close())

const report = async (payload: string, type = 'application/reports+json'): Promise<number> =>
  (await app.inject({ method: 'POST', url: '/csp-reports', payload, headers: { 'content-type': type } })).statusCode

const readCounts = async (): Promise<Record<string, number>> => {
  const { body } = await app.inject('/metrics')
  return Object.fromEntries(
    [...body.matchAll(/^counterfoil_csp_reports_total\{directive="([^"]+)"\} (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]),
  )
}

test('[OPS-01] what browsers report of the policy is counted by directive, and nothing of it is kept', async () => {
  const violation = (effectiveDirective: string) => ({
    type: 'csp-violation',
    url: 'https://portal.example/secret',
    body: { effectiveDirective },
  })
  expect(await report(JSON.stringify([violation('script-src-elem'), violation('trusted-types'), violation('made "up"\n')]))).toBe(204)
  const old = { 'csp-report': { 'document-uri': 'https://portal.example/secret', 'violated-directive': 'img-src https://portal.example' } }
  expect(await report(JSON.stringify(old), 'application/csp-report')).toBe(204)
  expect(await readCounts()).toEqual({ 'script-src-elem': 1, 'trusted-types': 1, other: 1, 'img-src': 1 })
  expect((await app.inject('/metrics')).body).not.toContain('secret')
})

test('[OPS-01] a report that is none counts nothing, and a long one is refused', async () => {
  const before = await readCounts()
  for (const text of ['', 'null', '[]', '7', '{', '[null]', '{"csp-report":7}']) expect([204, 400]).toContain(await report(text))
  expect(await report('x'.repeat(20_000))).toBe(413)
  expect(await report('{}', 'text/html')).toBe(415)
  expect(await readCounts()).toEqual(before)
})
