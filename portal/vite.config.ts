import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractEndpoints } from './contract-endpoints.plugin.ts'
import { pages } from './pages.plugin.ts'
import { precompress } from './precompress.plugin.ts'

const SERVER = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), contractEndpoints(), pages(), precompress()],
  build: {
    manifest: true,
    // A data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { app: 'index.html', login: 'login.html', public: 'public.html', pay: 'pay.html' } },
  },
  server: {
    proxy: { '/v1': SERVER, '/token': SERVER, '/revoke': SERVER, '/sso': SERVER, '/brand-images': SERVER },
  },
})
