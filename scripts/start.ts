/** `npm start`: the whole product on this machine, with the demo world on an empty database and the sandbox beside it. */
import { readConfig } from '../server/src/config.ts'
import { demoWebhookSecret } from '../server/src/demo/demo-keys.ts'
import { seedDemoData } from '../server/src/demo/demo-data.ts'
import { openContext } from '../server/src/context.ts'
import { FolderInUse } from '../server/src/db/embedded/folder-lock.ts'
import { openLog } from '../server/src/kit/log.ts'
import { OperatorError } from '../server/src/kit/api-error.ts'
import { stopSignal } from '../server/src/kit/stop-signal.ts'
import { serve } from '../server/src/serve.ts'
import { PROVIDERS } from '../sandbox/src/provider-names.ts'
import { startSandbox } from '../sandbox/src/sandbox.ts'
import { buildPortal } from './portal-build.ts'
import { welcome } from './welcome.ts'

const stop = stopSignal()
try {
  // The demo world shows this setting of an operator.
  const config = readConfig({ SPLIT_CARD_RESELLERS: '3001', ...process.env })
  const [deps] = await Promise.all([openContext(config, openLog(config.logLevel)), buildPortal()])
  const demoData = await seedDemoData(deps, { progress: console.log })
  const sandbox = await startSandbox({
    port: config.sandboxPort,
    smtpPort: config.sandboxPort + 1,
    dir: `${config.dataDir}/sandbox`,
    webhooks: Object.fromEntries(
      PROVIDERS.map((name) => [
        name,
        { url: `http://127.0.0.1:${config.port}/hooks/${name}/{account}`, secret: demoWebhookSecret(deps.keys) },
      ]),
    ),
  })
  const serving = await serve(deps, { worker: true })
  console.log(welcome(config.publicUrl, sandbox.url, demoData))
  await stop
  await serving.stop()
  await sandbox.close()
  process.exit(0)
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof FolderInUse)) throw error
  console.error(error.message)
  process.exit(1)
}
