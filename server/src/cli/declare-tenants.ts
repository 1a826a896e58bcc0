import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Options, Run } from './command.ts'
import { confirm } from './confirm.ts'
import { EDITABLE_BRAND_FIELDS, BRAND_FIELDS } from './tenants/brand.ts'
import { EDITABLE_CUSTOMER_FIELDS, CUSTOMER_FIELDS } from './tenants/customer.ts'
import { withFields, withList } from './tenants/field-set.ts'
import { EDITABLE_RESELLER_FIELDS, RESELLER_FIELDS } from './tenants/reseller.ts'
import { EXTRA_LABELS } from './tenants/reseller-labels.ts'
import { USER_FIELDS } from './tenants/user.ts'
import { STANDARD_INPUT } from './terminal.ts'

const JSON_FLAG = ['--json', 'print one JSON object'] as const
const OF_RESELLER = ['--reseller <id or name>', 'of this reseller alone'] as const
const CLEARS = '\nAn empty value takes away what was there: --email ""'

/** `counterfoil reseller | brand | customer | user …`: who there is. */
export const declareTenants = (program: Program, run: Run): void => {
  declareResellers(program.command('reseller').description('who bills: make, list, show and change resellers'), run)
  declareBrands(program.command('brand').description('the faces of a reseller: domain, colours, pictures, what is shown'), run)
  declareCustomers(program.command('customer').description('who is billed: make, list, show and change customers'), run)
  declareUsers(program.command('user').description('who signs in: make, list, change and disable users'), run)
}

const declareResellers = (resellers: Program, run: Run): void => {
  withFields(resellers.command('add <name>').description('make a reseller'), RESELLER_FIELDS)
    .option('--id <number>', 'its id, where it must be a certain one')
    .option(...JSON_FLAG)
    .hook('preAction', (command) => needs(command, 'currency'))
    .action((name: string, options: Options) => run('reseller add', [name], options))
  resellers
    .command('list')
    .description('list the resellers')
    .option(...JSON_FLAG)
    .action((options: Options) => run('reseller list', [], options))
  resellers
    .command('show <reseller>')
    .description('show a reseller, by id or name')
    .option(...JSON_FLAG)
    .action((reseller: string, options: Options) => run('reseller show', [reseller], options))
  declareResellerWords(resellers, run)
  withFields(resellers.command('set <reseller>').description('change a reseller, by id or name'), EDITABLE_RESELLER_FIELDS)
    .option(...JSON_FLAG)
    .addHelpText('after', CLEARS)
    .action((reseller: string, options: Options) => run('reseller set', [reseller], options))
}

const declareResellerWords = (resellers: Program, run: Run): void => {
  withFields(
    resellers.command('labels <reseller>').description('name the extra fields of transactions; without a change, show their names'),
    EXTRA_LABELS,
  )
    .option(...JSON_FLAG)
    .action((reseller: string, options: Options) => run('reseller labels', [reseller], options))
  const reports = resellers
    .command('reports <reseller>')
    .description('say which reports the customers are offered; without a change, show it')
  withList(reports, '--on <report>', 'a report to offer, by its name')
  withList(reports, '--off <report>', 'a report to offer no more')
    .option(...JSON_FLAG)
    .action((reseller: string, options: Options) => run('reseller reports', [reseller], options))
}

/** @throws CommanderError when an option that the command cannot do without is missing */
const needs = (command: Program, name: string): void => {
  if (command.opts<Options>()[name] === undefined) command.error(`error: required option '--${name}' not specified`)
}

const withFlags = (command: Program): Program => {
  withList(command, '--on <flags>', 'what its customers see, with commas')
  return withList(command, '--off <flags>', 'what they do not see')
}

const declareBrands = (brands: Program, run: Run): void => {
  withFlags(withFields(brands.command('add <name>').description('make a brand'), BRAND_FIELDS))
    .requiredOption('--reseller <id or name>', 'whose brand it is')
    .option('--service <id or name>', 'the one service that usage and service items are about')
    .option(...JSON_FLAG)
    .action((name: string, options: Options) => run('brand add', [name], options))
  brands
    .command('list')
    .description('list the brands')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((options: Options) => run('brand list', [], options))
  brands
    .command('show <brand>')
    .description('show a brand, by id or name')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((brand: string, options: Options) => run('brand show', [brand], options))
  withFields(brands.command('set <brand>').description('change a brand, by id or name'), EDITABLE_BRAND_FIELDS)
    .option('--service <id or name>', 'the one service that usage and service items are about')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .addHelpText('after', CLEARS)
    .action((brand: string, options: Options) => run('brand set', [brand], options))
  withFlags(brands.command('flags <brand>').description('say what the customers of a brand see; without a change, show it'))
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((brand: string, options: Options) => run('brand flags', [brand], options))
  brands
    .command('image <brand>')
    .description('give a brand its pictures: PNG, JPEG, WebP or SVG, at most 2 MiB')
    .option('--logo <file>', 'the logo in the header, at sign-in and on invoices')
    .option('--banner <file>', 'the picture beside the sign-in form')
    .option('--remove <kind>', 'logo or banner: take it away, so that brand 0’s is shown')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((brand: string, options: Options) => run('brand image', [brand], withPaths(options, ['logo', 'banner'])))
}

