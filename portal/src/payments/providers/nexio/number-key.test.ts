import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptDigits, NO_KEY_TEXT, readNumberKey } from './number-key.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const decryptBlock = (encrypted: string): Buffer =>
  privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, Buffer.from(encrypted, 'base64'))

test('[PM-80] nexio: what is encrypted is read by the holder of the private key alone, and is another text each time', async () => {
  const key = await readNumberKey(spki)
  if (key === null) throw new Error('the key was not read')
  const seen = new Set<string>()
  for (let round = 0; round < 50; round++) {
    const encrypted = encryptDigits(key, '4111111111111111')
    expect(encrypted).toMatch(/^[A-Za-z0-9+/]{342}==$/)
    const block = decryptBlock(encrypted)
    expect([block[0], block[1]]).toEqual([0, 2])
    expect(block.indexOf(0, 2)).toBe(256 - 17)
    expect(block.toString('latin1', 256 - 16)).toBe('4111111111111111')
    seen.add(encrypted)
  }
  expect(seen.size).toBe(50)
})

test('[PM-80] nexio: a key in its PEM frame is read too', async () => {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  expect(await readNumberKey(pem)).toEqual(await readNumberKey(spki))
})

test('[PM-80] nexio: what is no key gives none', async () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  for (const odd of [null, '', 'pk_test_1', spki.slice(0, -40), `${spki}AAAA!`, small]) expect(await readNumberKey(odd)).toBeNull()
})

test('[PM-80] nexio: what the key cannot take is refused with the text of a gateway that is not configured', async () => {
  const key = await readNumberKey(spki)
  if (key === null) throw new Error('the key was not read')
  for (const odd of ['', '4111 1111', 'x', '1'.repeat(246)]) expect(() => encryptDigits(key, odd)).toThrow(NO_KEY_TEXT)
})
