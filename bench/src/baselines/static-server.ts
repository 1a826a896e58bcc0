/** Answers every request with what came on standard input, as JSON. Prints its address. */
import fastify from 'fastify'

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part as Buffer)
const body = Buffer.concat(parts)
const app = fastify()
app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(body))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
