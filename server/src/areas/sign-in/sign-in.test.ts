import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestHouse, testHouse } from '../../test-house.ts'

let house: TestHouse

beforeAll(async () => {
  house = await testHouse()
})
afterAll(() => house.close())

test('[SESS-01] unknown username', async () => {
  const app = await house.app()
  const answer = await app.inject({
    method: 'POST',
    url: '/token',
    payload: 'grant_type=password&username=a&password=b&client_id=counterfoil-portal&client_secret=counterfoil-portal',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.json()).toEqual({ error: 'invalid_grant', error_description: 'Invalid username or password' })
  expect((await app.inject('/openapi.json')).json().openapi).toBe('3.1.0')
})
