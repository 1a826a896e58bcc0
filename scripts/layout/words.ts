/** A word that this project does not use for a thing, because the field has another. */
export interface BannedWord {
  /** One word of a camelCase, PascalCase, CONSTANT or kebab-case name; with a capital, the whole name of a type. */
  readonly word: string
  /** What to write in its place. */
  readonly use: string
  /** The folders in which the word has the banned meaning; absent: everywhere. */
  readonly where?: RegExp
}

const SERVER = /^server\//
const PAYMENTS = /^server\/(src|test)\/payments\//

export const BANNED_WORDS: readonly BannedWord[] = [
  { word: 'house', use: 'AppContext, context, deps' },
  { word: 'gatehouse', use: 'RequestDeps' },
  { word: 'room', use: 'module, folder' },
  { word: 'wall', use: 'boundary' },
  { word: 'door', use: 'public page, routes, errorHandler' },
  { word: 'binder', use: 'routeRegistrar' },
  { word: 'admitted', use: 'checkAccess' },
  { word: 'refusal', use: 'ApiError' },
  { word: 'refuse', use: 'assert…' },
  { word: 'Charge', use: 'RateLimitHit', where: /^server\/src\/(session|rate-limits)\// },
  { word: 'charge', use: 'consume', where: /^server\/src\/(session|rate-limits)\// },
  { word: 'visitor', use: 'RequestInfo' },
  { word: 'Ask', use: 'RequestContext' },
  { word: 'Given', use: 'RequestInput' },
  { word: 'lane', use: "transact's options" },
  { word: 'extent', use: "transact's options" },
  { word: 'crowd', use: 'concurrencyLimit' },
  { word: 'turnstile', use: 'mutex, semaphore' },
  { word: 'rounds', use: 'poller' },
  { word: 'wish', use: 'PaymentRequest' },
  { word: 'Standing', use: 'AttemptState', where: PAYMENTS },
  { word: 'Change', use: 'Transition', where: PAYMENTS },
  { word: 'Payer', use: 'ClientInfo', where: /^server\/src\/payments\// },
  { word: 'owner', use: 'providerCustomerId', where: /^server\/src\/payments\// },
  { word: 'company', use: 'provider (payments), organization (sign-on), legalName (a company’s name)', where: SERVER },
  { word: 'companies', use: 'providers, organizations', where: SERVER },
  { word: 'notice', use: 'webhook event', where: /^(server|sandbox)\// },
  { word: 'notices', use: 'webhook events', where: /^(server|sandbox)\// },
  { word: 'hooks', use: 'webhooks', where: SERVER },
  { word: 'book', use: 'ledger, allocation', where: PAYMENTS },
  { word: 'drift', use: 'discrepancy' },
  { word: 'drifts', use: 'discrepancies' },
  { word: 'desk', use: 'review queue' },
  { word: 'verdict', use: 'outcome' },
  { word: 'story', use: 'history' },
  { word: 'deed', use: 'audit event' },
  { word: 'deeds', use: 'audit events' },
  { word: 'canary', use: 'secret-leak scan, marked secret' },
  { word: 'canaries', use: 'secret-leak scan, marked secrets' },
  { word: 'faces', use: 'fonts', where: /^server\/src\/documents\// },
  { word: 'paper', use: 'canvas, document', where: SERVER },
  { word: 'furniture', use: 'page header and footer' },
  { word: 'letter', use: 'template', where: /^server\/src\/mail\// },
  { word: 'letters', use: 'templates', where: /^server\/src\/mail\// },
  { word: 'postman', use: 'mail worker' },
  { word: 'postpone', use: 'retry later' },
  { word: 'look', use: 'branding, theme', where: /^portal\// },
  { word: 'leaving', use: 'NAVIGATING', where: /^portal\// },
  { word: 'doctored', use: 'tampered' },
  { word: 'Work', use: 'SandboxSession', where: /^sandbox\// },
  { word: 'Books', use: 'Stores', where: /^sandbox\// },
  { word: 'lasting', use: 'a plain noun', where: /^sandbox\// },
  { word: 'blank', use: 'empty', where: /^sandbox\// },
  { word: 'told', use: 'message, SeedContext' },
  { word: 'telling', use: 'SeedContext' },
  { word: 'chance', use: 'random', where: /^server\/src\/demo\// },
  { word: 'most', use: 'MAX_, max…' },
  { word: 'least', use: 'MIN_, min…' },
]

/** Participles and adjectives that name nothing by themselves: a function must be a verb, or the noun that it returns. */
export const PARTICIPLES: ReadonlySet<string> = new Set(
  (
    'admitted announced answered asked asking begun believed booked bound bought brought built called carried caught checked chosen claimed cleared closed counted cut ' +
    'decided declared done drawn dropped ended expanded failed filled found freed gathered given gone grouped guarded handled heard held hidden joined kept known laid ' +
    'left listed lost made marked masked matched meant measured merged met mixed moved named noted numbered opened ordered owed paid parsed passed placed prepared printed put ' +
    'quoted reached ready received refused removed repeated resolved rounded said saved sealed seen sent served settled shaped shared shortened shown signed sorted split ' +
    'spread stamped stored struck summed taken together told torn tried trimmed typed unpacked unrepeated usable used waited watched weighed whole withheld wrapped written'
  ).split(' '),
)

/** A name that holds a banned word in another, legitimate meaning. */
export interface LegitimateName {
  readonly name: RegExp
  readonly where?: RegExp
  readonly reason: string
}

export const LEGITIMATE_NAMES: readonly LegitimateName[] = [
  { name: /^lane$/, where: /^server\/src\/http\/metrics\.ts$/, reason: 'a label of a metric, which dashboards read' },
  {
    name: /^company$/,
    where: /^server\/src\/(audit\/.*\.test\.ts$|cli\/sso\/)/,
    reason: 'the option --company of the command line and an audit subject',
  },
]
