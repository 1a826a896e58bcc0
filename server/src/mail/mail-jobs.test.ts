import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverMail, type TestMailbox, startTestMailbox, tokenIn } from '../../test/support/mailbox.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { addBrand, addTenant, addPerson, queryAsAdministrator } from '../../test/support/people.ts'
import { cancelUserMail, queueUserMail } from './mail.queries.ts'
import { startJobWorker } from '../queue/job-worker.ts'
import { mailJobs } from './mail-jobs.ts'
import { mailTransport } from './transport.ts'
import { storeResetRequest } from './reset-requests.queries.ts'

const MINUTE = 60_000

let mailbox: TestMailbox
let context: TestContext
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  mailbox = await startTestMailbox()
  context = await testContext({ MAIL_URL: mailbox.url, MAIL_FROM: 'billing@counterfoil.net' })
  tenant = await addTenant(context, {
    reseller: { legal_name: 'Nimbus Ltd', email: 'help@nimbus.net', phone: '+61 2 5550 0000' },
    brand: { name: 'Nimbus', domain: 'portal.nimbus.net', colour2: '#1f5fd6' },
  })
})
beforeEach(() => mailbox.empty())
afterEach(() => queryAsAdministrator(context, 'with mails as (delete from mail) delete from job'))
afterAll(async () => {
  await context.close()
  await mailbox.close()
})

const addUser = (email: string | null, overrides: Parameters<typeof addPerson>[4] = {}) =>
  addPerson(context, tenant.resellerId, tenant.brandId, [], { email, ...overrides })

const requestReset = (email: string, brandId?: number): Promise<void> =>
  context.store.transact({ role: 'counterfoil_system' }, (db) => storeResetRequest(db, email, brandId, context.clock()))

const rows = <Row extends object>(statement: string): Promise<Row[]> => queryAsAdministrator<Row>(context, statement)

test('[AUTH-08] the mail names the username and carries a link on the brand’s domain, in text and in HTML', async () => {
  const person = await addUser('zoe@customer.net', { username: 'zoe', display_name: 'Zoë O’Neill' })
  await requestReset('Zoe@Customer.net')
  await deliverMail(context)

  const [mail, ...others] = mailbox.list()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: 'zoe@customer.net', subject: 'Choose a new password for Nimbus' })
  const address = `https://portal.nimbus.net/reset-password/${tokenIn(mail)}`
  expect(mail?.text).toContain('Hello Zoë O’Neill,')
  expect(mail?.text).toContain(`asked for a new password for the username ${person.username} at Nimbus.`)
  expect(mail?.text).toContain('Nimbus Ltd\nhelp@nimbus.net · +61 2 5550 0000')
  expect(mail?.html).toContain(`<a href="${address}"`)
  expect(mail?.html).toContain('background:#1f5fd6')
})

test('[AUTH-08] neither the token of a mailed link nor the content of the mail is in the database', async () => {
  await addUser('seal@customer.net')
  await requestReset('seal@customer.net')
  await deliverMail(context)
  const secret = tokenIn(mailbox.list()[0]).slice(22)
  const stored = JSON.stringify(await rows('select m::text as mail, l::text as link from mail m join one_time_link l on l.id = m.id'))
  expect(stored).toContain('seal@customer.net')
  for (const text of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret, 'base64url').toString('hex')])
    expect(stored).not.toContain(text)
})

test('[AUTH-08] an address of several users gets one mail for each, and one of nobody gets none', async () => {
  for (const username of ['ann', 'ben']) await addUser('office@customer.net', { username })
  await requestReset('office@customer.net')
  await requestReset('stranger@customer.net')
  await deliverMail(context)
  const texts = mailbox.list().map(({ text }) => /the username (\w+) at/.exec(text)?.[1])
  expect(texts.toSorted()).toEqual(['ann', 'ben'])
  expect(await rows('select from reset_request')).toEqual([])
})

test('[AUTH-08] disabled users and users without a password get no mail; on a brand’s host, neither do users of other brands', async () => {
  const email = 'shared@customer.net'
  await addUser(email, { username: 'gone', disabled_at: new Date() })
  await addUser(email, { username: 'wordless', password_hash: null })
  await addUser(email, { username: 'here' })
  const other = await addBrand(context, tenant.resellerId, { name: 'Other' })
  await addPerson(context, tenant.resellerId, other, [], { email, username: 'elsewhere' })

  await requestReset(email, tenant.brandId)
  await deliverMail(context)
  expect(mailbox.list().map(({ text }) => /the username (\w+) at/.exec(text)?.[1])).toEqual(['here'])

  mailbox.empty()
  await requestReset(email)
  await deliverMail(context)
  expect(mailbox.list()).toHaveLength(2)
})

test('a mail of one event is queued once, and none for a user without an email', async () => {
  const [userWithEmail, userWithoutEmail] = [await addUser('once@customer.net'), await addUser(null)]
  for (const { id: userId } of [userWithEmail, userWithEmail, userWithoutEmail])
    await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      queueUserMail(db, { kind: 'password-changed', userId, event: 'the same' }, context.clock()),
    )
  await deliverMail(context)
  expect(mailbox.list().map(({ to }) => to)).toEqual(['once@customer.net'])
})

