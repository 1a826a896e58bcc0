/** `npm run types`: type-checks every workspace with its own tsconfig, two at a time. */
import { spawn } from 'node:child_process'

const projects = ['contract', 'server', 'portal', 'sandbox', 'e2e', 'bench', 'scripts']

const checkTypes = (project: string): Promise<boolean> =>
  new Promise((resolve) => {
    const tsc = spawn('node_modules/.bin/tsc', ['-p', `${project}/tsconfig.json`, '--pretty', '--checkers', '1'], { stdio: 'inherit' })
    tsc.on('close', (code) => resolve(code === 0))
  })

const failed: string[] = []
const queue = [...projects]
const worker = async () => {
  for (let project = queue.shift(); project !== undefined; project = queue.shift()) if (!(await checkTypes(project))) failed.push(project)
}
await Promise.all([worker(), worker()])
if (failed.length > 0) {
  console.error(`types: ${failed.join(', ')} failed`)
  process.exit(1)
}
console.log(`types: ${projects.length} projects pass`)
