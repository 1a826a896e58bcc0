import type { ServiceItem } from '@counterfoil/contract/service-items'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { serviceItemsQuery } from '../../api/service-items.data.ts'
import { storeSession } from '../../api/session.ts'
import { accessToken, respondWithJson, startTestBrowser } from '../../api/test-browser.ts'
import { updateServiceItemMutation } from './cost-centre.data.ts'
import { costCentreCsv, costCentreFileName } from './cost-centre-csv.ts'
import { filterServiceItems, EMPTY_SEARCH } from './cost-centre-search.ts'
import { priceText, toUsagePrices } from './usage-of-month.ts'

const item = (id: number, serviceItem: string, description: string | null, costCentre: string | null): ServiceItem => ({
  id,
  serviceId: 1,
  serviceItem,
  description,
  costCentre,
})
const items = [
  item(1, '0491 570 156', 'Truck 1, dash camera', 'FLEET-NSW'),
  item(2, '0491 570 157', 'Lager Süd (50 %)', null),
  item(3, 'sim.A*b', null, 'fleet-vic'),
]
const ids = (search: Partial<typeof EMPTY_SEARCH>): number[] =>
  filterServiceItems(items, { ...EMPTY_SEARCH, ...search }).map(({ id }) => id)

test.each<[Partial<typeof EMPTY_SEARCH>, number[]]>([
  [{}, [1, 2, 3]],
  [{ serviceItem: '570 15' }, [1, 2]],
  [{ serviceItem: 'SIM.A*' }, [3]],
  [{ description: 'TRUCK' }, [1]],
  [{ description: 'sÜD (50 %' }, [2]],
  [{ costCentre: 'Fleet' }, [1, 3]],
  [{ costCentre: 'fleet', description: 'camera' }, [1]],
  [{ costCentre: 'fleet', serviceItem: '157' }, []],
  [{ description: ' ' }, [1, 2]],
  [{ costCentre: 'null' }, []],
])('[CC-01] a search for %j finds what contains it in every column, whatever the case', (search, expected) => {
  expect(ids(search)).toEqual(expected)
})

test('[CC-03] the file has the service item under its own label, Description and Cost Centre; texts that would run are defused', () => {
  const rows = [...items, item(4, '+61 491', 'a "quoted", text', '=FLEET')]
  expect(costCentreCsv(rows, 'Connection')).toBe(
    [
      '\uFEFFConnection,Description,Cost Centre',
      '0491 570 156,"Truck 1, dash camera",FLEET-NSW',
      '0491 570 157,Lager Süd (50 %),',
      'sim.A*b,,fleet-vic',
      `'+61 491,"a ""quoted"", text",'=FLEET`,
      '',
    ].join('\n'),
  )
  expect(costCentreFileName('4G Data')).toBe('Cost_Centre_4G Data.csv')
})

test('[CC-02] a list that was read before the text was saved, and comes after it, does not bring the old text back', async () => {
  const old = item(1, '0491 570 156', 'Truck 1', 'OLD')
  const saved = { ...old, costCentre: 'NEW' }
  let save = (): void => undefined
  const isSaved = new Promise<void>((resolve) => {
    save = resolve
  })
  let listRequests = 0
  const browser = await startTestBrowser(async ({ method }, response) => {
    if (method === 'PUT') return respondWithJson(response, 200, saved)
    listRequests += 1
    if (listRequests === 2) await isSaved
    respondWithJson(response, 200, [old])
  })
  storeSession({ access_token: accessToken({ sub: '7' }), refresh_token: 'r' })
  const client = new QueryClient()
  const listQuery = { ...serviceItemsQuery(1), staleTime: 0 }
  await client.fetchQuery(listQuery)
  const lateFetch = client.fetchQuery(listQuery).catch(() => undefined)
  const update = client.getMutationCache().build(client, updateServiceItemMutation(1))
  await update.execute({ costCentre: 'NEW', basedOn: { costCentre: null } })
  save()
  await lateFetch
  expect(client.getQueryData(listQuery.queryKey)).toEqual([saved])
  await browser.close()
})

test('[EASE-06] prices are added up exactly and rounded once; an item without usage costs nothing', () => {
  const prices = toUsagePrices([
    { id: 1, price: '0.00004' },
    { id: 2, price: '0.00004' },
    { id: 3, price: '1234567.1' },
  ])
  expect([priceText([items[0]!], prices, '$'), priceText(items.slice(0, 2), prices, '$')]).toEqual(['$0.0000', '$0.0001'])
  expect(priceText(items, prices, '$')).toBe('$1,234,567.1001')
  expect(priceText([{ id: 9 }], prices, '$')).toBe('$0.0000')
})
