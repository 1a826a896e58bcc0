import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { deriveKeys } from '../kit/keys.ts'
import { createPasswords } from './passwords.ts'

const SLOW = { memoryCost: 19_456, timeCost: 20, parallelism: 1 }

const startPasswords = ({ maxQueue = 50 } = {}) => {
  const passwords = createPasswords(deriveKeys(Buffer.alloc(32)), { maxThreads: 1, maxQueue, cost: SLOW })
  onTestFinished(() => passwords.close())
  return passwords
}

const nextThread = async (): Promise<Worker> => {
  const [thread] = (await once(process, 'worker')) as [Worker]
  return thread
}

test('[SESS-01] when a hashing thread dies, its password fails and the waiting ones are served', async () => {
  const passwords = startPasswords()
  const starting = nextThread()
  const first = passwords.hash('one')
  const waiting = [passwords.hash('two'), passwords.hash('three')]

  const [outcome] = await Promise.all([Promise.allSettled([first]), starting.then((thread) => thread.terminate())])
  expect(outcome).toMatchObject([{ status: 'rejected' }])
  for (const encoded of await Promise.all(waiting)) expect(encoded).toMatch(/^\$argon2id\$/)
})

test('[SESS-01] an unknown user is answered again after the thread has died with the first one', async () => {
  const passwords = startPasswords()
  const starting = nextThread()

  const [outcome] = await Promise.all([Promise.allSettled([passwords.verify(null, 'x')]), starting.then((thread) => thread.terminate())])
  expect(outcome).toMatchObject([{ status: 'rejected' }])
  expect(await passwords.verify(null, 'x')).toBe(false)
})

test('[SESS-01] a password beyond the queue limit is refused at once, and the others are served', async () => {
  const passwords = startPasswords({ maxQueue: 1 })

  const accepted = [passwords.hash('one'), passwords.hash('two')]
  await expect(passwords.verify(null, 'three')).rejects.toMatchObject({ code: 'sign_in_busy' })
  expect(passwords.queueLength()).toBe(1)
  for (const encoded of await Promise.all(accepted)) expect(encoded).toMatch(/^\$argon2id\$/)
})
