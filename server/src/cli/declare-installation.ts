import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { readConfig } from '../config.ts'
import type { Options, Run } from './command.ts'
import type { Terminal } from './run-command.ts'

/** `counterfoil init | doctor | backup | restore`. Their code is loaded when it is needed, because a server that starts needs none of it. */
export const declareInstallation = (program: Program, run: Run, terminal: Terminal): void => {
  program
    .command('init')
    .description('ask, write a settings file and make the master key; what the environment names is taken as answered')
    .option('--yes', 'ask nothing: the settings file gets what the environment names')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const { initCommand } = await import('./init.ts')
      terminal.setExitCode(await initCommand(terminal.createIo(options['json'] === true), { yes: options['yes'] === true }))
    })
  program
    .command('doctor')
    .description('say what is wrong and how to mend it: settings, files, keys, database, role, clock, mail')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const { doctorCommand } = await import('./doctor/doctor.ts')
      terminal.setExitCode(await doctorCommand(terminal.createIo(options['json'] === true)))
    })
  program
    .command('backup <file>')
    .description('write the whole database into a file, while the server goes on (PostgreSQL: in the format of pg_dump)')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => run('backup', [resolve(file)], options))
  program
    .command('restore <file>')
    .description('put a backup in place of the database; the server must be stopped')
    .option('--yes', 'do it without asking, though there is something already')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      const { restoreCommand } = await import('./backup/restore.ts')
      terminal.setExitCode(
        await restoreCommand(readConfig(), terminal.createIo(options['json'] === true), resolve(file), options['yes'] === true),
      )
    })
}
