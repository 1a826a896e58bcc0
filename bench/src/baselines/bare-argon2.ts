/** Verifies one password over and over, as the server would without anything around it. Prints verifies a second as JSON. */
import { hash, verify } from '@node-rs/argon2'

const [seconds = '3', atOnce = '2'] = process.argv.slice(2)
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret: Buffer.alloc(32, 7) }
const encoded = await hash('Counterfoil-2026!', options)
let done = 0
const begun = performance.now()
const until = begun + Number(seconds) * 1_000
const one = async (): Promise<void> => {
  while (performance.now() < until) {
    await verify(encoded, 'Counterfoil-2026!', options)
    done += 1
  }
}
await Promise.all(Array.from({ length: Number(atOnce) }, one))
console.log(JSON.stringify({ perSecond: done / ((performance.now() - begun) / 1_000) }))
