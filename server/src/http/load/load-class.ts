/**
 * What a request costs the server, and whose crowding it must not suffer from. `normal`: a read or a small write. `usage`: it reads
 * usage, for which one machine of several may keep it waiting. `urgent`: it moves
 * money, or tells of money. `session`: it continues or ends a session. `hashing`: it waits for a password to be hashed. `sso`: it waits
 * for an organization's identity provider.
 */
export type LoadClass = 'normal' | 'usage' | 'urgent' | 'session' | 'hashing' | 'sso'

/**
 * The class of a request.
 * @param body the parsed body, once it is there: at `/token` it says whether there is a password to hash
 * @returns null for what is never refused
 */
export type LoadClassOf = (url: string, body?: unknown) => LoadClass | null

type Prefix = readonly [prefix: string, loadClass: LoadClass]

/**
 * The prefixes of URL paths with their classes: the first prefix of a path that fits decides. What fits none is a page, a file or a probe:
 * made without the database, never refused.
 */
const prefixes = (methodFamilies: readonly string[]): readonly Prefix[] => [
  ['/v1/ec/payments/receipts/', 'normal'],
  ['/v1/ec/pay', 'urgent'], // pay, payment, payments
  ...methodFamilies.map((family): Prefix => [`/v1/ec/${family}/`, 'urgent']),
  ['/v1/ec/password', 'hashing'],
  ['/v1/ec/user-registration', 'hashing'],
  ['/v1/ec/usage', 'usage'],
  ['/v1/ec/record-types', 'usage'],
  ['/v1/ec/services', 'usage'],
  ['/v1/ec/service-items/usage', 'usage'],
  ['/v1/', 'normal'],
  ['/hooks/', 'urgent'],
  ['/payment-return/', 'urgent'],
  ['/token', 'session'],
  ['/revoke', 'session'],
  ['/sso/', 'sso'],
  ['/brand-images/', 'normal'],
]

/**
 * Makes the function that tells a request's class by its URL path; a sign-in with a password at /token is `hashing` instead of `session`.
 * @param methodFamilies the first part of the paths of stored cards and accounts, under /v1/ec/
 */
export const loadClasses = (methodFamilies: readonly string[]): LoadClassOf => {
  const known = prefixes(methodFamilies)
  return (url, body) => {
    const loadClass = known.find(([prefix]) => url.startsWith(prefix))?.[1] ?? null
    const isPassword = loadClass === 'session' && (body as { readonly grant_type?: unknown } | undefined)?.grant_type === 'password'
    return isPassword ? 'hashing' : loadClass
  }
}
