/** Answers every request with its standard input as JSON. Prints its URL. */
import fastify from 'fastify'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const body = Buffer.concat(chunks)
const app = fastify()
app.get('/', (_, reply) => reply.type('application/json; charset=utf-8').send(body))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
