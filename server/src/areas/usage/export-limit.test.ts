import { expect, test } from 'vitest'
import type { CustomerRequestContext } from '../../http/request-context.ts'
import { exportLimit } from './export-limit.service.ts'

const downloader = (userId: string, customerId: number, resellerId: number) =>
  ({ actor: { userId }, scope: { customerId, resellerId } }) as Pick<CustomerRequestContext, 'actor' | 'scope'>

test('[USG-07] two places a user and a customer, three a reseller, and the last two of six are for resellers who have none', () => {
  const limit = exportLimit()
  const take = (...as: Parameters<typeof downloader>) => limit.acquire(downloader(...as))
  const refuses = (...as: Parameters<typeof downloader>) => expect(() => take(...as)).toThrow('A download is still running.')
  const first = take('a', 1, 1)
  take('a', 2, 1)
  refuses('a', 3, 1)
  take('b', 1, 1)
  refuses('c', 1, 1)
  refuses('d', 4, 1)
  take('e', 5, 2)
  refuses('f', 6, 2)
  take('g', 7, 3)
  take('h', 8, 4)
  refuses('i', 9, 5)
  first()
  first()
  take('i', 9, 5)
  refuses('j', 10, 6)
})
