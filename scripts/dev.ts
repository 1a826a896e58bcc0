/** `npm run dev`: the server, restarted on changes, and the portal with hot reload on port 5173. Seed it once with `npm start`. */
import { spawn } from 'node:child_process'

const started = [
  spawn(process.execPath, ['--watch', 'server/bin/counterfoil.js', 'serve'], { stdio: 'inherit' }),
  spawn(process.execPath, ['../node_modules/vite/bin/vite.js'], { cwd: 'portal', stdio: 'inherit' }),
]
for (const one of started) one.on('close', () => started.forEach((other) => other.kill('SIGTERM')))