/** A file as the running server finds it, whatever folder that was started in. */
const withPaths = (options: Options, names: readonly string[]): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === 'string' && value !== STANDARD_INPUT ? resolve(value) : value,
    ]),
  )

const declareCustomers = (customers: Program, run: Run): void => {
  withFields(customers.command('add <name>').description('make a customer'), CUSTOMER_FIELDS)
    .requiredOption('--brand <id or name>', 'the brand that it sees')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((name: string, options: Options) => run('customer add', [name], options))
  customers
    .command('list')
    .description('list customers')
    .option('--brand <id or name>', 'of this brand alone')
    .option('--limit <number>', 'how many at most (1000)')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((options: Options) => run('customer list', [], options))
  customers
    .command('show <customer>')
    .description('show a customer, by its external id or its id')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((customer: string, options: Options) => run('customer show', [customer], options))
  withFields(customers.command('set <customer>').description('change a customer, by its external id or its id'), EDITABLE_CUSTOMER_FIELDS)
    .option('--brand <id or name>', 'the brand that it sees from now on')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .addHelpText('after', CLEARS)
    .action((customer: string, options: Options) => run('customer set', [customer], options))
}

const declareUsers = (users: Program, run: Run): void => {
  const adding = withFields(users.command('add <username>').description('make a user who may sign in at once'), USER_FIELDS)
  withList(adding, '--customer <external id or id>', 'a customer that the user acts for; the first is shown first')
    .requiredOption('--brand <id or name>', 'the brand under which the user signs in')
    .option(
      '--password-file <file>',
      'where the password stands, alone on a line (- is standard input); without it one is made and printed',
    )
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((username: string, options: Options) => run('user add', [username], withPaths(options, ['passwordFile'])))
  const inviting = users.command('invite <username>').description('invite somebody by mail to choose a password and sign in')
  withList(inviting, '--customer <external id or id>', 'a customer that the user acts for; the first is shown first')
    .requiredOption('--email <address>', 'where the invitation goes')
    .requiredOption('--brand <id or name>', 'the brand under which the user signs in')
    .option('--name <text>', 'the person’s name as it is shown')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((username: string, options: Options) => run('user invite', [username], options))
  users
    .command('reset-link <username>')
    .description('print a link with which the person chooses a new password, once, within an hour')
    .option(...JSON_FLAG)
    .action((username: string, options: Options) => run('user reset-link', [username], options))
  users
    .command('list')
    .description('list users')
    .option('--brand <id or name>', 'of this brand alone')
    .option('--customer <external id or id>', 'who may act for this customer')
    .option('--limit <number>', 'how many at most (1000)')
    .option(...OF_RESELLER)
    .option(...JSON_FLAG)
    .action((options: Options) => run('user list', [], options))
  users
    .command('show <username>')
    .description('show a user and the customers that it acts for')
    .option(...JSON_FLAG)
    .action((username: string, options: Options) => run('user show', [username], options))
  const setting = withFields(users.command('set <username>').description('change a user'), USER_FIELDS)
  withList(setting, '--customer <external id or id>', 'the customers that the user acts for from now on, these and no others')
    .option(...JSON_FLAG)
    .addHelpText('after', CLEARS)
    .action((username: string, options: Options) => run('user set', [username], options))
  users
    .command('disable <username>')
    .description('sign a user out everywhere and let nobody in by this name')
    .option('--yes', 'do it without asking')
    .option(...JSON_FLAG)
    .action(async (username: string, options: Options) => {
      await confirm(`Disabling ${username} ends every session of this user at once.`, options['yes'] === true)
      await run('user disable', [username], options)
    })
  users
    .command('enable <username>')
    .description('let a disabled user sign in again')
    .option(...JSON_FLAG)
    .action((username: string, options: Options) => run('user enable', [username], options))
}
