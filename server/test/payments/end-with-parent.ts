/** Preloaded by the sandboxes of tests: ends the process and removes its folder when the process that started it closes its input or is gone. */
import { rmSync } from 'node:fs'

process.stdin.resume().on('end', () => {
  rmSync(process.env['SANDBOX_DIR'] ?? '', { recursive: true, force: true })
  process.exit()
})
