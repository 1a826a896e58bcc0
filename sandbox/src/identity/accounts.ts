/** An account at the sandbox's identity providers. */
export interface Account {
  /** The subject identifier, which never changes. */
  readonly subject: string
  readonly username: string
  readonly name: string
  /** Who this is in the portal, shown on the sandbox's page. */
  readonly description: string
}

/** The password of every account here. */
export const ACCOUNT_PASSWORD = 'Counterfoil-2026!'

/** The accounts of Orbit Group. A username is a verified email address. */
export const ACCOUNTS: readonly Account[] = [
  { subject: 'orbit-1001', username: 'sso@orbit.example', name: 'Noor Haddad', description: 'the portal’s user sso' },
  {
    subject: 'orbit-1002',
    username: 'visitor@orbit.example',
    name: 'Robin Visitor',
    description: 'nobody in the portal: the sign-in is refused there',
  },
]

/** The account with this subject identifier. */
export const accountOf = (subject: string): Account | undefined => ACCOUNTS.find((account) => account.subject === subject)

/** The account, if the username and the password are right; else undefined. Capitals and spaces around the username do not matter. */
export const authenticate = (username: string, password: string): Account | undefined =>
  password === ACCOUNT_PASSWORD ? ACCOUNTS.find((account) => account.username === username.trim().toLowerCase()) : undefined
