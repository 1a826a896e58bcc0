/** Somebody who has an account at the sandbox's identity providers. */
export interface Account {
  /** What the providers know the person by; it never changes. */
  readonly subject: string
  readonly username: string
  readonly name: string
  /** Who this is in the portal, for the sandbox's page. */
  readonly what: string
}

/** The password of every account here. */
export const ACCOUNT_PASSWORD = 'Counterfoil-2026!'

/** The people of Orbit Group, as their company's identity providers know them. A username is an email address that has been verified. */
export const ACCOUNTS: readonly Account[] = [
  { subject: 'orbit-1001', username: 'sso@orbit.example', name: 'Noor Haddad', what: 'the portal’s user sso' },
  {
    subject: 'orbit-1002',
    username: 'visitor@orbit.example',
    name: 'Robin Visitor',
    what: 'nobody in the portal: the sign-in is refused there',
  },
]

export const accountOf = (subject: string): Account | undefined => ACCOUNTS.find((account) => account.subject === subject)

/** The account of a username and password, if both are right. */
export const signedIn = (username: string, password: string): Account | undefined =>
  password === ACCOUNT_PASSWORD ? ACCOUNTS.find((account) => account.username === username.trim().toLowerCase()) : undefined
