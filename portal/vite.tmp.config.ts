import base from './vite.config.ts'
const SERVER = 'http://127.0.0.1:3411'
export default { ...base, server: { port: 5411, hmr: false, proxy: Object.fromEntries(['/v1', '/token', '/revoke', '/sso', '/brand-images', '/healthz'].map((p) => [p, SERVER])) }, cacheDir: '/tmp/vite-cache-grid' }
