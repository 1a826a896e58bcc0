import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Options } from '../command.ts'
import { confirm } from '../confirm.ts'
import { STANDARD_INPUT } from '../terminal.ts'

type Run = (command: string, args: readonly string[], options: Options) => Promise<void>

/** The commands of `counterfoil sso`, with the words that its help shows. */
export const addSsoCommands = (program: Program, run: Run): void => {
  const sso = program.command('sso').description('single sign-on: the companies that sign their people in themselves')
  const command = (name: string, description: string): Program =>
    sso
      .command(name)
      .description(description)
      .requiredOption('--reseller <name or id>', 'the reseller whose customer the company is')
      .option('--json', 'print one JSON object')
  const organizationCommand = (name: string, description: string): Program =>
    command(name, description).requiredOption('--company <name>', 'the name that people type')

  organizationCommand('set', 'make a company, or change what is named here')
    .option('--brand <name or id>', 'the brand whose users its people are')
    .option('--kind <kind>', 'oidc (OpenID Connect) or saml (SAML 2.0)')
    .option('--issuer <address>', 'oidc: the provider, as its own description spells it')
    .option('--client-id <id>', 'oidc: what the provider calls this portal')
    .option('--client-secret-file <file>', 'oidc: the file with the client’s secret; - is standard input')
    .option('--metadata <file>', 'saml: the provider’s metadata; - is standard input')
    .option('--domain <domain...>', 'a domain of its people’s emails; may be given several times')
    .option('--trust-email', 'oidc: take an email for verified when the provider does not say')
    .option('--no-trust-email', 'oidc: take only what the provider calls verified')
    .option('--block', 'answer as if the company did not exist')
    .option('--unblock', 'let it in again')
    .action((options: Record<string, unknown>) => run('sso set', [], toSendableOptions(options)))
  organizationCommand('show', 'show a company, without its secret').action((options: Options) => run('sso show', [], options))
  command('list', 'list the companies of a reseller').action((options: Options) => run('sso list', [], options))
  organizationCommand('remove', 'remove a company and its links; the users stay')
    .option('--yes', 'do it without asking')
    .action(async ({ yes, ...options }: Options) => {
      await confirm(`Removing ${String(options['company'])} forgets which of its people each user is.`, yes === true)
      await run('sso remove', [], options)
    })
  organizationCommand('unlink', 'forget which person of the company a user is')
    .requiredOption('--username <name>', 'the user')
    .action((options: Options) => run('sso unlink', [], options))
}

/** The options in a form that can be sent to a running server: texts and switches, files by absolute path. */
const toSendableOptions = ({ domain, clientSecretFile, metadata, ...others }: Record<string, unknown>): Options => ({
  ...(others as Options),
  ...(Array.isArray(domain) ? { domain: domain.join(' ') } : {}),
  ...(typeof clientSecretFile === 'string' ? { clientSecretFile: toFullPath(clientSecretFile) } : {}),
  ...(typeof metadata === 'string' ? { metadata: toFullPath(metadata) } : {}),
})

const toFullPath = (path: string): string => (path === STANDARD_INPUT ? path : resolve(path))
