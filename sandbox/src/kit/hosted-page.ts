import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html, type Markup } from '../http/html.ts'

/** A hosted page may be framed, and its forms may redirect to any site. */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self' http: https:; frame-ancestors *"

const STYLES = new URL('hosted-page.css', import.meta.url)

/** What stands in a page's head. */
export interface PageHead {
  readonly company: string
  readonly title: string
  readonly stylesheet: string
  readonly script?: string
}

/** The HTML document around a body element. */
export const pageOf = ({ company, title, stylesheet, script }: PageHead, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${company} sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
</head>
${body}
</html>
`.toString()

/** Sends a page that a company hosts. By default any site may frame the page. */
export const sendPage = (reply: FastifyReply, page: string, status = 200, policy = PAGE_CSP): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(page)

/** Sends one of a company's pages with a heading, in the style that the pages share. The page has no script of its own. */
export const sendHostedPage = (
  reply: FastifyReply,
  { company, title, content, status }: { company: string; title: string; content: Markup; status?: number },
): FastifyReply =>
  sendPage(
    reply,
    pageOf({ company, title, stylesheet: '/hosted-page.css' }, html`<body><main><h1>${title}</h1>${content}</main></body>`),
    status,
  )

/** Registers the style sheet of the hosted pages. */
export const hostedPageRoutes = async (app: FastifyInstance): Promise<void> => {
  app.get('/hosted-page.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(await readFile(STYLES)))
}

/** Registers a GET route below `base` for each of a folder's files; `folder` is a URL of a file in it. */
export const pageFiles = (app: FastifyInstance, folder: string, files: Readonly<Record<string, 'javascript' | 'css'>>, base = ''): void => {
  for (const [name, type] of Object.entries(files))
    app.get(`${base}/${name}`, async (_request, reply) =>
      reply.type(`text/${type}; charset=utf-8`).send(await readFile(new URL(name, folder))),
    )
}

/** Registers a script that pages of any site load from a company, inside a function so that it adds nothing but its own name to a page. */
export const scriptRoute = (app: FastifyInstance, path: string, script: URL): void => {
  app.get(path, async (_request, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('text/javascript; charset=utf-8')
      .send(`;(() => {\n'use strict'\n${await readFile(script, 'utf8')}})()\n`),
  )
}

/** The form of a bank’s 3-D Secure page, on which the customer decides about a payment. */
export const authenticationForm = (purpose: string): Markup =>
  html`<p>${purpose} Complete the authentication, or let it fail.</p>
<form method="post"><div class="buttons">
<button name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail" class="plain">Fail</button>
</div></form>
<small>This page stands in for the customer’s bank.</small>`
