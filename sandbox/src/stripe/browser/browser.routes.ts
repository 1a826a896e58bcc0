import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'

const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** A frame may run its own script, call the sandbox, load the fonts that the page names and be embedded in any page. */
const FRAME_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors *"

const FRAME_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Secure input</title>
<link rel="stylesheet" href="elements.css">
<script type="module" src="elements.browser.js"></script>
</head>
<body><form autocomplete="on"></form></body>
</html>
`

/** Registers what a page loads from Stripe: the script, under `/v3/` and under any release train, and the frames of its elements. */
export const browserRoutes = (app: FastifyInstance): void => {
  for (const path of ['/v3', '/v3/', '/:train/stripe.js'])
    app.get(path, async (_request, reply) =>
      reply
        .headers(HEADERS)
        .type(JAVASCRIPT)
        .send(await stripeScript()),
    )
  for (const name of ['elements.browser.js', 'fields.browser.js', 'authenticated.browser.js'])
    app.get(`/v3/${name}`, async (_request, reply) => sendFile(reply, name, JAVASCRIPT))
  app.get('/v3/elements.css', async (_request, reply) => sendFile(reply, 'elements.css', 'text/css; charset=utf-8'))
  app.get('/v3/elements-inner.html', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': FRAME_CSP, ...HEADERS })
      .type('text/html; charset=utf-8')
      .send(FRAME_HTML),
  )
}

const SCRIPT_PARTS = ['stripe-request', 'stripe-element', 'stripe-challenge', 'stripe']

/** Stripe.js: its modules joined into one classic script, because pages expect `Stripe` as soon as the script has loaded. */
const stripeScript = async (): Promise<string> => {
  const parts = await Promise.all(SCRIPT_PARTS.map((name) => readFile(new URL(`${name}.browser.js`, import.meta.url), 'utf8')))
  const joined = parts
    .join('\n')
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export /gm, '')
  return `;(() => {\n'use strict'\n${joined}})()\n`
}

const HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Sends a file of this folder, which pages of any site may load. */
const sendFile = async (reply: FastifyReply, name: string, type: string): Promise<FastifyReply> =>
  reply
    .headers(HEADERS)
    .type(type)
    .send(await readFile(new URL(name, import.meta.url)))
