/** Type-checks every workspace by its own tsconfig, two at a time; fails when any of them fails. */
import { spawn } from 'node:child_process'

const projects = ['contract', 'server', 'portal', 'sandbox', 'e2e', 'bench', 'scripts']

const checked = (project: string): Promise<boolean> =>
  new Promise((resolve) => {
    const tsc = spawn('node_modules/.bin/tsc', ['-p', `${project}/tsconfig.json`, '--pretty'], { stdio: 'inherit' })
    tsc.on('close', (code) => resolve(code === 0))
  })

const failed: string[] = []
const line = [...projects]
const worker = async () => {
  for (let next = line.shift(); next !== undefined; next = line.shift()) if (!(await checked(next))) failed.push(next)
}
await Promise.all([worker(), worker()])
if (failed.length > 0) {
  console.error(`types: ${failed.join(', ')} failed`)
  process.exit(1)
}
console.log(`types: ${projects.length} projects pass`)
