import { expect, test } from 'vitest'
import { linkAddress } from './link-address.ts'

test.each([
  ['portal.nimbus.net', 'http://localhost:3000', 'https://portal.nimbus.net/login'],
  [null, 'https://billing.example.com', 'https://billing.example.com/login'],
  [null, 'http://localhost:3000', 'http://localhost:3000/login'],
  ['nimbus.localhost', 'http://localhost:3000', 'http://nimbus.localhost:3000/login'],
  ['nimbus.example', 'http://localhost:3000', 'http://localhost:3000/login'],
])('[AUTH-08] a mail of the brand at %s from %s leads to %s', (domain, publicUrl, address) => {
  expect(linkAddress(domain, publicUrl, '/login')).toBe(address)
})
