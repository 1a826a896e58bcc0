import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

const root = mkdtempSync(join(tmpdir(), 'counterfoil-lock-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folder: string
let folderCount = 0
beforeEach(() => {
  folder = join(root, `database-${(folderCount += 1)}`)
})

const MODULE = new URL('./folder-lock.ts', import.meta.url).href

/** Another process that takes the folder and keeps it until it is ended. */
const spawnHolder = async () => {
  const program = `const { lockFolder } = await import(${JSON.stringify(MODULE)}); lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

test('a folder that another living process holds is refused with its number, and stays with it', async () => {
  const child = await spawnHolder()
  try {
    expect(() => lockFolder(folder)).toThrow(
      `The data folder ${folder} is in use by process ${child.pid}. Stop that process first, or choose another folder with DATA_DIR.`,
    )
    expect(() => lockFolder(folder)).toThrow(FolderInUse)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

test('a folder whose holder was killed is taken over', async () => {
  const child = await spawnHolder()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(`${folder}.lock`)).toBe(true)
  const unlock = lockFolder(folder)
  expect(JSON.parse(readFileSync(`${folder}.lock`, 'utf8'))).toMatchObject({ pid: process.pid })
  unlock()
  expect(readdirSync(root).filter((name) => name.startsWith(`database-${folderCount}.`))).toEqual([])
})

test('one process takes a folder once, and again after it has given it back', () => {
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  unlock()
  lockFolder(folder)()
})

test.runIf(existsSync('/proc/self/stat'))('the number of a dead holder that another process has by now holds nothing', () => {
  writeFileSync(`${folder}.lock`, JSON.stringify({ pid: process.ppid, born: '1' }))
  lockFolder(folder)()
})

test.each(['', '{}', 'not JSON', '{"pid":"1"}'])('a lock that names nobody (%j) holds nothing', (text) => {
  writeFileSync(`${folder}.lock`, text)
  lockFolder(folder)()
})

test('of many that find the same dead lock at the same instant exactly one takes the folder', async () => {
  const THREADS = 4
  const REPEATS = 40
  const program = `const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.module).then(({ lockFolder }) => parentPort.on('message', ({ folder, barrier }) => {
      const at = new Int32Array(barrier)
      Atomics.add(at, 0, 1)
      while (Atomics.load(at, 0) < ${THREADS});
      let taken = true
      try { lockFolder(folder) } catch { taken = false }
      parentPort.postMessage(taken)
    })).then(() => parentPort.postMessage('ready'))`
  const workers = Array.from({ length: THREADS }, () => new Worker(program, { eval: true, workerData: { module: MODULE } }))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  for (let round = 0; round < REPEATS; round += 1) {
    const own = `${folder}-${round}`
    writeFileSync(`${own}.lock`, JSON.stringify({ pid: 999_999_999, born: '1' }))
    const barrier = new SharedArrayBuffer(4)
    const answers = workers.map((worker) => once(worker, 'message'))
    for (const worker of workers) worker.postMessage({ folder: own, barrier })
    const results = (await Promise.all(answers)).filter(([one]) => one === true)
    expect(results).toHaveLength(1)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
})
