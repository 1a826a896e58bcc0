import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('static-server.ts', import.meta.url))

/** Starts a bare Fastify server that answers every request with these bytes. */
export const startBareFastify = async (body: Buffer): Promise<{ url: string; stop(): void }> => {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: address.toString().trim(), stop: () => child.kill() }
}
