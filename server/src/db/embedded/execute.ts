import type { PGlite } from '@electric-sql/pglite'

/**
 * The engine's response to messages of the wire protocol. Not by `execProtocolRaw`, which also parses each response, and keeps all that it
 * has parsed for as long as the engine runs.
 */
export const execute = async (engine: PGlite, messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  // What comes is a view of the engine's memory.
  await engine.execProtocolRawStream(messages, { onRawData: (part) => void parts.push(part.slice()) })
  const response = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    response.set(part, at)
    at += part.length
  }
  return response
}
