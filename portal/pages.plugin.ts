import type { Connect, Plugin } from 'vite'

const LOGIN_PAGE = /^\/login\/?(?=$|\?)/
const DOOR_PAGE = /^\/(?:reset-password|finish-registration|la)\/[^?]*/

const openPage: Connect.NextHandleFunction = (request, _response, next) => {
  request.url = request.url?.replace(LOGIN_PAGE, '/login.html').replace(DOOR_PAGE, '/door.html')
  next()
}

/** Opens `/login` and the links of mails from documents of their own in Vite's own servers, as the product's server does; every other path is the app's. */
export const pages = (): Plugin => ({
  name: 'counterfoil:pages',
  configureServer: (server) => {
    server.middlewares.use(openPage)
  },
  configurePreviewServer: (server) => {
    server.middlewares.use(openPage)
  },
})
