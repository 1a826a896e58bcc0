import { DEMO_PASSWORD, type DemoData } from '../server/src/demo/demo-data.ts'

/** What a newcomer reads when everything is up. */
export const welcome = (address: string, sandbox: string, { users }: DemoData): string => {
  const width = Math.max(...users.map(({ username }) => username.length))
  const people = users.map(({ username, resellerName }) => `    ${username.padEnd(width)}  ${resellerName}`)
  return [
    '',
    `  Counterfoil is ready:  ${address}`,
    '',
    `  Sign in with the password  ${DEMO_PASSWORD}  as`,
    ...people,
    '',
    `  The outside world (mailbox, payment ledger, switches for failures):  ${sandbox}`,
    '',
  ].join('\n')
}
