/** `npm run dev`: the server, restarted on changes, and the portal with hot reload on port 5173. Run `npm start` once before, to seed the demo world. */
import { spawn } from 'node:child_process'

const processes = [
  spawn(process.execPath, ['--watch', 'server/src/counterfoil.ts', 'serve'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: 'node_modules/.cache/counterfoil' },
  }),
  spawn(process.execPath, ['../node_modules/vite/bin/vite.js'], { cwd: 'portal', stdio: 'inherit' }),
]
for (const child of processes) child.on('close', () => processes.forEach((other) => other.kill('SIGTERM')))
