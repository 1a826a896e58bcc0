import type { Connect, Plugin } from 'vite'

const LOGIN_PAGE = /^\/login\/?(?=$|\?)/
const PUBLIC_PAGE = /^\/(?:reset-password|finish-registration|la)\/[^?]*/
const PAY_PAGE = /^\/pay\/[^?]*/

const openPage: Connect.NextHandleFunction = (request, _response, next) => {
  request.url = request.url?.replace(LOGIN_PAGE, '/login.html').replace(PUBLIC_PAGE, '/public.html').replace(PAY_PAGE, '/pay.html')
  next()
}

/** Opens `/login`, the links of mails and payment links from documents of their own in Vite's own servers, as the product's server does; every other path is the app's. */
export const pages = (): Plugin => ({
  name: 'counterfoil:pages',
  configureServer: (server) => {
    server.middlewares.use(openPage)
  },
  configurePreviewServer: (server) => {
    server.middlewares.use(openPage)
  },
})
