import { expect, test } from 'vitest'
import { ROLES } from '../../db/roles.ts'
import { LOGIN_SETTINGS } from '../../db/server/login-settings.ts'
import type { NodeFacts } from './node-facts.queries.ts'
import type { NodeReport } from './node-reports.service.ts'
import { nodeTroubles, roleTroubles } from './node-troubles.rules.ts'
import { shardTroubles } from './shard-troubles.rules.ts'

const FACTS: NodeFacts = {
  user: 'counterfoil',
  database: 'billing',
  ownsDatabase: true,
  postgres: 170_011,
  citus: '14.0-1',
  roles: ROLES.map((name) => ({ name, canLogin: true, isMember: true, isInherited: false })),
  settings: LOGIN_SETTINGS,
  oldTransactions: [],
  shards: [],
}

const report = (host: string, facts: Partial<NodeFacts> = {}): NodeReport => ({
  node: { host, port: 5432, name: `${host}:5432`, isCoordinator: host === 'a', holdsUsage: host !== 'a' },
  facts: { ...FACTS, ...facts },
  freeBytes: 2 ** 40,
  shutOut: [],
})

const sentences = (reports: readonly NodeReport[]): string[] => nodeTroubles(reports, 2 ** 30).map(({ says }) => says)

test('a coordinator and two workers with the same versions are well', () => {
  const reports = [report('a'), report('b'), report('c')]
  expect(sentences(reports)).toEqual([])
  expect(roleTroubles(reports)).toEqual([])
})

test('a coordinator without an address, and no worker, stand in the way', () => {
  expect(sentences([report('b')])).toEqual(['Citus does not know where the coordinator is.'])
  expect(sentences([report('a')])).toEqual(['There is no worker yet.'])
})

test('an older PostgreSQL, another one and a missing Citus stand in the way', () => {
  expect(sentences([report('a'), report('b', { postgres: 160_009 })])).toEqual([
    'PostgreSQL 17 or newer is needed on every node; b:5432 is older.',
    'The nodes differ in their versions: a:5432 has PostgreSQL 17.11 with Citus 14.0-1, b:5432 has PostgreSQL 16.9 with Citus 14.0-1.',
  ])
  expect(sentences([report('a'), report('b', { citus: null })])).toContain('The database on b:5432 has no Citus.')
})

test('a role that a worker does not have is named', () => {
  const roles = FACTS.roles.filter(({ name }) => name !== 'counterfoil_app')
  const shutOut = [{ role: 'counterfoil_app', reason: 'failed to connect' }]
  expect(roleTroubles([report('a'), { ...report('b', { roles }), shutOut }]).map(({ says }) => says)).toEqual([
    'b:5432 has no role counterfoil_app.',
  ])
})

test('a shard that comes or goes while the nodes are asked is neither missing nor left over', () => {
  const shard = { bytes: 0, isForced: true, triggers: [] }
  const names = ['usage_delta_100001', 'usage_delta_100002']
  const noted = names.map((name) => ({ shard: name, node: 'b:5432' }))
  const saysOf = (present: readonly string[], before: typeof noted, after: typeof noted): string[] => {
    const reports = [report('a'), report('b', { shards: present.map((name) => ({ ...shard, name })) })]
    return shardTroubles(reports, [before, after], { minUnevenBytes: 1 }, false).map(({ says }) => says)
  }
  const [first, second] = [noted.slice(0, 1), noted]
  expect(saysOf(names.slice(0, 1), first, second)).toEqual([])
  expect(saysOf(names.slice(0, 1), second, first)).toEqual([])
  expect(saysOf(names, first, second)).toEqual([])
  expect(saysOf(names.slice(0, 1), second, second)).toEqual([expect.stringContaining('does not have usage_delta_100002')])
  expect(saysOf(names, first, first)).toEqual([expect.stringContaining('usage_delta_100002')])
})
