import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import bcd from '@mdn/browser-compat-data/forLegacyNode'
import { BROWSER_FLOOR } from '../../portal/browser-floor.ts'

/** Something that JavaScript may name and that some browser of the floor lacks. */
export interface NewerApi {
  /** The constructor or namespace, such as `AbortSignal`; undefined for a global. */
  readonly owner: string | undefined
  readonly name: string
  /** It stands on the constructor, and an instance may have another member of that name. */
  readonly isStatic: boolean
}

const BROWSERS = Object.keys(BROWSER_FLOOR) as (keyof typeof BROWSER_FLOOR)[]

/** Does every browser of the floor have it, under this name and without a flag? */
const isInFloor = ({ support }: CompatStatement): boolean =>
  BROWSERS.every((browser) => [support[browser] ?? []].flat().some((statement) => isSince(statement, BROWSER_FLOOR[browser])))

const isSince = (statement: SimpleSupportStatement, floor: string): boolean => {
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name: otherName } = statement
  if (typeof added !== 'string' || added === 'preview' || (flags ?? prefix ?? otherName) !== undefined) return false
  const isRemoved = typeof removed === 'string' && compareVersions(removed, floor) <= 0
  return !isRemoved && compareVersions(added.replace('≤', ''), floor) <= 0
}

const compareVersions = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

/** Keys of facts about behaviour, events and parameters, which are no names of JavaScript; constants are. */
const isName = (key: string): boolean => !key.includes('_') || key === key.toUpperCase() || key.endsWith('_static')

interface Entry {
  readonly name: string
  readonly isStatic: boolean
  readonly below: Identifier
  readonly isNewer: boolean
}

const entriesOf = (group: Identifier): Entry[] =>
  Object.entries(group).flatMap(([key, value]) => {
    const below = value as Identifier
    const { __compat: support } = below
    if (key === '__compat' || support === undefined || !isName(key)) return []
    const name = key.replace(/_static$/, '')
    return [{ name, isStatic: name !== key, below, isNewer: !isInFloor(support) }]
  })

const BUILTINS = (bcd.javascript as Identifier)['builtins'] as Identifier
const SCOPES = [
  { group: bcd.api as Identifier, prefix: '' },
  { group: BUILTINS, prefix: '' },
  { group: BUILTINS['Intl'] as Identifier, prefix: 'Intl.' },
]

/** Every constructor, namespace, member and global function that some browser of the floor lacks. */
export const newerApis = (): NewerApi[] =>
  SCOPES.flatMap(({ group, prefix }) =>
    entriesOf(group).flatMap(({ name, below, isNewer }): NewerApi[] => {
      if (isNewer) return [{ owner: prefix === '' ? undefined : 'Intl', name, isStatic: true }]
      const owner = name === 'Window' ? undefined : `${prefix}${name}`
      return entriesOf(below).flatMap((member) => (member.isNewer ? [{ owner, name: member.name, isStatic: member.isStatic }] : []))
    }),
  )

/** Names of members that no object of a browser of the floor has. */
export const newerMembers = (): ReadonlySet<string> => {
  const members = SCOPES.flatMap(({ group }) => entriesOf(group)).flatMap(({ below, isNewer }) =>
    entriesOf(below).map((member) => ({ name: member.name, isNewer: isNewer || member.isNewer })),
  )
  const known = new Set(members.flatMap(({ name, isNewer }) => (isNewer ? [] : [name])))
  return new Set(members.flatMap(({ name }) => (known.has(name) ? [] : [name])))
}

/** Names of selectors that some browser of the floor lacks: `has`. A rule with one is ignored there. */
export const newerSelectors = (): string[] =>
  entriesOf((bcd.css as Identifier)['selectors'] as Identifier).flatMap(({ name, isNewer }) => (isNewer ? [name] : []))
