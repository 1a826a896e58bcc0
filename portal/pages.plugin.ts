import type { Connect, Plugin } from 'vite'

const LOGIN_PAGE = /^\/login\/?(?=$|\?)/
const PUBLIC_PAGE = /^\/(?:reset-password|finish-registration|la)\/[^?]*/
const PAY_PAGE = /^\/pay\/[^?]*/

const rewriteToPage: Connect.NextHandleFunction = (request, _response, next) => {
  request.url = request.url?.replace(LOGIN_PAGE, '/login.html').replace(PUBLIC_PAGE, '/public.html').replace(PAY_PAGE, '/pay.html')
  next()
}

/** Makes Vite's servers open the HTML documents that the product's server opens: `/login`, links in mails and payment links have their own. */
export const pages = (): Plugin => ({
  name: 'counterfoil:pages',
  configureServer: (server) => {
    server.middlewares.use(rewriteToPage)
  },
  configurePreviewServer: (server) => {
    server.middlewares.use(rewriteToPage)
  },
})
