import { METHOD_PATHS } from '../../payments/providers/registry.ts'

/**
 * What a request costs the server, and whose crowding it must not suffer from. `normal`: a read or a small write. `urgent`: it moves
 * money, or tells of money. `session`: it continues or ends a session. `hashing`: it waits for a password to be hashed. `sso`: it waits
 * for an organization's identity provider.
 */
export type LoadClass = 'normal' | 'urgent' | 'session' | 'hashing' | 'sso'

/** The first prefix of a path that fits decides. What fits none is a page, a file or a probe: made without the database, never refused. */
const PREFIXES: readonly (readonly [prefix: string, loadClass: LoadClass])[] = [
  ['/v1/ec/payments/receipts/', 'normal'],
  ['/v1/ec/pay', 'urgent'], // pay, payment, payments
  ...METHOD_PATHS.map(({ pathFamily }) => [`/v1/ec/${pathFamily}/`, 'urgent'] as const),
  ['/v1/ec/password', 'hashing'],
  ['/v1/ec/user-registration', 'hashing'],
  ['/v1/', 'normal'],
  ['/hooks/', 'urgent'],
  ['/payment-return/', 'urgent'],
  ['/token', 'session'],
  ['/revoke', 'session'],
  ['/sso/', 'sso'],
  ['/brand-images/', 'normal'],
]

/**
 * @param body the parsed body, once it is there: at `/token` it says whether there is a password to hash
 * @returns null for what is never refused
 */
export const loadClassOf = (url: string, body?: unknown): LoadClass | null => {
  const loadClass = PREFIXES.find(([prefix]) => url.startsWith(prefix))?.[1] ?? null
  const isPassword = loadClass === 'session' && (body as { readonly grant_type?: unknown } | undefined)?.grant_type === 'password'
  return isPassword ? 'hashing' : loadClass
}