test('two workers send each mail once between them', async () => {
  const userIds: string[] = []
  for (let at = 1; at <= 12; at += 1) userIds.push((await addUser(`many-${at}@customer.net`)).id)
  for (const userId of userIds)
    await context.store.transact({ role: 'counterfoil_system' }, (db) =>
      queueUserMail(db, { kind: 'password-changed', userId, event: 'x' }, context.clock()),
    )
  await Promise.all([deliverMail(context), deliverMail(context)])
  await deliverMail(context)
  const to = mailbox.list().map((mail) => mail.to)
  expect(to.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `many-${at + 1}@customer.net`).toSorted())
})

test('[AUTH-08] while the mail server is down the retry delays grow; when it is back the mail arrives once, with a link that is valid from then on', async () => {
  const closedMailbox = await startTestMailbox()
  const port = Number(new URL(closedMailbox.url).port)
  await closedMailbox.close()
  const contextWithoutMailServer = { ...context, config: { ...context.config, mailUrl: closedMailbox.url } }
  await addUser('patient@customer.net')
  await requestReset('patient@customer.net')

  for (const pauseMs of [30_000, 60_000, 120_000, 240_000]) {
    await deliverMail(contextWithoutMailServer)
    const [waiting] = await rows<{ run_at: Date; last_error: string }>(`select run_at, last_error from job where kind = 'mail'`)
    expect(waiting?.run_at.getTime()).toBe(context.clock().getTime() + pauseMs)
    expect(waiting?.last_error).toMatch(/^E[A-Z]+$/)
    context.advance(pauseMs)
  }

  const restoredMailbox = await startTestMailbox(port)
  try {
    await deliverMail(contextWithoutMailServer)
    context.advance(60 * MINUTE)
    await deliverMail(contextWithoutMailServer)
    expect(restoredMailbox.list().map(({ to }) => to)).toEqual(['patient@customer.net'])
    const [link] = await rows<{ lifetime: number }>(
      `select extract(epoch from l.expires_at - m.sent_at)::int as lifetime from one_time_link l join mail m on m.id = l.id`,
    )
    expect(link?.lifetime).toBe(3_600)
  } finally {
    await restoredMailbox.close()
  }
})

test('a mail that the server rejects for good is given up at once, and an expired one after a day', async () => {
  const rejectingServer = await startRejectingServer()
  try {
    const contextWithoutMailServer = { ...context, config: { ...context.config, mailUrl: rejectingServer.url } }
    await addUser('nobody@customer.net')
    await requestReset('nobody@customer.net')
    await deliverMail(contextWithoutMailServer)
    expect(await givenUpMails()).toEqual([{ attempts: 1, isOver: true, sent_at: null, last_error: 'EENVELOPE 550' }])
  } finally {
    rejectingServer.server.close()
  }
  await queryAsAdministrator(context, 'with mails as (delete from mail) delete from job')

  const contextWithoutMailServer = { ...context, config: { ...context.config, mailUrl: rejectingServer.url } }
  await requestReset('nobody@customer.net')
  await deliverMail(contextWithoutMailServer)
  context.advance(24 * 60 * MINUTE)
  await deliverMail(contextWithoutMailServer)
  expect(await givenUpMails()).toMatchObject([{ attempts: 2, isOver: true, sent_at: null }])
})

const givenUpMails = () =>
  rows('select j.attempts, j.finished_at is not null as "isOver", j.last_error, m.sent_at from mail m join job j on j.id = m.id')

/** A mail server that rejects every recipient. */
const startRejectingServer = async (): Promise<{ url: string; server: Server }> => {
  const server = createServer((socket) => {
    socket.write('220 refusing\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (line) => {
      const word = line.toString().slice(0, 4).toUpperCase()
      socket.write(word === 'RCPT' ? '550 unknown user\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, server }
}

test('[AUTH-08] a worker that dies after sending a mail does not make another send it again', async () => {
  await addUser('twice@customer.net')
  await requestReset('twice@customer.net')
  await deliverMail(context)
  await queryAsAdministrator(context, `update job set finished_at = null, worker = id, attempts = 1 where kind = 'mail'`)
  context.advance(5 * MINUTE)
  await deliverMail(context)
  expect(mailbox.list()).toHaveLength(1)
  expect(await rows(`select attempts from job where kind = 'mail' and finished_at is not null`)).toEqual([{ attempts: 2 }])
})

test('a cancelled mail is not sent, and the newer one is', async () => {
  const { id: userId } = await addUser('newer@customer.net')
  await context.store.transact({ role: 'counterfoil_system' }, async (db) => {
    await queueUserMail(db, { kind: 'registered', userId, event: 'old' }, context.clock())
    await cancelUserMail(db, 'registered', userId)
    await queueUserMail(db, { kind: 'registered', userId, event: 'new' }, context.clock())
  })
  await deliverMail(context)
  expect(mailbox.list()).toHaveLength(1)
})

test('a woken worker sends the mails of a request soon, and the queue names nobody', async () => {
  const transport = mailTransport(context.config)
  const worker = startJobWorker(context, mailJobs(context, transport))
  try {
    await addUser('soon@customer.net')
    await requestReset('soon@customer.net')
    expect(JSON.stringify(await rows('select j::text from job j'))).not.toContain('soon@customer.net')
    worker.wake()
    await expect.poll(() => mailbox.list().map(({ to }) => to), { timeout: 3_000 }).toEqual(['soon@customer.net'])
  } finally {
    await worker.stop()
    transport.close()
  }
})
