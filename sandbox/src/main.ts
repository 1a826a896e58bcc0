import { startSandbox } from './sandbox.ts'
import { settingsFrom } from './sandbox.settings.ts'

const start = async () => startSandbox(settingsFrom(process.env))

const starting = start()

/** Closes the sandbox and ends the process. */
const stop = async () => {
  const sandbox = await starting
  await sandbox.close()
  process.exit(0)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

try {
  const { url, smtpUrl } = await starting
  console.log(`The sandbox is ready at ${url} and takes mail at ${smtpUrl}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
