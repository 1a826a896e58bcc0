interface World {
  readonly password: string
  readonly users: readonly { readonly username: string; readonly reseller: string; readonly shows: string }[]
}

/** What a newcomer reads when everything is up. */
export const welcome = (address: string, sandbox: string, { users, password }: World): string => {
  const width = Math.max(...users.map(({ username }) => username.length))
  const wide = Math.max(...users.map(({ reseller }) => reseller.length))
  const people = users.map(({ username, reseller, shows }) => `    ${username.padEnd(width)}  ${reseller.padEnd(wide)}  ${shows}`.trimEnd())
  return [
    '',
    `  Counterfoil is ready:  ${address}`,
    '',
    `  Sign in with the password  ${password}  as`,
    ...people,
    '',
    `  The outside world (mailbox, payment ledger, switches for failures):  ${sandbox}`,
    '',
  ].join('\n')
}
