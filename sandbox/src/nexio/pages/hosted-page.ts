import type { FastifyReply } from 'fastify'
import { html, type Markup } from '../../http/html.ts'

/** A hosted page may be framed, and its forms may redirect to any site. */
const PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self' http: https:; frame-ancestors *"

/** Sends one of the hosted pages. */
export const sendPage = (reply: FastifyReply, title: string, content: Markup, status = 200): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-security-policy': PAGE_CSP,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Nexio sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/nexio/pages.css">
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`.toString(),
    )
