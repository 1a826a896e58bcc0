import type { Connect, Plugin } from 'vite'

const LOGIN_PAGE = /^\/login\/?(?=$|\?)/

const openLogin: Connect.NextHandleFunction = (request, _response, next) => {
  request.url = request.url?.replace(LOGIN_PAGE, '/login.html')
  next()
}

/** Opens `/login` from its own document in Vite's own servers, as the product's server does; every other path is the app's. */
export const pages = (): Plugin => ({
  name: 'counterfoil:pages',
  configureServer: (server) => {
    server.middlewares.use(openLogin)
  },
  configurePreviewServer: (server) => {
    server.middlewares.use(openLogin)
  },
})
