import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { BUILD_TARGET } from './browser-floor.ts'
import { contractEndpoints } from './contract-endpoints.plugin.ts'
import { pages } from './pages.plugin.ts'
import { preloadFont } from './preload-font.plugin.ts'
import { precompress } from './precompress.plugin.ts'
import { sharedChunks } from './shared-chunks.ts'

const SERVER = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), contractEndpoints(), pages(), preloadFont(), precompress()],
  build: {
    target: BUILD_TARGET,
    manifest: true,
    // A data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file of styles for all pages: it is small, and a screen would load a dozen.
    cssCodeSplit: false,
    rolldownOptions: {
      input: { app: 'index.html', login: 'login.html', public: 'public.html', pay: 'pay.html' },
      output: {
        codeSplitting: sharedChunks,
        // A shared file has the names of all that import it, and each of them repeats it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  server: {
    proxy: { '/v1': SERVER, '/token': SERVER, '/revoke': SERVER, '/sso': SERVER, '/brand-images': SERVER },
  },
})
