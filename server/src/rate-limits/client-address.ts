import { isIPv6 } from 'node:net'
import type { Keys } from '../kit/keys.ts'
import { type AddressLimitName, type Limit, type Limits, settingNameOf } from './limits.ts'
import type { RateLimitUse } from './rate-limits.ts'

/** A network that a client counts as, and how many times an address's limit it has. */
interface AddressNetwork {
  readonly key: string
  readonly multiplier: number
}

/**
 * What an address is limited by. An IPv4 address counts for itself. A machine with IPv6 takes a new address within its /64 whenever it
 * likes, and a provider gives homes and servers a /56 or a /48: so the /64 has the limit, a /56 twice as much, a /48 four times as much.
 */
export const addressNetworks = (address: string): readonly AddressNetwork[] => {
  const groups = ipv6Groups(address)
  if (groups === null) return [{ key: ipv4Of(address), multiplier: 1 }]
  const [first = 0, second = 0, third = 0, fourth = 0] = groups
  const site = [first, second, third].map((group) => group.toString(16)).join(':')
  return [
    { key: `${site}:${fourth.toString(16)}/64`, multiplier: 1 },
    { key: `${site}:${(fourth >> 8).toString(16)}/56`, multiplier: 2 },
    { key: `${site}/48`, multiplier: 4 },
  ]
}

/** The key of one machine or home: an IPv4 address, or a /64 of IPv6. */
export const addressGroupOf = (address: string): string => addressNetworks(address)[0]?.key ?? address

/** The key of an address's network: the first three numbers of IPv4, a /48 of IPv6. */
export const networkOf = (address: string): string => {
  const groups = ipv6Groups(address)
  return groups === null ? ipv4Of(address).split('.').slice(0, 3).join('.') : (addressNetworks(address).at(-1)?.key ?? address)
}

/**
 * The uses of one attempt from an address: `network` counts its network, every other limit the address in all its networks.
 * @param within the part of the product that the address is limited in, such as one reseller; all of it when absent
 */
export const addressUses = (keys: Keys, limits: Limits, name: AddressLimitName, address: string, within?: string): RateLimitUse[] => {
  const networks = name === 'network' ? [{ key: networkOf(address), multiplier: 1 }] : addressNetworks(address)
  return networks.map(({ key, multiplier }) => ({
    subject: keys.mac('limit', settingNameOf(name), within === undefined ? key : `${within} ${key}`),
    limit: scaledLimit(limits[name], multiplier),
  }))
}

/** A limit multiplied: so many times the tokens, refilled so many times as fast. */
export const scaledLimit = ({ burst, refillMs }: Limit, multiplier: number): Limit => ({
  burst: burst * multiplier,
  refillMs: refillMs / multiplier,
})

/** The IPv4 address in an IPv6 one such as ::ffff:192.0.2.7; any other address unchanged. */
const ipv4Of = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** The eight numbers of an IPv6 address, however it is written; null for any other address. */
const ipv6Groups = (address: string): readonly number[] | null => {
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain) || ipv4Of(plain) !== plain) return null
  // The URL parser writes an address in its one canonical form, without a dotted part.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = canonical.includes('::') ? Array<string>(8 - head.length - tail.length).fill('0') : []
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}
