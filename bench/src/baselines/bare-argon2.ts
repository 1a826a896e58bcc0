/** Verifies one password repeatedly with the server's parameters and nothing else. Prints the verifications per second as JSON. */
import { hash, verify } from '@node-rs/argon2'

const [seconds = '3', concurrency = '2'] = process.argv.slice(2)
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret: Buffer.alloc(32, 7) }
const encoded = await hash('Counterfoil-2026!', options)
let verified = 0
const startedAt = performance.now()
const endsAt = startedAt + Number(seconds) * 1_000
const verifyRepeatedly = async (): Promise<void> => {
  while (performance.now() < endsAt) {
    await verify(encoded, 'Counterfoil-2026!', options)
    verified += 1
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, verifyRepeatedly))
console.log(JSON.stringify({ perSecond: verified / ((performance.now() - startedAt) / 1_000) }))
