import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of another origin: one page for every path, which loads Stripe.js from the sandbox. */
export const startShop = async (sandbox: string): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = createServer((_request, response) => {
    const { origin } = new URL(sandbox)
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; connect-src ${origin}; style-src 'unsafe-inline'`,
    })
    response.end(`<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1>
<div id="one"></div><div id="two"></div><div id="three"></div><script src="${sandbox}/stripe/v3/"></script></body></html>`)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
